"""Verbs on the store, and those that start something else."""

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from reminisce.app.cli.options import COMMON, Common
from reminisce.app.cli.outcome import Health, Made, Outcome
from reminisce.app.cli.streams import path_of, standard_input
from reminisce.app.config import KEYRING, Settings
from reminisce.app.service.core import Face
from reminisce.app.service.importing import lines_of
from reminisce.domain.values import Destination
from reminisce.errors import ConfigurationError, InvalidError, StoreError, StoreMissingError, StoreUnavailableError

__all__ = ["demo", "doctor", "import_", "init", "mcp", "stats"]

STDIN: Final = "-"

_EXTRA: Final = frozenset({"anyio", "jsonschema", "mcp", "mcp_types"})
"""What the extra brings, by the names it is imported under."""


def _places(settings: Settings) -> tuple[str, str]:
    """Where the store is, and where its key comes from."""
    kept = "the system's keyring" if settings.key_from == KEYRING else str(settings.keys)
    return settings.store, kept if settings.secret is None else settings.secret_from


def init(*, common: Common = COMMON) -> Outcome:
    """Make the store, or check that it is there and opens."""
    settings = common.settings()
    created = False
    try:
        memories = common.memories(settings, create=False)
    except StoreMissingError:
        memories, created = common.memories(settings, create=True), True
    with memories:
        memories.owner(settings.owner)
        memories.setup()
    return Outcome(Made(*_places(settings), created), common.json)


@contextlib.contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == STDIN:
        yield standard_input("file")
        return
    try:
        opened = Path(path_of(file)).open("rb")  # noqa: SIM115 (only opening is translated; the block below closes it)
    except (OSError, ValueError) as error:
        raise InvalidError.of("file", "unreadable", f"cannot be read: {type(error).__name__}") from error
    with opened:
        yield opened


def _watched(file: BinaryIO) -> Iterable[bytes]:
    """The lines of *file*, with a bar on stderr where a person watches."""
    if not sys.stderr.isatty() or not file.seekable():
        yield from lines_of(file.readline)
        return
    from rich.progress import Progress

    from reminisce.app.cli.screen import console

    with Progress(console=console(), transient=True) as progress:
        task = progress.add_task("importing", total=os.fstat(file.fileno()).st_size)
        for line in lines_of(file.readline):
            yield line
            progress.advance(task, len(line))


def import_(file: str, *, stop: bool = False, common: Common = COMMON) -> Outcome:
    """
    Keep memories from JSONL, one object a line with the names of `remember`'s options; twice changes nothing.

    Args:
        file: The file; - reads standard input.
        stop: Stop at the first bad line; otherwise bad lines are reported and skipped.
    """
    with _opened(file) as lines, common.mine(create=True) as owner:
        imported = owner.import_(_watched(lines), stop=stop)
    return Outcome(imported, common.json, int(bool(imported.bad)))


def stats(*, common: Common = COMMON) -> Outcome:
    """Count memories by status, tier and aspect, and live beliefs."""
    with common.mine() as owner:
        return Outcome(owner.stats(), common.json)


def doctor(*, deep: bool = False, repair: bool = False, common: Common = COMMON) -> Outcome:
    """
    Look for trouble in the store, and explain it.

    Args:
        deep: Read the whole store.
        repair: Build the index of every owner anew.
    """
    settings = common.settings()
    places = _places(settings)
    try:
        with common.memories(settings, create=False) as memories:
            found = memories.doctor(deep=deep, repair=repair)
        health = Health(*places, found.findings, found.checked, found.repaired)
    except StoreUnavailableError:
        raise
    except (StoreError, ConfigurationError) as error:
        # Whoever asks the doctor wants this explained, not refused.
        health = Health(*places, (str(error),), ("whether the store opens",))
    return Outcome(health, common.json, int(bool(health.findings)))


def demo(*, common: Common = COMMON) -> Outcome:
    """Show what this is on a temporary store, and fail if a guarantee does."""
    from reminisce.app.demo import play

    played = play()
    return Outcome(played, common.json, int(not played.held))


def mcp(
    *, local: bool = False, audience: str | None = None, extended: bool = False, common: Common = COMMON
) -> Outcome:
    """
    Serve one owner's memories to an MCP client over stdio.

    Args:
        local: The model runs on this machine: private memories may be given out.
        audience: Show only what this audience may see.
        extended: Offer the extended set of tools.
    """
    try:
        from reminisce.app.mcp import PAGE, serve_memories
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise ConfigurationError("mcp", "needs the extra: pip install 'reminisce-memory[mcp]'") from error
    settings = common.settings()
    destination = Destination.LOCAL if local or settings.local else Destination.REMOTE
    face = Face(actor="mcp", audience=audience, destination=destination, page=PAGE)
    with common.memories(settings, create=True, face=face) as memories:
        return Outcome(None, code=serve_memories(memories, settings.owner, extended=extended))
