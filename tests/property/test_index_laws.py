"""The index answers what a full scan answers, byte for byte, after any history."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.index import index as indexing
from reminisce.domain.index import search as searching
from reminisce.domain.index.counting import count
from reminisce.domain.index.documents import facet_tag, tag
from reminisce.domain.index.frozen import from_bytes, to_bytes
from reminisce.domain.index.index import Index
from reminisce.domain.index.query import ACTIVE, Found, Query, Window
from reminisce.domain.index.search import search
from reminisce.domain.instants import micros
from reminisce.domain.masking import Masks
from reminisce.domain.ranking import UNIT, information, occurrence
from reminisce.domain.records import Record
from reminisce.domain.values import DEFAULT_ASPECTS, Destination, Status, Tier
from reminisce.domain.visibility import Viewer
from tests.property import living
from tests.property.living import (
    EPOCH,
    OWNER,
    STEPS,
    SUBJECTS,
    Life,
    Steps,
    at_least,
    beliefs,
    day,
    validities,
    walks,
)
from tests.support.scan import Asked, scan, tally

WORDS = ("gate", "key", "rain", "tea", "bridge", "owl")
MASKS = Masks(terms=("tea",))
VIEWERS = tuple(
    attrs.evolve(viewer, masks=MASKS) if viewer.destination is Destination.REMOTE else viewer
    for viewer in living.VIEWERS
)
"""Those whose text leaves see what is left of it when a word is taken out."""

CONSENTS = Fence(FenceKind.CONSENTS)
ONCE = frozenset({Status.ACTIVE, Status.SUPERSEDED})

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@st.composite
def attributes(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "content": draw(texts),
        "aspects": draw(st.sampled_from((["episodic"], ["semantic"], ["episodic", "semantic"], ["procedural"]))),
        "episode": draw(st.sampled_from((None, "walk", "work"))),
        "subjects": draw(st.lists(st.sampled_from(SUBJECTS), max_size=2)),
        "tier": draw(st.sampled_from(("open", "redacted", "private"))),
        "surface": draw(st.sampled_from((None, "somebody said rain"))),
        "facets": draw(st.sampled_from((None, {"colour": "tea"}))),
        "sources": draw(st.sampled_from((None, ["doc:gate"]))),
        "confidence": draw(st.sampled_from((0.2, 0.9))),
        "occurred_at": draw(st.sampled_from((None, *map(day, range(3))))),
        **draw(validities()),
    }


plain = st.fixed_dictionaries({"content": texts, "episode": st.sampled_from(("walk", "walk", "work", None))})


@st.composite
def believed(draw: st.DrawFn) -> dict[str, Any]:
    """A belief of which all words are searched: those of its fact, too; sometimes behind a surface."""
    said = draw(beliefs()) | {"value": draw(st.sampled_from(("rain", "tea", "Tea "))), "content": draw(texts)}
    if draw(st.booleans()):
        # What is live now and ends when the next one starts, later: only validity changes by that.
        said |= {"subject": SUBJECTS[0], "attribute": "home", "valid_from": day(draw(st.sampled_from((1, 2, 6, 7))))}
        said.pop("valid_to", None)
    if draw(st.booleans()):
        said |= {"tier": "redacted", "surface": "somebody said rain", "episode": "walk"}
    return said


def one(name: str, values: st.SearchStrategy[Any] | None = None) -> st.SearchStrategy[tuple[str, Any]]:
    return st.tuples(st.just(name), STEPS[name] if values is None else values)


def alone(line: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(line, min_size=1, max_size=1)


steps = st.one_of(
    # Most steps add plain memories to few episodes: support and ties need crowds.
    *(one("remember", alone(plain)) for _ in range(4)),
    *(one("remember", alone(attributes())) for _ in range(2)),
    *(one("believe", believed()) for _ in range(4)),
    one("reclassify"),
    *(one(name) for name in ("forget", "reinstate") for _ in range(2)),
    *map(one, ("replace", "disbelieve", "review", "correct", "consent", "prune", "consolidate", "reinforce", "wait")),
    *(st.tuples(st.just(name), st.none()) for name in ("settle", "reload") for _ in range(2)),
)
histories = walks(steps, 30)

viewers = st.sampled_from(VIEWERS)


def analyse(text: str) -> list[str]:
    return text.lower().replace(":", " ").replace("_", " ").split()


@attrs.define
class World:
    """A life, and an index that is only ever brought up to date."""

    life: Life = attrs.field(factory=Life)
    index: Index = attrs.field(factory=lambda: Index(analyse, MASKS))
    saved: list[tuple[bytes, int]] = attrs.field(factory=list)

    def records(self) -> list[Record]:
        return self.life.records()

    def keys(self) -> list[str]:
        return [record.memory.key for record in self.records()]

    def consents(self) -> dict[str, tuple[str, ...]]:
        return {ref: subject.audiences for ref, subject in self.life.state.subjects(SUBJECTS).items()}

    def query(self, **asked: Any) -> Query:
        number = self.life.state.fences([CONSENTS])[CONSENTS]
        return Query(audiences=self.consents(), consents=number, **asked)

    def walk(self, history: Steps) -> "World":
        for operation, value in history:
            self.step(operation, value)
        return self

    def remember(self, **line: Any) -> None:
        self.step("remember", [line])

    def step(self, operation: str, value: Any) -> None:
        # A question between changes fills whatever the index keeps, so that a change that leaves it stale is seen.
        for viewer in VIEWERS:
            search(self.index, self.query(terms=WORDS, k=1, viewer=viewer))
            search(self.index, self.query(terms=None, k=1, viewer=viewer, statuses=ONCE, at=self.index.revision // 2))
        if operation == "settle":
            self.save()
        elif operation == "reload":
            self.reload()
        else:
            self.life.step(operation, value)
            self.catch_up()

    def catch_up(self) -> None:
        state = self.life.state
        keys = {key for entry in state.log(OWNER, since=self.index.revision) for key in entry.keys}
        memories, history = state.memories(OWNER, keys), state.history(OWNER, keys)
        records = [Record(memories[key], tuple(history[key])) for key in sorted(keys)]
        self.index.update(state.head(OWNER).revision, records)

    def save(self) -> None:
        part, merged = self.index.settle()
        del self.saved[len(self.saved) - merged :]
        self.saved.append((to_bytes(part, "test"), self.index.revision))

    def reload(self) -> None:
        self.index = Index(analyse, MASKS)
        for data, through in self.saved:
            part = from_bytes(data, "test")
            assert part is not None
            self.index.load(part, through)
        self.catch_up()


FILTERS = {
    "aspects": st.sampled_from((("semantic",), ("semantic", "episodic"))),
    "subject": st.just(SUBJECTS[0]),
    "episode": st.just("walk"),
    "sources": st.just(("doc:gate", "doc:tea")),
    "facet": st.just(("colour", "tea")),
    "min_confidence": st.just(500),
    "happened_from": st.just(micros(day(1))),
    "happened_to": st.just(micros(day(1))),
}


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    words = (*WORDS, "absent", "home", "likes", "person")
    # Noon of a day lies inside what was drawn, midnight on its edges.
    time = draw(st.one_of(st.none(), st.integers(0, 24).map(lambda halves: micros(day(halves / 2)))))
    populations = st.sampled_from((ACTIVE, ONCE, frozenset({Status.HELD})))
    return {
        "terms": draw(st.one_of(st.none(), st.lists(st.sampled_from(words), max_size=4).map(tuple))),
        "k": draw(st.integers(1, 6)),
        "viewer": draw(viewers),
        "statuses": draw(populations if time is None else st.sampled_from((ONCE, ONCE, ACTIVE))),
        "valid_at": time,
        "back": draw(st.integers(0, 20)),
        # Few at once: together they leave nothing over that could be wrong.
        **{
            name: draw(FILTERS[name])
            for name in draw(st.lists(st.sampled_from(tuple(FILTERS)), max_size=2, unique=True))
        },
    }


def query_of(world: World, asked: Asked) -> Query:
    groups = []
    if asked.aspects is not None:
        groups.append(tuple(tag("aspect", aspect) for aspect in asked.aspects))
    if asked.subject is not None:
        groups.append((tag("subject", asked.subject),))
    if asked.episode is not None:
        groups.append((tag("episode", asked.episode),))
    if asked.sources is not None:
        groups.append(tuple(tag("source", source) for source in asked.sources))
    if asked.facet is not None:
        groups.append((facet_tag(*asked.facet),))
    windows = []
    if asked.min_confidence is not None:
        windows.append(Window("confidence", asked.min_confidence, None))
    if asked.happened_from is not None or asked.happened_to is not None:
        windows.append(Window("happened", asked.happened_from, asked.happened_to))
    return world.query(
        terms=asked.terms,
        k=asked.k,
        viewer=asked.viewer,
        any_of=tuple(groups),
        windows=tuple(windows),
        statuses=asked.statuses,
        valid_at=asked.valid_at,
        at=asked.revision,
    )


@pytest.fixture(scope="module", params=[(2, 0), (64, 4)], ids=["small pool, many parts", "as shipped"])
def pool(request: pytest.FixtureRequest) -> Iterator[int]:
    size, growth = request.param
    with patch.object(searching, "POOL", size), patch.object(indexing, "GROWTH", growth):
        yield size


@at_least(300)
@given(history=histories, asks=st.lists(questions(), min_size=3, max_size=6))
def test_the_index_answers_what_a_full_scan_answers(pool: int, history: Steps, asks: list[dict[str, Any]]) -> None:
    world = World().walk(history)

    records = world.records()
    for question in asks:
        revision = max(0, world.index.revision - question["back"])
        options = {name: value for name, value in question.items() if name != "back"}
        asked = Asked(**options, consents=world.consents(), revision=revision, pool=pool)
        found = search(world.index, query_of(world, asked))
        assert ([(match.key, match.score) for match in found.matches], found.considered) == scan(
            records, asked, analyse
        )


@given(history=histories, viewer=viewers, time=st.integers(0, 24))
def test_the_index_counts_what_a_full_scan_counts(history: Steps, viewer: Viewer, time: int) -> None:
    world = World().walk(history)
    now = micros(day(time / 2))

    counts = count(world.index, world.query(terms=(), k=1, viewer=viewer), DEFAULT_ASPECTS, now)

    assert (counts.by_status, counts.by_tier, counts.by_aspect, counts.live_beliefs) == tally(
        world.records(), viewer, world.consents(), now
    )


@given(history=histories)
def test_an_index_that_followed_along_holds_what_one_made_anew_holds(history: Steps) -> None:
    world = World().walk(history)

    anew = Index(analyse, MASKS)
    anew.update(world.index.revision, world.records())

    assert world.index.agrees_with(anew)


@given(history=histories, terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))
def test_the_parts_of_an_explanation_make_the_score(history: Steps, terms: list[str]) -> None:
    world = World().walk(history)

    for match in search(world.index, Query(terms=tuple(terms), k=50, explain=True)).matches:
        assert match.score == sum(p for _, p in match.terms) + match.coverage + match.neighbours + match.episode
        assert match.coverage <= 0


@given(history=histories, viewer=viewers, size=st.integers(1, 4), more=attributes())
def test_pages_put_together_are_the_whole_answer_although_memories_come_between(
    history: Steps, viewer: Viewer, size: int, more: dict[str, Any]
) -> None:
    world = World().walk(history)
    at, noon = world.index.revision, micros(day(4.5))
    for terms, valid_at in (
        (("rain", "tea", "gate"), None),
        (("rain", "tea", "gate"), noon),
        (None, noon),
        (None, None),
    ):
        asked: dict[str, Any] = {"terms": terms, "viewer": viewer, "at": at, "valid_at": valid_at}
        asked["statuses"] = ACTIVE if valid_at is None else ONCE
        whole = search(world.index, world.query(**asked, k=1000)).matches

        pages: list[Any] = []
        after = None
        while True:
            found = search(world.index, world.query(**asked, k=size, after=after))
            pages.extend(found.matches)
            world.remember(**more | {"content": f"rain {len(pages)}", "subjects": []})
            world.step("forget", [len(pages)])
            if not found.more:
                break
            after = (found.matches[-1].rank, found.matches[-1].key)

        assert tuple(pages) == whole


@given(history=histories, terms=st.lists(st.sampled_from(WORDS), min_size=1, max_size=3))
def test_filters_leave_lines_out_and_change_no_score(history: Steps, terms: list[str]) -> None:
    world = World().walk(history)

    whole = search(world.index, Query(terms=tuple(terms), k=1000)).matches
    some = search(world.index, Query(terms=tuple(terms), k=1000, any_of=((tag("aspect", "semantic"),),))).matches

    memories = world.life.memories()
    assert some == tuple(match for match in whole if "semantic" in memories[match.key].aspects)


def test_a_surface_that_is_no_longer_shown_stays_away_after_a_reload() -> None:
    world = World()
    world.remember(content="gate", tier="redacted", surface="rain")
    with patch.object(indexing, "GROWTH", 0):
        world.walk([("settle", None), ("reclassify", (0, Tier.PRIVATE)), ("settle", None), ("reload", None)])

    found = search(world.index, Query(terms=("rain",), k=5, viewer=Viewer(None, Destination.REMOTE)))

    assert [memory.tier for memory in world.life.memories().values()] == [Tier.PRIVATE]
    assert found == Found((), 0, False)


def test_a_memory_that_joins_an_episode_is_supported_at_once() -> None:
    world = World()
    world.remember(content="gate", episode="walk", occurred_at=EPOCH)
    before = search(world.index, Query(terms=("gate",), k=5)).matches

    world.remember(content="tea", episode="walk", occurred_at=EPOCH)

    assert len(before) == 1
    assert len(search(world.index, Query(terms=("gate",), k=5)).matches) == 2


def test_a_past_revision_shows_what_was_forgotten_and_came_back() -> None:
    world = World().walk([("remember", [{"content": "gate"}]), *[("forget", [0]), ("reinstate", (0, None))] * 3])
    world.walk([("settle", None), ("reload", None)])

    seen = [search(world.index, Query(terms=("gate",), k=5, at=revision)).considered for revision in range(8)]

    assert seen == [0, 1, 0, 1, 0, 1, 0, 1]


def test_a_past_revision_tells_the_validity_that_it_knew() -> None:
    world = World()
    for value, since in (("tea", 1), ("owl", 3)):
        world.step("believe", {"subject": SUBJECTS[0], "attribute": "home", "value": value, "valid_from": day(since)})
        world.step("settle", None)

    asked: dict[str, Any] = {"terms": ("tea",), "k": 5, "statuses": ONCE, "valid_at": micros(day(3))}

    assert [search(world.index, Query(**asked, at=revision)).considered for revision in (1, 2)] == [1, 1]
    assert [len(search(world.index, Query(**asked, at=revision)).matches) for revision in (1, 2)] == [1, 0]


def test_a_term_earns_what_bm25_says() -> None:
    world = World()
    world.remember(content="gate gate rain")
    world.remember(content="tea owl")

    [match] = search(world.index, Query(terms=("gate", "key"), k=5, explain=True)).matches

    assert match.terms == (("gate", information(2, 1) * occurrence(2, 3, 2, 5) // UNIT),)
    assert match.coverage < 0
