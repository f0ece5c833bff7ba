"""Laws of backups: of any life, restored, nothing differs; of any changed file, nothing is brought in."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reminisce import ReminisceError
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.codec.backup_order import lines_of, parsed
from reminisce.errors import BackupDamagedError, BackupError
from tests.property.living import STEPS, SUBJECTS, Life, Steps, at_least, everything, histories
from tests.support.backing_up import Drawer, keyring_of, memories


def lived(history: Steps) -> InMemoryStore:
    store = InMemoryStore("0" * 32)
    store._state = Life().live(history).state
    return store


withdrawn = st.lists(st.sampled_from(SUBJECTS), max_size=1)


@at_least(100)
@given(histories(STEPS), withdrawn)
def test_restored_with_its_keyring_a_life_is_what_it_was(history: Steps, refs: list[str]) -> None:
    store, files = lived(history), Drawer()
    before = memories(store, files)
    for ref in refs:
        before.withdraw(ref)
    before.backup("first")
    other = InMemoryStore("1" * 32)
    after = memories(other, files, first=1_000)

    restored = after.restore("first", keyring=keyring_of(store))
    after.backup("second")

    assert files.files["second"] == files.files["first"]
    assert restored.redacted == 0
    with store.view() as one, other.view() as two:
        assert everything(two) == everything(one)


@at_least(50)
@given(histories(STEPS))
def test_restored_without_a_keyring_nothing_about_a_subject_has_words(history: Steps) -> None:
    store, files = lived(history), Drawer()
    memories(store, files).backup("first")
    other = InMemoryStore("1" * 32)

    memories(other, files, first=1_000).restore("first")

    with store.view() as one, other.view() as two:
        assert two.owners() == one.owners()
        for owner in one.owners():
            for was, now in zip(one.records(owner), two.records(owner), strict=True):
                if was.memory.subjects:
                    assert now.memory.content == ""
                    assert now.memory.fact is None
                    assert now.history[:-1] if was.memory.erased is None else now.history == was.history
                else:
                    assert now == was


@at_least(50)
@given(histories(STEPS))
def test_a_copy_of_a_life_is_that_life(history: Steps) -> None:
    store, other = lived(history), InMemoryStore("1" * 32)

    memories(store, Drawer()).copy(memories(other, Drawer(), first=1_000))

    with store.view() as one, other.view() as two:
        assert everything(two) == everything(one)


LIFE: Steps = [
    (
        "remember",
        [{"content": "tea", "subjects": ["person:p"], "sources": ["doc:gate"]}, {"content": "rain", "key": "a"}],
    ),
    ("believe", {"subject": "person:p", "attribute": "home", "value": "Riga"}),
    ("contradict", (0, 1)),
    ("associate", (1, 2)),
    ("forget", [1]),
    ("consent", ("person:q", ("team",))),
]


def _file() -> tuple[bytes, InMemoryStore]:
    store, files = lived(LIFE), Drawer()
    memories(store, files).backup("first")
    return files.files["first"], store


WHOLE, ORIGIN = _file()
KEYS = keyring_of(ORIGIN)
LINES = WHOLE.splitlines(keepends=True)


def refused(data: bytes) -> None:
    """Whatever is not the file is refused, and nothing of it is done."""
    store, files = InMemoryStore("1" * 32), Drawer({"changed": data})
    with pytest.raises(ReminisceError):
        memories(store, files).restore("changed", keyring=KEYS)
    with store.view() as view:
        assert list(view.owners()) == []
        assert list(view.all_subjects()) == []
        assert view.keyring() == ([], [])


@at_least(300)
@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_a_changed_byte_is_refused(place: int, by: int) -> None:
    changed = bytearray(WHOLE)
    changed[place] ^= by

    refused(bytes(changed))


@at_least(100)
@given(st.integers(0, len(WHOLE) - 1))
def test_a_file_that_was_cut_is_refused(length: int) -> None:
    refused(WHOLE[:length])


@at_least(200)
@given(st.lists(st.integers(0, len(LINES) - 1), min_size=1, max_size=len(LINES)))
def test_lines_that_were_moved_doubled_or_lost_are_refused(places: list[int]) -> None:
    changed = b"".join(LINES[place] for place in places)

    if changed != WHOLE:
        refused(changed)


@at_least(300)
@given(st.integers(0, len(LINES) - 2), st.randoms(use_true_random=False))
def test_a_changed_line_under_a_right_digest_is_refused_or_canonical(place: int, chance: random.Random) -> None:
    """The digest keeps accidents out; the form keeps out what somebody made on purpose and no store could hold."""
    line = bytearray(LINES[place])
    for _ in range(chance.randint(1, 3)):
        line[chance.randrange(len(line) - 1)] = chance.choice(b'"{}[]:,0123456789aeinrst\\- ')
    changed = resealed([*LINES[:place], bytes(line), *LINES[place + 1 : -1]])
    store, files = InMemoryStore("1" * 32), Drawer({"changed": changed})
    after = memories(store, files)

    try:
        after.restore("changed", keyring=KEYS)
    except ReminisceError:
        with store.view() as view:
            assert list(view.owners()) == []
        return
    assert after.backup("second").memories == 3


def resealed(lines: list[bytes]) -> bytes:
    """Lines with the last line that they would have."""
    import hashlib

    from reminisce.codec.canonical import read, written

    body = b"".join(lines)
    end = read(LINES[-1][:-1]) | {"digest": hashlib.blake2b(body, digest_size=32).hexdigest()}
    return body + written(end) + b"\n"


@at_least(200)
@given(st.binary(max_size=200))
def test_no_bytes_at_all_break_the_reader(data: bytes) -> None:
    with pytest.raises(BackupError):
        list(parsed(lines_of([data])))


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_lines_are_the_same_in_pieces_of_any_size(size: int) -> None:
    pieces = [WHOLE[start : start + size] for start in range(0, len(WHOLE), size)]

    assert [line + b"\n" for line in lines_of(pieces)] == LINES


def test_what_is_nested_too_deeply_is_damaged() -> None:
    deep = b'{"is":"subject","ref":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"

    with pytest.raises(BackupDamagedError) as caught:
        list(parsed(lines_of([LINES[0], deep])))

    assert caught.value.line == 2
