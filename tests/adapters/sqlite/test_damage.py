"""A store that cannot be read is refused by the right name, and neither it nor its keys are ever touched."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import apsw
import pytest

from reminisce import (
    KeyMissingError,
    StoreDamagedError,
    StoreError,
    StoreMissingError,
    StoreTooNewError,
    StoreUnreadableError,
)
from reminisce.adapters.sqlite import KeySource, SQLiteStore
from reminisce.adapters.sqlite.places import PAGE
from reminisce.adapters.sqlite.schema import FORMAT, connect
from reminisce.testing.contents import contents_of
from reminisce.testing.writing import ALICE, forget, remember_many
from tests.support.stores import sqlite_in

WORDS: Final = [
    {"content": f"words {number} " * 20, "sources": [f"s{number % 9}"], "subjects": ["p"], "request_key": f"r{number}"}
    for number in range(150)
]


@pytest.fixture(scope="module")
def _made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("made")
    with closing(sqlite_in(folder)) as store:
        keys = [line.key for line in remember_many(store, ALICE, WORDS)]
        forget(store, ALICE, *keys[:20], reason="old")
        held = contents_of(store)
    return folder, held


@pytest.fixture
def folder(_made: tuple[Path, dict[str, Any]], tmp_path: Path) -> Path:
    """A store's folder, closed and whole."""
    return shutil.copytree(_made[0], tmp_path / "store")


@pytest.fixture
def held(_made: tuple[Path, dict[str, Any]]) -> dict[str, Any]:
    """What the store of `folder` holds."""
    return _made[1]


def _files(folder: Path) -> dict[str, bytes | None]:
    # The lock file is made before anything is looked at, and holds nothing.
    found = (path for path in sorted(folder.rglob("*")) if path.suffix != ".lock")
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in found}


def _flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


def _key(folder: Path) -> Path:
    return next((folder / "keys").glob("*.key"))


def _opened_by_hand(folder: Path) -> apsw.Connection:
    salt = bytes.fromhex(_key(folder).stem)
    return connect(folder / "memory.db", salt, bytes.fromhex(_key(folder).read_text()))


def _pragma(name: str, value: int) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        with closing(_opened_by_hand(folder)) as connection:
            connection.pragma(name, value)

    return damage


def _cut(size: Callable[[int], int]) -> Callable[[Path], None]:
    def damage(folder: Path) -> None:
        data = (folder / "memory.db").read_bytes()
        (folder / "memory.db").write_bytes(data[: size(len(data))])

    return damage


def _replaced(data: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / "memory.db").write_bytes(data)


def _plain_sqlite(folder: Path) -> None:
    (folder / "memory.db").unlink()
    with closing(sqlite3.connect(folder / "memory.db")) as connection:
        connection.execute("CREATE TABLE memories (content TEXT)")
        connection.commit()


def _log_without_store(folder: Path) -> None:
    (folder / "memory.db").rename(folder / "memory.db-wal")


def _directory(folder: Path) -> None:
    (folder / "memory.db").unlink()
    (folder / "memory.db").mkdir()


def _dangling(folder: Path) -> None:
    (folder / "memory.db").unlink()
    (folder / "memory.db").symlink_to(folder / "elsewhere.db")


def _loop(folder: Path) -> None:
    (folder / "memory.db").unlink()
    (folder / "memory.db").symlink_to(folder / "memory.db")


REFUSED: Final[dict[str, tuple[Callable[[Path], object], type[StoreError]]]] = {
    "key missing": (lambda folder: _key(folder).unlink(), KeyMissingError),
    "folder of keys missing": (lambda folder: shutil.rmtree(folder / "keys"), KeyMissingError),
    "another key": (lambda folder: _key(folder).write_text("ab" * 32), StoreDamagedError),
    "key file empty": (lambda folder: _key(folder).write_text(""), StoreUnreadableError),
    "key file cut": (lambda folder: _key(folder).write_text("ab" * 31), StoreUnreadableError),
    "key file no key": (lambda folder: _key(folder).write_bytes(b"\xff" * 64), StoreUnreadableError),
    "salt flipped": (lambda folder: _flip(folder / "memory.db", 3), KeyMissingError),
    "first page flipped in the clear": (lambda folder: _flip(folder / "memory.db", 17), StoreDamagedError),
    "first page flipped": (lambda folder: _flip(folder / "memory.db", 1_000), StoreDamagedError),
    "first page's end flipped": (lambda folder: _flip(folder / "memory.db", PAGE - 1), StoreDamagedError),
    "cut to half its pages": (_cut(lambda size: size // 2 // PAGE * PAGE), StoreDamagedError),
    "cut by a byte": (_cut(lambda size: size - 1), StoreDamagedError),
    "cut by a page": (_cut(lambda size: size - PAGE), StoreDamagedError),
    "cut to one page": (_cut(lambda _: PAGE), StoreDamagedError),
    "cut to less than a page": (_cut(lambda _: PAGE - 1), StoreDamagedError),
    "cut to its salt": (_cut(lambda _: 16), StoreDamagedError),
    "cut to nothing": (_cut(lambda _: 0), StoreDamagedError),
    "log without a store": (_log_without_store, StoreDamagedError),
    "newer format": (_pragma("user_version", FORMAT + 1), StoreTooNewError),
    "another program's": (_pragma("application_id", 1), StoreUnreadableError),
    "plain SQLite": (_plain_sqlite, StoreUnreadableError),
    "text": (_replaced(b"Dear diary, today I was not a database. " * 1_000), StoreUnreadableError),
    "a line of text": (_replaced(b"Dear diary, today I was not a database.\n"), StoreUnreadableError),
    "zeros": (_replaced(bytes(10 * PAGE)), StoreUnreadableError),
    "directory": (_directory, StoreUnreadableError),
    "dangling link": (_dangling, StoreUnreadableError),
    "link to itself": (_loop, StoreUnreadableError),
}


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize(("damage", "error"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_read_is_refused_by_name_and_left_as_it_is(
    folder: Path, damage: Callable[[Path], object], error: type[StoreError], create: bool
) -> None:
    damage(folder)
    before = _files(folder)

    with pytest.raises(StoreError) as refused:
        SQLiteStore(folder / "memory.db", KeySource(folder / "keys"), create=create)

    assert type(refused.value) is error
    assert _files(folder) == before


@pytest.mark.parametrize("secret", ["cd" * 32, "a passphrase nobody chose"], ids=["key", "passphrase"])
def test_a_wrong_secret_is_refused_and_the_store_opens_with_the_right_key(
    folder: Path, held: dict[str, Any], secret: str
) -> None:
    before = _files(folder)

    with pytest.raises(StoreDamagedError):
        SQLiteStore(folder / "memory.db", KeySource(folder / "keys", secret))

    assert _files(folder) == before
    with closing(sqlite_in(folder)) as store:
        assert contents_of(store) == held


def _pages(folder: Path) -> Iterator[int]:
    count = (folder / "memory.db").stat().st_size // PAGE
    assert count > 30
    yield from range(1, count, max(1, count // 24))
    yield count - 1


def test_a_flipped_byte_in_any_live_page_is_damage_or_is_not_read(folder: Path, held: dict[str, Any]) -> None:
    """Never plaintext that differs: what is read is authenticated page by page."""
    whole, found = (folder / "memory.db").read_bytes(), 0
    for number, page in enumerate(_pages(folder)):
        (folder / "memory.db").write_bytes(whole)
        _flip(folder / "memory.db", page * PAGE + (0, 100, 2_000, PAGE - 1)[number % 4])
        before = _files(folder)
        try:
            with closing(sqlite_in(folder)) as store:
                assert store.check(deep=True) != []
                assert contents_of(store) == held
        except StoreDamagedError:
            found += 1
        assert _files(folder) == before
    assert found > number // 2


def test_a_damaged_page_does_not_stop_what_is_elsewhere_from_being_read(folder: Path) -> None:
    with closing(_opened_by_hand(folder)) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'history'").get
    _flip(folder / "memory.db", (root - 1) * PAGE + 50)

    with closing(sqlite_in(folder)) as store:
        for _ in range(3):
            with store.view() as view:
                assert view.head(ALICE).revision == 2
            with pytest.raises(StoreDamagedError):
                contents_of(store)


def test_nothing_is_made_where_nothing_may_be(tmp_path: Path) -> None:
    with pytest.raises(StoreMissingError):
        SQLiteStore(tmp_path / "new" / "memory.db", KeySource(tmp_path / "keys"), create=False)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("create", [True, False])
def test_a_path_through_a_file_is_unreadable(tmp_path: Path, create: bool) -> None:
    (tmp_path / "file").write_text("not a folder")

    with pytest.raises(StoreUnreadableError):
        SQLiteStore(tmp_path / "file" / "memory.db", KeySource(tmp_path / "keys"), create=create)

    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_key_that_cannot_be_kept_makes_no_store(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")

    with pytest.raises(StoreUnreadableError):
        SQLiteStore(tmp_path / "memory.db", KeySource(tmp_path / "file" / "keys"))

    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "memory.db.lock"]


def test_no_word_of_a_memory_is_in_the_files(folder: Path) -> None:
    assert not [name for name, data in _files(folder).items() if data and b"words" in data]
