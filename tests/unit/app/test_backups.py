"""Backups, restores, sealed files and copies: what goes wrong, and what is left then."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reminisce import (
    BackupDamagedError,
    BackupTooNewError,
    BackupUnknownError,
    ConfigurationError,
    ConflictError,
    InvalidError,
    Keyring,
    Memories,
    OwnersThereError,
    SealBrokenError,
    SealCutError,
    SealUnknownError,
    StoreError,
    StoreFullError,
    StoreHalfRestoredError,
)
from reminisce.adapters.disk import LocalFiles
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.app.service import bringing
from reminisce.domain.changes import Commit, DestroyKey, PutSubjectKey
from reminisce.ports.store import View
from reminisce.testing.fakes import CountingIdentifiers, FixedClock, PlainAnalyser
from reminisce.testing.writing import ALICE, BOB, remember
from tests.support.backing_up import Drawer, keyring_of, memories

PASSPHRASE = "correct horse battery staple"


class Stopping(InMemoryStore):
    """A store that fails at the commit of a number, until that is taken back; and tells how many it did."""

    stops_at = 0
    done = 0

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        if self.done + 1 == self.stops_at:
            raise StoreFullError
        super().commit(commit, within=within)
        self.done += 1


class Racing(InMemoryStore):
    """A store in which somebody else is first when a key is made."""

    rival: Callable[[], object] | None = None

    def commit(self, commit: Commit, /, *, within: View | None = None) -> None:
        if self.rival is not None and any(isinstance(change, PutSubjectKey) for change in commit.changes):
            first, self.rival = self.rival, None
            first()
        super().commit(commit, within=within)


@pytest.fixture
def files() -> Drawer:
    return Drawer()


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore("0" * 32)


@pytest.fixture
def service(store: InMemoryStore, files: Drawer) -> Memories:
    service = memories(store, files)
    for owner in (ALICE, BOB):
        for number in range(5):
            service.owner(owner).remember(f"line {number}", key=f"k{number}", subjects=["pat"] if number % 2 else [])
        service.owner(owner).contradict("k0", "k1", reason="no")
    service.consent("sam", ["team"])
    return service


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bringing, "LINES", 3)


def target(files: Drawer, name: str = "1") -> tuple[Stopping, Memories]:
    store = Stopping(name * 32)
    return store, memories(store, files, first=1_000)


def untouched(store: InMemoryStore) -> bool:
    with store.view() as view:
        return not list(view.owners()) and not list(view.all_subjects()) and view.keyring() == ([], [])


def test_a_store_without_tools_has_no_backups(store: InMemoryStore) -> None:
    bare = Memories(store, analyser=PlainAnalyser(), clock=FixedClock(), identifiers=CountingIdentifiers())

    with pytest.raises(ConfigurationError) as caught:
        bare.backup("first")

    assert caught.value.fields == ("backup",)


@pytest.mark.parametrize("path", ["", 7, "a\0b", None])
def test_what_is_no_path_is_refused(service: Memories, path: str) -> None:
    for operation in (service.backup, service.restore):
        with pytest.raises(InvalidError) as caught:
            operation(path)

        assert caught.value.fields == ("path",)


def test_a_backup_replaces_nothing_unless_it_is_told_to(service: Memories, tmp_path: Path) -> None:
    service = memories(service._store, LocalFiles(), first=5_000)
    path = tmp_path / "new" / "folder" / "first"
    service.backup(path)
    before = path.read_bytes()
    service.owner(ALICE).remember("more")

    with pytest.raises(InvalidError) as caught:
        service.backup(path)
    unchanged = path.read_bytes()
    service.backup(path, replace=True)

    assert caught.value.problems[0].code == "taken"
    assert unchanged == before != path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [found.name for found in path.parent.iterdir()] == ["first"]


def test_a_backup_that_fails_leaves_no_file(service: Memories, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    service = memories(service._store, LocalFiles(), first=5_000)

    def broken(*_: object) -> Iterator[object]:
        raise StoreError("out of order")

    monkeypatch.setattr("reminisce.domain.state.State.all_links", broken)

    with pytest.raises(StoreError):
        service.backup(tmp_path / "first")

    assert list(tmp_path.iterdir()) == []


def test_a_second_backup_makes_no_key_and_is_the_same(service: Memories, store: InMemoryStore, files: Drawer) -> None:
    first = service.backup("first")
    keys = keyring_of(store)

    second = service.backup("second")

    assert files.files["first"] == files.files["second"]
    assert (first.keyring, second.keyring) == (1, 1)
    assert keyring_of(store) == keys
    assert len(keys.keys) == 1


def test_of_two_backups_at_once_one_makes_the_keys_and_both_use_them(files: Drawer) -> None:
    store = Racing("0" * 32)
    one, other = memories(store, files), memories(store, files, first=1_000)
    one.owner(ALICE).remember("tea", subjects=["pat", "sam"])
    store.rival = lambda: other.backup("second")

    one.backup("first")

    assert files.files["first"] == files.files["second"]
    assert len(keyring_of(store).keys) == 2


def test_a_withdrawal_between_looking_and_making_a_key_wins(files: Drawer) -> None:
    store = Racing("0" * 32)
    one, other = memories(store, files), memories(store, files, first=1_000)
    one.owner(ALICE).remember("saffron", subjects=["pat"])
    store.rival = lambda: other.withdraw("pat")

    told = one.backup("first")

    assert told.sealed == 0
    assert b"saffron" not in files.files["first"]
    assert keyring_of(store).keys == {}


def test_a_subject_that_is_opened_again_is_sealed_under_another_key(service: Memories, store: InMemoryStore) -> None:
    service.backup("first")
    before = keyring_of(store)
    service.withdraw("pat")
    service.consent("pat", [])
    service.owner(ALICE).remember("anew", subjects=["pat"])

    service.backup("second")

    after = keyring_of(store)
    assert after.destroyed == set(before.keys)
    assert len(after.keys) == 1
    assert not set(after.keys) & set(before.keys)


def test_a_withdrawal_on_its_way_keeps_its_words_out_of_a_backup(
    service: Memories, store: InMemoryStore, files: Drawer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reminisce.app.service.withdrawing.Withdrawing._batches", lambda *_: iter(()))
    monkeypatch.setattr("reminisce.app.service.withdrawing.plan_close", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        service.withdraw("pat")
    monkeypatch.undo()

    told = service.backup("first")

    assert told.sealed == 0
    assert b"line 1" not in files.files["first"]
    assert b"line 2" in files.files["first"]
    _, there = target(files)
    there.restore("first", keyring=keyring_of(store))
    assert there.withdraw("pat").memories == 0
    assert [hit.memory.key for hit in there.owner(ALICE).recent()] == ["k0", "k2", "k4"]


def test_a_store_that_has_an_owner_is_restored_into_by_nobody(service: Memories, files: Drawer) -> None:
    service.backup("first")
    _, there = target(files)
    there.owner(BOB).remember("here before")

    with pytest.raises(OwnersThereError):
        there.restore("first")

    assert there.owners() == (BOB,)


def test_a_store_that_has_a_subject_is_restored_into_by_nobody(service: Memories, files: Drawer) -> None:
    service.backup("first")
    _, there = target(files)
    there.withdraw("sam")

    with pytest.raises(OwnersThereError):
        there.restore("first")

    assert there.owners() == ()


def test_a_store_of_others_takes_a_backup_beside_them(service: Memories, store: InMemoryStore, files: Drawer) -> None:
    service.backup("first")
    _, there = target(files)
    there.owner("agent:carol").remember("here before", subjects=["kim"])
    there.backup("before")

    there.restore("first", keyring=keyring_of(store))

    assert there.owners() == (ALICE, BOB, "agent:carol")
    assert there.owner("agent:carol").recall("before").hits
    assert there.owner(BOB).recall("line 3").hits[0].memory.key == "k3"
    assert there.backup("after").keyring == 2


def test_another_key_under_the_same_id_is_noticed_before_anything_is_written(
    service: Memories, store: InMemoryStore, files: Drawer
) -> None:
    service.backup("first")
    keyring = keyring_of(store)
    wrong = Keyring(store=keyring.store, keys=dict.fromkeys(keyring.keys, bytes(32)))
    other, there = target(files)

    with pytest.raises(SealBrokenError):
        there.restore("first", keyring=wrong)

    assert untouched(other)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda _: b"", BackupUnknownError),
        (lambda _: b"\x89PNG" * 4000, BackupUnknownError),
        (lambda _: b'{"is":"something"}\n', BackupUnknownError),
        (lambda data: data.replace(b'"format":1', b'"format":2', 1), BackupTooNewError),
        (lambda data: data[:-1], BackupDamagedError),
        (lambda data: data + b"\n", BackupDamagedError),
        (lambda data: data + data, BackupDamagedError),
        (lambda data: data.replace(b"line 2", b"line 9", 1), BackupDamagedError),
        (lambda data: data.replace(b'"is":"owner",', b'"is":"owner", ', 1), BackupDamagedError),
        (lambda data: data.replace(b"line", b"\\u006cine", 1), BackupDamagedError),
    ],
    ids=["empty", "binary", "other", "newer", "cut", "longer", "doubled", "word", "spaced", "escaped"],
)
def test_what_is_not_the_file_is_refused_whole(
    service: Memories, files: Drawer, change: object, error: type[Exception]
) -> None:
    service.backup("first")
    files.files["changed"] = change(files.files["first"])  # type: ignore[operator]
    store, there = target(files)

    with pytest.raises(error):
        there.restore("changed")

    assert untouched(store)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("with_keyring", [True, False])
def test_a_restore_that_was_stopped_anywhere_goes_on_and_ends_the_same(
    service: Memories, store: InMemoryStore, files: Drawer, with_keyring: bool
) -> None:
    service.backup("first")
    service.withdraw("sam")
    keyring = keyring_of(store) if with_keyring else None
    through, there = target(files)
    expected = there.restore("first", keyring=keyring)
    commits = through.done
    there.backup("expected")

    for stop in range(1, commits + 1):
        stopped, again = target(files, f"{stop % 10}")
        stopped.stops_at = stop
        with pytest.raises(StoreFullError):
            again.restore("first", keyring=keyring)
        stopped.stops_at = 0
        if stop > 1:
            with pytest.raises(StoreHalfRestoredError):
                again.owner(ALICE).remember("in between")
            with pytest.raises(StoreHalfRestoredError):
                again.owner(ALICE).recall("line")
            with pytest.raises(StoreHalfRestoredError):
                again.backup("no")
        assert again.restore("first", keyring=keyring) == expected
        told = again.backup(f"again {stop}")
        assert told.memories == expected.memories
        if with_keyring:
            assert files.files[f"again {stop}"] == files.files["expected"]
        assert [hit.memory.key for hit in again.owner(BOB).recent()] == [
            hit.memory.key for hit in there.owner(BOB).recent()
        ]


@pytest.mark.usefixtures("small")
def test_a_half_restored_store_takes_no_other_backup(service: Memories, files: Drawer) -> None:
    service.backup("first")
    service.owner(ALICE).remember("more")
    service.backup("second")
    store, there = target(files)
    store.stops_at = 3
    with pytest.raises(StoreFullError):
        there.restore("first")
    store.stops_at = 0

    with pytest.raises(StoreHalfRestoredError):
        there.restore("second")

    assert there.restore("first").memories == 10


def test_a_write_planned_before_a_restore_began_is_not_done_in_it(service: Memories, files: Drawer) -> None:
    service.backup("first")
    store, there = target(files)
    store.stops_at = 2
    with there._core.store.view():
        with pytest.raises(StoreFullError):
            there.restore("first")
        store.stops_at = 0
        with pytest.raises(ConflictError):
            there._core.store.commit(Commit(id="f" * 32, changes=(DestroyKey("pat"),)))


def test_a_restore_that_was_stopped_before_it_saw_another_writer_gives_way(service: Memories, files: Drawer) -> None:
    service.backup("first")
    store, there = target(files)
    store.stops_at = 2
    with pytest.raises(StoreFullError):
        there.restore("first")
    store.stops_at = 0
    remember(store, BOB, "just before")

    with pytest.raises(OwnersThereError):
        there.restore("first")

    assert [hit.memory.content for hit in there.owner(BOB).recent()] == ["just before"]


def test_what_was_sealed_comes_back_with_its_passphrase_and_keyring(
    service: Memories, store: InMemoryStore, files: Drawer
) -> None:
    told = service.seal("sealed", PASSPHRASE)
    service.backup("first")
    _, there = target(files)

    restored = there.unseal("sealed", PASSPHRASE, keyring=keyring_of(store))
    there.backup("second")

    assert told.notices == ()
    assert restored.redacted == 0
    assert files.files["second"] == files.files["first"]
    assert b"line" not in files.files["sealed"]


def test_sealed_without_keys_it_brings_back_nothing_about_subjects(service: Memories, files: Drawer) -> None:
    service.seal("sealed", PASSPHRASE)
    _, there = target(files)

    assert there.unseal("sealed", PASSPHRASE).missing == ("pat",)


def test_sealed_with_keys_it_escapes_erasure_and_says_so(
    service: Memories, store: InMemoryStore, files: Drawer
) -> None:
    told = service.seal("sealed", PASSPHRASE, with_keys=True)
    before = keyring_of(store)
    service.withdraw("pat")
    store_there, there = target(files)

    restored = there.unseal("sealed", PASSPHRASE)

    assert len(told.notices) == 1
    assert restored.redacted == 0
    assert keyring_of(store_there).keys == before.keys


def test_destroyed_keys_stay_so_also_where_a_sealed_file_has_them(
    service: Memories, store: InMemoryStore, files: Drawer
) -> None:
    service.seal("sealed", PASSPHRASE, with_keys=True)
    service.withdraw("pat")
    _, there = target(files)

    restored = there.unseal("sealed", PASSPHRASE, keyring=keyring_of(store))

    assert restored.withdrawn == ("pat",)
    assert restored.redacted == 4


@pytest.mark.parametrize(
    ("change", "passphrase", "error"),
    [
        (lambda data: data, "another passphrase", SealBrokenError),
        (lambda data: data[:-1], PASSPHRASE, SealCutError),
        (lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:], PASSPHRASE, SealBrokenError),
        (lambda _: b"something else", PASSPHRASE, SealUnknownError),
    ],
    ids=["passphrase", "cut", "changed", "other"],
)
def test_what_does_not_unseal_brings_nothing(
    service: Memories, files: Drawer, change: object, passphrase: str, error: type[Exception]
) -> None:
    service.seal("sealed", PASSPHRASE)
    files.files["changed"] = change(files.files["sealed"])  # type: ignore[operator]
    store, there = target(files)

    with pytest.raises(error):
        there.unseal("changed", passphrase)

    assert untouched(store)


def test_a_short_passphrase_is_refused_before_a_file_is_made(service: Memories, files: Drawer) -> None:
    with pytest.raises(InvalidError) as caught:
        service.seal("sealed", "short")

    assert caught.value.fields == ("passphrase",)
    assert files.files == {}


def test_a_store_is_not_copied_into_itself(service: Memories) -> None:
    with pytest.raises(InvalidError) as caught:
        service.copy(service)

    assert caught.value.fields == ("target",)


@pytest.mark.usefixtures("small")
def test_a_copy_that_was_stopped_goes_on(service: Memories, files: Drawer) -> None:
    store, there = target(files)
    store.stops_at = 5
    with pytest.raises(StoreFullError):
        service.copy(there)
    store.stops_at = 0

    with pytest.raises(StoreHalfRestoredError):
        there.owners()
    copied = service.copy(there)

    assert copied.memories == 10
    assert there.owner(ALICE).recall("line 3").hits[0].memory.key == "k3"


@pytest.mark.usefixtures("small")
def test_a_copy_of_a_source_that_changed_does_not_go_on_where_another_stopped(service: Memories, files: Drawer) -> None:
    store, there = target(files)
    store.stops_at = 5
    with pytest.raises(StoreFullError):
        service.copy(there)
    store.stops_at = 0
    service.owner(ALICE).remember("more")

    with pytest.raises(StoreHalfRestoredError):
        service.copy(there)


def test_a_withdrawal_under_way_is_copied_to_be_finished(
    service: Memories, files: Drawer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reminisce.app.service.withdrawing.Withdrawing._batches", lambda *_: iter(()))
    monkeypatch.setattr("reminisce.app.service.withdrawing.plan_close", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        service.withdraw("pat")
    monkeypatch.undo()
    _, there = target(files)

    service.copy(there)

    assert there.withdraw("pat").memories == 4
