"""
Kill a change of the store's key, again and again, and look which keys work. Exactly one may, with every memory behind it.

Each round starts a process that changes the key, from a kept key or a passphrase to a fresh key or another passphrase, and
kills it with SIGKILL at a random moment, or before one of its steps on files. Then every key that was ever kept or could
have been made in that round is tried on the file.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import attrs

from reminisce.adapters.sqlite import KeySource, SQLiteStore, rekey
from reminisce.adapters.sqlite.schema import connect
from reminisce.errors import StoreDamagedError
from reminisce.testing.contents import contents_of
from reminisce.testing.writing import ALICE, remember_many
from tests.support.killing import kill_before

__all__ = ["Campaign", "Way", "campaign", "filled", "fits", "round_of"]

ROOT: Final = Path(__file__).parents[2]

MEMORIES: Final = 1_000
"""Of about a kilobyte each: some hundred pages, so that a kill can hit the writing of them."""

STRETCHING_S: Final = 0.1
"""How long Argon2id takes about: what a secret that is a passphrase adds to a change."""


@attrs.frozen
class Way:
    """A change of key: the secrets before and after it. None: a key that is kept in a file."""

    old: str | None = None
    new: str | None = None
    keep: bool = False


@attrs.define
class Campaign:
    """What was done and what came of it."""

    kills: int = 0
    before: int = 0
    """Kills after which the old key worked."""

    after: int = 0
    """Kills after which the new key worked."""

    finished: int = 0
    """Changes that were done before the kill came."""

    complaints: list[str] = attrs.field(factory=list)
    """What must never be: no key that works, or two; a memory that is missing; something left behind."""


def filled(folder: Path, secret: str | None = None, memories: int = MEMORIES) -> dict[str, Any]:
    """Make a store in *folder*, its log not yet folded in, as a kill leaves it. Tells what it holds."""
    command = [sys.executable, __file__, str(folder), json.dumps({"old": secret}), f"-{memories}"]
    done = subprocess.run(command, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == -signal.SIGKILL
    assert (folder / "memory.db-wal").stat().st_size > 0
    expected = _contents(shutil.copytree(folder, folder.with_name(f"{folder.name} copied")), secret)
    shutil.rmtree(folder.with_name(f"{folder.name} copied"))
    return expected


def fill(folder: Path, secret: str | None, memories: int) -> None:
    """Make a store and be killed while it is open."""
    store = SQLiteStore(folder / "memory.db", KeySource(folder / "keys", secret))
    remember_many(store, ALICE, [{"content": f"words {number} " * 100} for number in range(memories)])
    os.kill(os.getpid(), signal.SIGKILL)


def _contents(folder: Path, secret: str | None) -> dict[str, Any]:
    with closing(SQLiteStore(folder / "memory.db", KeySource(folder / "keys", secret), create=False)) as store:
        return contents_of(store)


def change(folder: Path, way: Way, *, moment: float | None = None, step: int = 0) -> bool:
    """
    Change the key in a process of its own, killed *moment* seconds after it began or before its *step*.

    Returns:
        Whether it was killed before it was done.
    """
    command = [sys.executable, __file__, str(folder), json.dumps(attrs.asdict(way)), str(step)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        if moment is not None:
            time.sleep(moment)
            process.send_signal(signal.SIGKILL)
        done = "done" in process.stdout.read()
    assert process.returncode in (0, -signal.SIGKILL)
    return not done


def fits(folder: Path, salt: bytes, key: bytes) -> bool:
    """Whether the store opens with this key."""
    try:
        connect(folder / "memory.db", salt, key).close()
    except StoreDamagedError:
        return False
    return True


def look(folder: Path, way: Way, was: bytes) -> tuple[set[str], list[str]]:
    """
    Which of the keys work, and what is wrong.

    Args:
        was: The key before the change.
    """
    salt = (folder / "memory.db").read_bytes()[:16]
    kept = {bytes.fromhex(path.read_text()): path.stem for path in (folder / "keys").glob("*.key")}
    working = {"old"} if fits(folder, salt, was) else set()
    if way.new is not None:
        working |= {"new"} if fits(folder, salt, KeySource(folder / "keys", way.new).find(salt)) else set()
    working |= {"new" for key, name in kept.items() if key != was and fits(folder, salt, key) and name == salt.hex()}
    complaints = [] if len(working) == 1 else [f"{len(working)} keys work"]
    others = [key for key, name in kept.items() if name != salt.hex() and key != was and fits(folder, salt, key)]
    if others:
        complaints.append("a key works that is kept under another name")
    return working, complaints


def round_of(folder: Path, way: Way, expected: dict[str, Any], done: Campaign, **kill: Any) -> str | None:
    """One change that is killed and looked at. Returns the secret that opens the store now."""
    salt = (folder / "memory.db").read_bytes()[:16]
    was = KeySource(folder / "keys", way.old).find(salt)
    killed = change(folder, way, **kill)
    working, complaints = look(folder, way, was)
    done.kills += killed
    done.finished += not killed
    done.before += killed and working == {"old"}
    done.after += killed and working == {"new"}
    secret = way.old if working == {"old"} else way.new
    # Opening it is what tidies up.
    if _contents(folder, secret) != expected:
        complaints.append("what the store holds has changed")
    kept = {bytes.fromhex(path.read_text()) for path in (folder / "keys").glob("*.key")}
    # A fresh key that was not finished goes when the change is made anew.
    names = {path.name for path in folder.rglob("*") if path.suffix not in (".key", ".reminisce-unfinished")}
    if names | {"keys"} != {"keys", "memory.db", "memory.db.lock"}:
        complaints.append(f"left behind: {sorted(names)}")
    if working == {"new"} and (was in kept) != (way.keep and way.old is None):
        complaints.append("the old key is still kept, or is not though it was to stay")
    if not killed and len(kept) > (way.new is None) + way.keep:
        complaints.append("more keys are kept than are used")
    done.complaints += complaints
    return secret


def campaign(folder: Path, *, kills: int, seed: int, memories: int = MEMORIES) -> Campaign:
    """
    Change the key of one store over and over, killing each change at a random moment, until *kills* were in time.

    Args:
        seed: Which moments and which ways. What a moment hits still differs from run to run.
    """
    chance, done = random.Random(seed), Campaign()  # noqa: S311 (moments, not secrets)
    expected = filled(folder, memories=memories)
    began = time.monotonic()
    rekey(folder / "memory.db", KeySource(folder / "keys"), KeySource(folder / "keys"))
    usual = time.monotonic() - began
    secret: str | None = None
    while done.kills < kills:
        number = done.kills + done.finished
        key, passphrase = f"{chance.getrandbits(256):064x}", f"passphrase number {number}"
        new = chance.choice([None, None, None, key, key, passphrase])
        stretched = sum((given or "").startswith("passphrase") for given in (secret, new))
        latest = 1.2 * usual + STRETCHING_S * stretched
        secret = round_of(folder, Way(secret, new), expected, done, moment=latest * chance.random())
        if done.complaints:
            break
    return done


def main(folder: Path, way: Way, step: int) -> None:
    old, new = KeySource(folder / "keys", way.old), KeySource(folder / "keys", way.new)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    kill_before(step, folder)
    rekey(folder / "memory.db", old, new, keep_old=way.keep)
    sys.stdout.write("done\n")
    sys.stdout.flush()


if __name__ == "__main__":
    place, told, count = Path(sys.argv[1]), Way(**json.loads(sys.argv[2])), int(sys.argv[3])
    if count < 0:
        fill(place, told.old, -count)
    else:
        main(place, told, count)
