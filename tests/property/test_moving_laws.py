"""Laws of moving: what goes out comes back, every attribute and every character of it, and twice is once."""

import datetime as dt
import io
import itertools
import json
import tempfile
from pathlib import Path
from typing import Any

import attrs
import yaml
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from reminisce import Basis, Face, Memories, Owner, Tier
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.codec.frontmatter import to_block, value_of
from reminisce.codec.names import file_name
from reminisce.codec.notes import read_note, to_note
from reminisce.domain.memory import Memory
from reminisce.domain.values import strictest
from reminisce.testing.fakes import NOON, CountingIdentifiers, FixedClock, PlainAnalyser

NEVER = ("status", "recorded_at", "revision", "ordinal")
AWKWARD = (
    "no", "yes", "null", "~", "1e3", "0x1F", "12:30", "2026-01-01", "---", "- a", "a: b", "#c", "{", "[", "&a", "*a", "!x",
    "|", ">", "%", "@", "`", "'", '"', "\\", "\r\n", "\n", "\t", "\x07", "\x7f", "\x85", "\xa0", "\u2028", "\u2029",
    "\u200b", "\u200f", "\ufeff", "\ufffe", "\uffff", "\U0001f600", "é", "e\u0301", "İ", "渡し船", "\U0010ffff",
)  # fmt: skip

LATER: dict[str, Any] = {"first": 1_000_000, "time": NOON + dt.timedelta(days=400)}
"""Another store, where nothing that this one has by chance is the same: neither names nor times."""

characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
words = st.lists(st.sampled_from(AWKWARD) | st.text(characters, max_size=6), min_size=1, max_size=5).map("".join)
texts = words.filter(lambda text: text != "" and not text.isspace())
names = texts.map(lambda text: text.encode()[:60].decode(errors="ignore")).filter(lambda text: text.strip() != "")
times = st.datetimes(timezones=st.just(dt.UTC))
starts = times.filter(lambda time: not NOON < time < LATER["time"])
"""Of a belief: one that ended between an export and an import is not what it was."""

shares = st.integers(0, 1000).map(lambda whole: whole / 1000)
REFS = ("p", "p\u200b", "渡")

kept = st.fixed_dictionaries(
    {"content": texts},
    optional={
        "aspects": st.lists(st.sampled_from(("episodic", "semantic")), min_size=1, max_size=2, unique=True),
        "basis": st.sampled_from(Basis).map(str),
        "confidence": shares,
        "salience": shares,
        "occurred_at": times,
        "due_at": times,
        "sources": st.lists(names, max_size=3),
        "facets": st.dictionaries(names, st.lists(texts, min_size=1, max_size=2), max_size=3),
        "subjects": st.lists(st.sampled_from(REFS), max_size=2),
        "tier": st.sampled_from(Tier).map(str),
        "surface": texts,
        "episode": names,
        "reviewer": names,
        "key": names,
        "request_key": names,
        "valid_from": starts,
        "origins": st.lists(st.integers(0, 9), max_size=2),
        "replaces": st.lists(st.integers(0, 9), max_size=1),
        "value": st.sampled_from(("a", "b", " B ")),
    },
)
"""One memory. Origins are places among those before it; a value makes it a belief."""


@attrs.frozen
class World:
    """An owner over a store of its own, at a time of its own."""

    owner: Owner
    clock: FixedClock

    def out(self, **options: Any) -> list[dict[str, Any]]:
        stream = io.BytesIO()
        self.owner.export(stream, **options)
        return [json.loads(line) for line in stream.getvalue().splitlines(keepends=True)]


def world(first: int = 1, time: dt.datetime = NOON) -> World:
    clock = FixedClock(time)
    memories = Memories(
        InMemoryStore("0" * 32),
        analyser=PlainAnalyser(),
        clock=clock,
        identifiers=CountingIdentifiers(first),
        face=Face(),
    )
    return World(memories.owner("agent:a"), clock)


def fill(one: World, told: list[dict[str, Any]]) -> None:
    """Keep what can be kept of it."""
    keys: list[str] = []
    for given_ in told:
        raw = {name: value for name, value in given_.items() if name not in ("origins", "replaces", "value")}
        for name, places in (("derived_from", "origins"), ("supersedes", "replaces")):
            if keys and places in given_:
                raw[name] = [keys[place % len(keys)] for place in given_[places]]
        if "value" in given_:
            raw["fact"] = {"subject": REFS[0], "attribute": "is", "value": given_["value"]}
            raw["subjects"] = [REFS[0], *raw.get("subjects", ())]
        try:
            keys.append(one.owner.remember(**raw).key)
        except ValueError:  # a name taken for the second time is another law's
            continue
        except Exception as error:
            if not type(error).__name__.endswith("TakenError"):
                raise


def without_ours(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in record.items() if name not in NEVER} for record in records]


def held(one: World) -> list[Memory]:
    with one.owner._core.store.view() as view:
        return [memory for memory in view.in_order(one.owner.name) if str(memory.status) == "active"]


def told_of(memory: Memory) -> dict[str, Any]:
    """All that can be said of a memory, but for what an import may not set, and what is left out with its other end."""
    ours = (
        "owner",
        "given",
        "recorded_at",
        "revision",
        "ordinal",
        "named",
        "further_sources",
        "consolidated_at",
        "agreed",
    )
    plain = {field.name: getattr(memory, field.name) for field in attrs.fields(Memory) if field.name not in ours}
    given_ = attrs.asdict(memory.given, recurse=False)
    moved = ("derived_from", "supersedes", "tier", "subjects", "confidence", "salience", "valid_from", "valid_to")
    return {**plain, **{name: value for name, value in given_.items() if name not in moved}}


@given(st.lists(kept, max_size=6))
def test_records_come_back_as_they_went_out(told: list[dict[str, Any]]) -> None:
    here, there = world(), world(**LATER)
    fill(here, told)
    out = io.BytesIO()
    here.owner.export(out)

    report = there.owner.import_(io.BytesIO(out.getvalue()))

    assert report.bad == ()
    assert without_ours(there.out()) == without_ours(here.out())
    assert [told_of(memory) for memory in held(there)] == [told_of(memory) for memory in held(here)]


@given(st.lists(kept, max_size=4))
def test_notes_come_back_as_they_went_out(told: list[dict[str, Any]]) -> None:
    here, there = world(), world(**LATER)
    fill(here, told)
    with tempfile.TemporaryDirectory() as folder:
        here.owner.export(Path(folder) / "notes", format="markdown")
        report = there.owner.import_(Path(folder) / "notes")

    assert report.bad == ()
    assert without_ours(there.out()) == without_ours(here.out())
    assert [told_of(memory) for memory in held(there)] == [told_of(memory) for memory in held(here)]


@given(st.lists(kept, max_size=5), st.sampled_from(("jsonl", "markdown")))
def test_what_a_store_exported_changes_nothing_in_it(told: list[dict[str, Any]], form: str) -> None:
    here = world()
    fill(here, told)
    before = here.owner.revision()
    here.clock.time += dt.timedelta(days=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        count = here.owner.export(path, format=form).memories
        report = here.owner.import_(path)

    assert (report.unchanged, report.bad, report.revision) == (count, (), before)


def note_of(said: dict[str, Any]) -> bytes:
    """The note of a memory by hand."""
    record: dict[str, Any] = {"key": "k"}
    for name, value in said.items():
        if name in ("key", "request_key", "origins", "replaces"):
            continue
        if name == "value":
            record["fact"] = {"subject": REFS[0], "attribute": "is", "value": value}
            record["subjects"] = [REFS[0], *said.get("subjects", ())]
        elif not (name == "subjects" and "subjects" in record):
            record[name] = value.isoformat() if isinstance(value, dt.datetime) else value
    return to_note(record).encode()


# Each step is a folder on the disk: making a failure smaller would take minutes.
@settings(phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(kept, min_size=1, max_size=4))
def test_a_note_edited_again_and_again_says_what_it_says(versions: list[dict[str, Any]]) -> None:
    edited, fresh = world(), world()
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder) / "k.md"
        for version in versions:
            note.write_bytes(note_of(version))
            first = edited.owner.import_(folder)
            second = edited.owner.import_(folder)
            edited.clock.time += dt.timedelta(seconds=1)

            assert first.bad == second.bad == ()
            assert (second.unchanged, second.revision) == (1, first.revision)
        fresh.owner.import_(folder)

    [head], [alone] = held(edited), held(fresh)
    # What is inherited from the versions before only gets stricter, and what is so already need not be said.
    assert set(head.subjects) >= set(alone.subjects)
    assert strictest((head.tier, alone.tier)) is head.tier
    for name in attrs.fields_dict(type(head.given)):
        if name not in ("tier", "subjects", "supersedes", "valid_from"):
            assert getattr(head.given, name) == getattr(alone.given, name), name


@given(
    st.dictionaries(
        st.sampled_from("abcd"),
        texts | st.lists(texts, max_size=3) | st.dictionaries(texts, st.lists(texts)),
        min_size=1,
    )
)
def test_front_matter_gives_back_every_text_in_both_readers(said: dict[str, Any]) -> None:
    block = to_block(said)
    inside = block.removeprefix("---\n").removesuffix("---\n")

    assert value_of(inside) == said
    assert yaml.load(inside, Loader=yaml.BaseLoader) == said  # noqa: S506 (it builds texts alone)
    assert "\n---\n" not in inside


@given(texts)
def test_a_notes_text_comes_back_exactly(text: str) -> None:
    assert read_note(to_note({"key": "k", "content": text})).content == text


@given(st.lists(names, max_size=8, unique=True))
def test_file_names_are_safe_everywhere_and_never_meet(keys: list[str]) -> None:
    made = [file_name(key) for key in keys]

    assert len({name.casefold() for name in made}) == len(keys)
    assert all(len(name.encode()) <= 120 and name.isascii() and name == name.lower() for name in made)
    assert not any(sign in name for name, sign in itertools.product(made, '<>:"/\\|?* '))
    assert all(not name.startswith((".", "-")) and name.endswith(".md") for name in made)
