"""The store's key changed: at every instant exactly one key works. `bench/rekey.py` kills it hundreds of times."""

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from reminisce.adapters.sqlite import KeySource, SQLiteStore, rekey
from reminisce.adapters.sqlite import rekeying as module
from reminisce.adapters.sqlite.schema import FORMAT, connect
from reminisce.errors import (
    ConfigurationError,
    KeyMissingError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreMissingError,
    StoreTooNewError,
    StoreUnavailableError,
    StoreUnreadableError,
)
from reminisce.testing.contents import contents_of
from tests.support.rekeying import Campaign, Way, campaign, filled, fits, round_of

FIRST, SECOND = "first passphrase of all", "another passphrase then"
GIVEN, OTHER = "0F" * 32, "F0" * 32

WAYS = {
    "kept to kept": Way(),
    "kept to kept, the old one staying": Way(keep=True),
    "kept to given": Way(None, GIVEN),
    "given to given": Way(GIVEN, OTHER),
    "given to kept": Way(GIVEN, None),
}
"""Given keys take no stretching, so that there is time to be killed at every step."""

PASSPHRASES = {
    "kept to passphrase": Way(None, FIRST),
    "passphrase to passphrase": Way(FIRST, SECOND),
    "passphrase to kept": Way(FIRST, None),
    "passphrase to given": Way(FIRST, GIVEN),
}

Made = dict[str | None, tuple[Path, dict[str, Any]]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Stores by secret, their logs not folded in, and what they hold."""
    stores: Made = {}
    for secret in (None, FIRST, GIVEN):
        folder = tmp_path_factory.mktemp("made")
        stores[secret] = folder, filled(folder, secret, memories=40)
    return stores


@pytest.fixture
def folder(made: Made, tmp_path: Path) -> Path:
    """A store under a kept key."""
    return shutil.copytree(made[None][0], tmp_path / "store")


def source(folder: Path, secret: str | None = None) -> KeySource:
    return KeySource(folder / "keys", secret)


def contents(folder: Path, secret: str | None = None) -> dict[str, Any]:
    with closing(SQLiteStore(folder / "memory.db", source(folder, secret), create=False)) as store:
        return contents_of(store)


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def salt_of(folder: Path) -> bytes:
    return (folder / "memory.db").read_bytes()[:16]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_change_killed_before_any_step_leaves_one_key_that_works_and_can_be_made_anew(
    made: Made, tmp_path: Path, way: Way
) -> None:
    step, done = 0, Campaign()
    while not done.finished:
        step += 1
        folder = shutil.copytree(made[way.old][0], tmp_path / str(step))

        secret = round_of(folder, way, made[way.old][1], done, step=step)
        rekey(folder / "memory.db", source(folder, secret), source(folder))

        assert done.complaints == []
        assert contents(folder) == made[way.old][1]
        assert {path.suffix for path in (folder / "keys").iterdir()} == {".key"}
        assert way.keep or [path.stem for path in (folder / "keys").iterdir()] == [salt_of(folder).hex()]
    assert done.before > 8
    assert done.after > 0


def test_kills_at_random_moments_leave_one_key_that_works(tmp_path: Path) -> None:
    done = campaign(tmp_path / "store", kills=6, seed=6, memories=300)

    assert done.complaints == []
    assert done.kills == 6


@pytest.mark.parametrize("way", [*WAYS.values(), *PASSPHRASES.values()], ids=[*WAYS, *PASSPHRASES])
def test_the_old_key_fails_clearly_afterwards(made: Made, tmp_path: Path, way: Way) -> None:
    folder = shutil.copytree(made[way.old][0], tmp_path / "store")
    was = source(folder, way.old).find(salt_of(folder))

    rekey(folder / "memory.db", source(folder, way.old), source(folder, way.new), keep_old=way.keep)

    assert not fits(folder, salt_of(folder), was)
    assert contents(folder, way.new) == made[way.old][1]
    if way.old is not None:
        with pytest.raises(StoreDamagedError):
            contents(folder, way.old)
    if way.new is not None:
        with pytest.raises(KeyMissingError):
            contents(folder)


def test_the_old_key_stays_when_it_is_to(folder: Path, made: Made, tmp_path: Path) -> None:
    copied = shutil.copytree(folder, tmp_path / "copied")

    rekey(folder / "memory.db", source(folder), source(folder), keep_old=True)

    with closing(SQLiteStore(copied / "memory.db", source(folder), create=False)) as store:
        assert contents_of(store) == made[None][1]


def test_no_page_is_as_it_was(folder: Path) -> None:
    with closing(SQLiteStore(folder / "memory.db", source(folder))):
        pass
    before = (folder / "memory.db").read_bytes()

    rekey(folder / "memory.db", source(folder), source(folder))

    after = (folder / "memory.db").read_bytes()
    chunks = {before[start : start + 64] for start in range(64, len(before), 64)}
    assert not [start for start in range(64, len(after), 64) if after[start : start + 64] in chunks]


def test_what_a_file_may_be_read_by_stays(folder: Path) -> None:
    (folder / "memory.db").chmod(0o640)

    rekey(folder / "memory.db", source(folder), source(folder))

    assert (folder / "memory.db").stat().st_mode & 0o777 == 0o640


def test_a_store_in_a_folder_with_signs_of_uris_can_be_rekeyed(made: Made, tmp_path: Path) -> None:
    folder = shutil.copytree(made[None][0], tmp_path / "a b?c#d&e=%20 й")

    rekey(folder / "memory.db", source(folder), source(folder))

    assert contents(folder) == made[None][1]
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_a_link_to_a_store_stays_a_link(folder: Path, made: Made, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(folder / "memory.db")

    rekey(tmp_path / "link.db", source(folder), source(folder))

    assert (tmp_path / "link.db").is_symlink()
    assert contents(folder) == made[None][1]


@pytest.mark.parametrize("elsewhere", ["this process", "a view of this process"])
def test_a_store_that_is_open_keeps_its_key(
    folder: Path, made: Made, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reminisce.adapters.sqlite.replacing._ALONE_S", 0.0)
    with closing(SQLiteStore(folder / "memory.db", source(folder))) as store:
        with pytest.raises(StoreUnavailableError):
            rekey(folder / "memory.db", source(folder), source(folder))

        assert contents_of(store) == made[None][1]
    assert contents(folder) == made[None][1]


def test_a_file_that_is_being_rekeyed_is_opened_by_nobody(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reminisce.adapters.sqlite.locks.WAIT_S", 0.0)
    met: list[Exception] = []

    def opening(*_: Any) -> None:
        try:
            SQLiteStore(folder / "memory.db", source(folder))
        except StoreError as error:
            met.append(error)

    monkeypatch.setattr(module, "_read_back", opening)

    rekey(folder / "memory.db", source(folder), source(folder))

    assert [type(error) for error in met] == [StoreUnavailableError]


def broken(folder: Path) -> None:
    data = bytearray((folder / "memory.db").read_bytes())
    data[3 * 4096 + 100] ^= 1
    (folder / "memory.db").write_bytes(data)


def newer(folder: Path) -> None:
    key = next((folder / "keys").iterdir())
    with closing(connect(folder / "memory.db", bytes.fromhex(key.stem), bytes.fromhex(key.read_text()))) as connection:
        connection.pragma("user_version", FORMAT + 1)


def keyless(folder: Path) -> None:
    next((folder / "keys").iterdir()).unlink()


def foreign(folder: Path) -> None:
    next((folder / "keys").iterdir()).write_text("ab" * 32)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (broken, StoreDamagedError),
        (newer, StoreTooNewError),
        (keyless, KeyMissingError),
        (foreign, StoreDamagedError),
        (lambda folder: (folder / "memory.db").unlink(), StoreMissingError),
        (lambda folder: (folder / "memory.db").write_bytes(b"SQLite format 3\0" * 300), StoreUnreadableError),
    ],
    ids=["a flipped byte", "newer", "no key", "another key", "no store", "plain SQLite"],
)
def test_a_store_that_cannot_be_read_is_told_by_name_and_left_as_it_is(
    folder: Path, wrong: Any, error: type[StoreError]
) -> None:
    with closing(SQLiteStore(folder / "memory.db", source(folder))):
        pass
    wrong(folder)
    before = files(folder)

    with pytest.raises(StoreError) as refused:
        rekey(folder / "memory.db", source(folder), source(folder, FIRST))

    assert type(refused.value) is error
    assert files(folder) == before


@pytest.mark.parametrize("secret", ["short", "\ud800" * 12])
def test_a_new_secret_that_will_not_do_is_refused_before_anything_is_done(folder: Path, secret: str) -> None:
    before = files(folder)

    with pytest.raises(ConfigurationError):
        rekey(folder / "memory.db", source(folder), source(folder, secret))

    assert files(folder) == before


def test_where_there_is_no_room_the_old_key_goes_on_working(
    folder: Path, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, *_: Any) -> None:
        assert path.exists()
        raise StoreFullError

    monkeypatch.setattr(module, "_read_back", full)

    with pytest.raises(StoreFullError):
        rekey(folder / "memory.db", source(folder), source(folder, FIRST))

    assert contents(folder) == made[None][1]
    assert sorted(path.name for path in folder.iterdir()) == ["keys", "memory.db", "memory.db.lock"]


def test_a_file_that_does_not_read_back_replaces_nothing(
    folder: Path, made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = module._read_back

    def damaged(path: Path, salt: bytes, key: bytes) -> None:
        data = bytearray(path.read_bytes())
        data[-100] ^= 1
        path.write_bytes(data)
        whole(path, salt, key)

    monkeypatch.setattr(module, "_read_back", damaged)

    with pytest.raises(StoreError):
        rekey(folder / "memory.db", source(folder), source(folder))

    assert contents(folder) == made[None][1]


def test_another_store_of_the_name_does_not_take_up_the_key_of_a_change_that_was_killed(folder: Path) -> None:
    """The first was killed just after it was replaced, and moved away."""
    was = salt_of(folder)
    rekey(folder / "memory.db", source(folder), source(folder))
    lock = salt_of(folder) + was
    (folder / "memory.db").rename(folder / "moved.db")
    (folder / "memory.db.lock").write_bytes(lock)

    SQLiteStore(folder / "memory.db", source(folder)).close()

    assert salt_of(folder) not in (lock[:16], lock[16:])
