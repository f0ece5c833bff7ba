"""The index answers what a full scan answers, byte for byte, after any history."""

import datetime as dt
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.index import index as indexing
from reminisce.domain.index import search as searching
from reminisce.domain.index.documents import facet_tag, tag
from reminisce.domain.index.frozen import from_bytes, to_bytes
from reminisce.domain.index.index import Index
from reminisce.domain.index.query import Found, Query, Window
from reminisce.domain.index.search import search
from reminisce.domain.planning.consent import plan_consent
from reminisce.domain.planning.forget import plan_forget, plan_reinstate
from reminisce.domain.planning.plan import Notebook, Occasion
from reminisce.domain.planning.remember import plan_remember
from reminisce.domain.ranking import UNIT, information, occurrence
from reminisce.domain.records import Record
from reminisce.domain.requests import read_request
from reminisce.domain.state import State, apply
from reminisce.domain.values import Destination, Tier
from reminisce.domain.visibility import OWNER_ITSELF, Viewer
from reminisce.errors import ReminisceError
from tests.support.scan import Asked, scan

OWNER = "agent:alice"
WORDS = ("gate", "key", "rain", "tea", "bridge", "owl")
SUBJECTS = ("person:p", "person:q")
CONSENTS = Fence(FenceKind.CONSENTS)
EPOCH = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@st.composite
def attributes(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "content": draw(texts),
        "aspects": draw(st.sampled_from((["episodic"], ["semantic"], ["episodic", "semantic"]))),
        "episode": draw(st.sampled_from((None, "walk", "work"))),
        "subjects": draw(st.lists(st.sampled_from(SUBJECTS), max_size=2)),
        "tier": draw(st.sampled_from(("open", "redacted", "private"))),
        "surface": draw(st.sampled_from((None, "somebody said rain"))),
        "facets": draw(st.sampled_from((None, {"colour": "tea"}))),
        "sources": draw(st.sampled_from((None, ["doc:gate"]))),
        "confidence": draw(st.sampled_from((0.2, 0.9))),
        "occurred_at": draw(st.sampled_from((None, *(EPOCH + dt.timedelta(days=n) for n in range(3))))),
    }


plain = st.fixed_dictionaries({"content": texts, "episode": st.sampled_from(("walk", "walk", "work", None))})

steps = st.one_of(
    # Most steps add plain memories to few episodes: support and ties need crowds.
    st.tuples(st.just("remember"), plain),
    st.tuples(st.just("remember"), plain),
    st.tuples(st.just("remember"), plain),
    st.tuples(st.just("remember"), plain),
    st.tuples(st.just("remember"), attributes()),
    st.tuples(st.just("remember"), attributes()),
    st.tuples(st.just("tier"), st.integers(0, 30)),
    st.tuples(st.just("forget"), st.integers(0, 3)),
    st.tuples(st.just("reinstate"), st.integers(0, 3)),
    st.tuples(st.just("forget"), st.integers(0, 30)),
    st.tuples(st.just("reinstate"), st.integers(0, 30)),
    st.tuples(st.just("supersede"), st.integers(0, 30)),
    st.tuples(st.just("consent"), st.sampled_from(((), ("team",), ("team", "press")))),
    st.tuples(st.just("settle"), st.none()),
    st.tuples(st.just("settle"), st.none()),
    st.tuples(st.just("reload"), st.none()),
    st.tuples(st.just("reload"), st.none()),
)

VIEWERS = (OWNER_ITSELF, Viewer(None, Destination.REMOTE), Viewer("team"), Viewer("team", Destination.REMOTE))
viewers = st.sampled_from(VIEWERS)


def analyse(text: str) -> list[str]:
    return text.replace(":", " ").split()


@attrs.define
class World:
    """A state, and an index that is only ever brought up to date."""

    state: State = attrs.field(factory=lambda: State("0" * 32))
    index: Index = attrs.field(factory=lambda: Index(analyse))
    saved: list[tuple[bytes, int]] = attrs.field(factory=list)
    commits: int = 0

    def keys(self) -> list[str]:
        return [record.memory.key for record in self.state.records(OWNER)]

    def plan(self, operation: str, value: Any) -> Any:
        self.commits += 1
        occasion = Occasion(now=EPOCH + dt.timedelta(hours=self.commits), actor="test", commit_id=f"c{self.commits}")
        common: dict[str, Any] = {"viewer": OWNER_ITSELF, "occasion": occasion}
        name = f"k{self.commits:03}"
        keys = self.keys()
        match operation:
            case "remember":
                return plan_remember(self.state, OWNER, [read_request(value)], [name], **common)
            case "supersede":
                old = keys[value % len(keys)]
                raw = {"content": "rain bridge", "supersedes": [old], "derived_from": [old]}
                return plan_remember(self.state, OWNER, [read_request(raw)], [name], **common)
            case "forget":
                return plan_forget(self.state, OWNER, [keys[value % len(keys)]], reason=None, **common)
            case "tier":
                book = Notebook(self.state, OWNER, "tier", occasion)
                key = keys[value % len(keys)]
                book.set(self.state.memories(OWNER, [key])[key], tier=list(Tier)[value // len(keys) % 3])
                return book.plan(None)
            case "reinstate":
                return plan_reinstate(self.state, OWNER, keys[value % len(keys)], **common)
            case _:
                return plan_consent(self.state, SUBJECTS[0], value, commit_id=occasion.commit_id)

    def step(self, operation: str, value: Any) -> None:
        # A question between changes fills whatever the index keeps, so that a change that leaves it stale is seen.
        audiences = {ref: subject.audiences for ref, subject in self.state.subjects(SUBJECTS).items()}
        number = self.state.fences([CONSENTS])[CONSENTS]
        for viewer in VIEWERS:
            search(self.index, Query(terms=WORDS, k=1, viewer=viewer, audiences=audiences, consents=number))
        if operation == "settle":
            self.save()
        elif operation == "reload":
            self.reload()
        elif self.keys() or operation in ("remember", "consent"):
            try:
                plan = self.plan(operation, value)
            except ReminisceError:
                return
            if plan.commit is not None:
                self.state = apply(self.state, plan.commit)
                self.catch_up()

    def catch_up(self) -> None:
        keys = {key for entry in self.state.log(OWNER, since=self.index.revision) for key in entry.keys}
        memories, history = self.state.memories(OWNER, keys), self.state.history(OWNER, keys)
        records = [Record(memories[key], tuple(history[key])) for key in sorted(keys)]
        self.index.update(self.state.head(OWNER).revision, records)

    def save(self) -> None:
        part, merged = self.index.settle()
        del self.saved[len(self.saved) - merged :]
        self.saved.append((to_bytes(part, "test"), self.index.revision))

    def reload(self) -> None:
        self.index = Index(analyse)
        for data, through in self.saved:
            part = from_bytes(data, "test")
            assert part is not None
            self.index.load(part, through)
        self.catch_up()


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "terms": draw(st.one_of(st.none(), st.lists(st.sampled_from((*WORDS, "absent")), max_size=4).map(tuple))),
        "k": draw(st.integers(1, 6)),
        "viewer": draw(viewers),
        "aspects": draw(st.sampled_from((None, ("semantic",), ("semantic", "episodic")))),
        "subject": draw(st.sampled_from((None, SUBJECTS[0]))),
        "facet": draw(st.sampled_from((None, ("colour", "tea")))),
        "min_confidence": draw(st.sampled_from((None, 500))),
        "happened_from": draw(st.sampled_from((None, 1_767_312_000_000_000))),
        "happened_to": draw(st.sampled_from((None, None, 1_767_312_000_000_000))),
        "back": draw(st.integers(0, 20)),
    }


def query_of(asked: Asked, number: int) -> Query:
    groups = []
    if asked.aspects is not None:
        groups.append(tuple(tag("aspect", aspect) for aspect in asked.aspects))
    if asked.subject is not None:
        groups.append((tag("subject", asked.subject),))
    if asked.facet is not None:
        groups.append((facet_tag(*asked.facet),))
    windows = []
    if asked.min_confidence is not None:
        windows.append(Window("confidence", asked.min_confidence, None))
    if asked.happened_from is not None or asked.happened_to is not None:
        windows.append(Window("happened", asked.happened_from, asked.happened_to))
    return Query(
        terms=asked.terms,
        k=asked.k,
        viewer=asked.viewer,
        audiences=asked.consents,
        consents=number,
        any_of=tuple(groups),
        windows=tuple(windows),
        at=asked.revision,
    )


@pytest.fixture(scope="module", params=[(2, 0), (64, 4)], ids=["small pool, many parts", "as shipped"])
def pool(request: pytest.FixtureRequest) -> Iterator[int]:
    size, growth = request.param
    with patch.object(searching, "POOL", size), patch.object(indexing, "GROWTH", growth):
        yield size


@settings(max_examples=300)
@given(history=st.lists(steps, min_size=1, max_size=30), asks=st.lists(questions(), min_size=1, max_size=4))
def test_the_index_answers_what_a_full_scan_answers(
    pool: int, history: list[tuple[str, Any]], asks: list[dict[str, Any]]
) -> None:
    world = World()

    for operation, value in history:
        world.step(operation, value)

    records = list(world.state.records(OWNER))
    consents = {ref: subject.audiences for ref, subject in world.state.subjects(SUBJECTS).items()}
    for question in asks:
        revision = max(0, world.index.revision - question["back"])
        options = {name: value for name, value in question.items() if name != "back"}
        asked = Asked(**options, consents=consents, revision=revision, pool=pool)
        found = search(world.index, query_of(asked, world.state.fences([CONSENTS])[CONSENTS]))
        assert ([(match.key, match.score) for match in found.matches], found.considered) == scan(
            records, asked, analyse
        )


@given(history=st.lists(steps, min_size=1, max_size=30), terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))
def test_the_parts_of_an_explanation_make_the_score(history: list[tuple[str, Any]], terms: list[str]) -> None:
    world = World()

    for operation, value in history:
        world.step(operation, value)

    for match in search(world.index, Query(terms=tuple(terms), k=50, explain=True)).matches:
        assert match.score == sum(p for _, p in match.terms) + match.coverage + match.neighbours + match.episode
        assert match.coverage <= 0


@given(history=st.lists(steps, min_size=1, max_size=30), viewer=viewers, size=st.integers(1, 4), more=attributes())
def test_pages_put_together_are_the_whole_answer_although_memories_come_between(
    history: list[tuple[str, Any]], viewer: Viewer, size: int, more: dict[str, Any]
) -> None:
    world = World()
    for operation, value in history:
        world.step(operation, value)
    at = world.index.revision
    for terms in (("rain", "tea", "gate"), None):
        whole = search(world.index, Query(terms=terms, k=1000, viewer=viewer, at=at)).matches

        pages: list[Any] = []
        after = None
        while True:
            found = search(world.index, Query(terms=terms, k=size, viewer=viewer, at=at, after=after))
            pages.extend(found.matches)
            world.step("remember", more | {"content": f"rain {len(pages)}", "subjects": []})
            if not found.more:
                break
            after = (found.matches[-1].rank, found.matches[-1].key)

        assert tuple(pages) == whole


@given(history=st.lists(steps, min_size=1, max_size=30), terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))
def test_filters_leave_lines_out_and_change_no_score(history: list[tuple[str, Any]], terms: list[str]) -> None:
    world = World()
    for operation, value in history:
        world.step(operation, value)

    whole = search(world.index, Query(terms=tuple(terms), k=1000)).matches
    some = search(world.index, Query(terms=tuple(terms), k=1000, any_of=((tag("aspect", "semantic"),),))).matches

    memories = world.state.memories(OWNER, world.keys())
    assert some == tuple(match for match in whole if "semantic" in memories[match.key].aspects)


def test_a_surface_that_is_no_longer_shown_stays_away_after_a_reload() -> None:
    world = World()
    world.step("remember", {"content": "gate", "tier": "redacted", "surface": "rain"})
    with patch.object(indexing, "GROWTH", 0):
        world.step("settle", None)
        world.step("tier", 2 * len(world.keys()))
        changed = attrs.evolve(world)
        world.step("settle", None)
        world.step("reload", None)

    found = search(world.index, Query(terms=("rain",), k=5, viewer=Viewer(None, Destination.REMOTE)))

    assert changed.state.memories(OWNER, world.keys())[world.keys()[0]].tier is Tier.PRIVATE
    assert found == Found((), 0, False)


def test_a_memory_that_joins_an_episode_is_supported_at_once() -> None:
    world = World()
    world.step("remember", {"content": "gate", "episode": "walk", "occurred_at": EPOCH})
    before = search(world.index, Query(terms=("gate",), k=5)).matches

    world.step("remember", {"content": "tea", "episode": "walk", "occurred_at": EPOCH})

    assert len(before) == 1
    assert len(search(world.index, Query(terms=("gate",), k=5)).matches) == 2


def test_a_past_revision_shows_what_was_forgotten_and_came_back() -> None:
    world = World()
    for operation, value in [("remember", {"content": "gate"}), *[("forget", 0), ("reinstate", 0)] * 3]:
        world.step(operation, value)
    world.step("settle", None)
    world.step("reload", None)

    seen = [search(world.index, Query(terms=("gate",), k=5, at=revision)).considered for revision in range(8)]

    assert seen == [0, 1, 0, 1, 0, 1, 0, 1]


def test_a_term_earns_what_bm25_says() -> None:
    world = World()
    world.step("remember", {"content": "gate gate rain"})
    world.step("remember", {"content": "tea owl"})

    [match] = search(world.index, Query(terms=("gate", "key"), k=5, explain=True)).matches

    assert match.terms == (("gate", information(2, 1) * occurrence(2, 3, 2, 5) // UNIT),)
    assert match.coverage < 0
