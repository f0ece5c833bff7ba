"""Verbs on the store, and those that start something else."""

from typing import Final

from reminisce.app.cli.options import COMMON, Common
from reminisce.app.cli.outcome import Health, Made, Outcome
from reminisce.app.config import KEYRING, Settings
from reminisce.app.service.core import Face
from reminisce.domain.values import Destination
from reminisce.errors import ConfigurationError, StoreError, StoreMissingError, StoreUnavailableError

__all__ = ["demo", "doctor", "init", "mcp", "stats"]

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
