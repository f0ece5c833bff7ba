"""The verb that opens an editor on a memory."""

import os
import shlex
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from reminisce.app.cli.options import COMMON, Common
from reminisce.app.cli.outcome import Outcome, Unedited
from reminisce.app.cli.streams import content_of
from reminisce.errors import ConfigurationError, InvalidError

__all__ = ["edit"]

PATIENCE_S: Final = 2
"""How long an editor may take to end when this command is told to. Editors restore the terminal in that time."""


def _editor() -> list[str]:
    named = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "")
    try:
        words = shlex.split(named)
    except ValueError:
        raise ConfigurationError("editor", "VISUAL or EDITOR holds a quote that is not closed") from None
    if not words:
        raise ConfigurationError("editor", "needs VISUAL or EDITOR in the environment to name one")
    return words


def _folder() -> "tempfile.TemporaryDirectory[str]":
    """A folder that only the user can enter, in memory where the system has such a place, so that no word reaches a disk."""
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    try:
        if runtime.is_absolute() and runtime.is_dir() and os.access(runtime, os.W_OK | os.X_OK):
            return tempfile.TemporaryDirectory(prefix="reminisce-", dir=runtime)
        return tempfile.TemporaryDirectory(prefix="reminisce-")
    except OSError as error:
        raise ConfigurationError("editor", f"no folder can be made for its file: {type(error).__name__}") from error


def _end(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _pass(_number: int, _frame: FrameType | None) -> None:
    """Nothing: the terminal sends an interrupt to the editor, too, which knows what to do with it."""


@contextmanager
def _orderly_end() -> Iterator[None]:
    """Let nothing but a kill end this process before the file is removed."""
    with ExitStack() as kept:
        if threading.current_thread() is threading.main_thread():
            for number, handler in ((signal.SIGINT, _pass), (signal.SIGTERM, _end), (signal.SIGHUP, _end)):
                if signal.getsignal(number) is not signal.SIG_IGN:
                    kept.callback(signal.signal, number, signal.signal(number, handler))
        yield


def _run(editor: list[str], path: Path) -> int:
    """The editor's exit code."""
    try:
        process = subprocess.Popen([*editor, str(path)])  # noqa: S603 (the user's own editor)
    except OSError as error:
        raise ConfigurationError("editor", f"VISUAL or EDITOR cannot be run: {type(error).__name__}") from error
    with process:
        try:
            return process.wait()
        except BaseException:
            process.terminate()
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
            raise


def _edited(editor: list[str], text: str) -> str | None:
    """*text* as the user left it; None when the editor failed."""
    with _orderly_end(), _folder() as folder:
        # Editors keep their backups and swap files beside the file: the folder takes all of them away.
        path = Path(folder) / "memory.txt"
        path.touch(0o600)
        path.write_bytes(text.encode())
        if _run(editor, path) != 0:
            return None
        try:
            with path.open("rb") as file:
                return content_of(file, ended=not text.endswith("\n"))
        except OSError as error:
            raise InvalidError.of("content", "unreadable", "the editor left no file that can be read") from error


def edit(key: str, *, common: Common = COMMON) -> Outcome:
    """
    Correct a memory's text in an editor, $VISUAL or $EDITOR.

    Args:
        key: Of the memory, which must be active.
    """
    editor = _editor()
    # The store is not kept open for as long as a person thinks.
    with common.mine() as owner:
        before = owner.why(key).memory.content
    text = _edited(editor, before)
    if text is None:
        return Outcome(Unedited(key, "editor_failed"), common.json, code=1)
    if text == before:
        return Outcome(Unedited(key, "unchanged"), common.json)
    with common.mine() as owner:
        return Outcome(owner.correct(key, content=text), common.json)
