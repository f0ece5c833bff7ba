"""Whole lives through the service, on every store: what it answers is what a fresh look at the pure state answers."""

import datetime as dt
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from reminisce import Memories, ReminisceError
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.app.service.core import Face
from reminisce.codec import to_plain
from reminisce.domain.changes import Fence, FenceKind
from reminisce.domain.receipts import Receipt
from reminisce.ports.store import Store
from reminisce.testing import StoreCase
from reminisce.testing.contents import contents_of
from reminisce.testing.fakes import NOON, CountingIdentifiers, FixedClock, PlainAnalyser
from tests.support.stores import STORE_CASES

OWNERS = ("agent:a", "agent:b")
SUBJECTS = ("person:p", "person:q")
DAY = dt.timedelta(days=1)
QUERIES: tuple[str | None, ...] = ("tea city", "rain", None)

owners = st.sampled_from((*OWNERS[:1] * 3, OWNERS[1]))
# Mostly what is there, and mostly of one owner: programs of refusals find nothing.
places = st.integers(0, 12)
days = st.integers(-3, 3)
lengths = st.sampled_from((None, None, 1, 3))
texts = st.sampled_from(("tea", "rain", "tea rain"))


class WholeLives(RuleBasedStateMachine):
    """
    Every operation is done twice: on the store, and on the domain's own state. Identifiers and clock are the same.

    The service over the store keeps its index from step to step; the other one is made anew for every look.
    """

    case: ClassVar[StoreCase]

    def __init__(self) -> None:
        super().__init__()
        self._held = ExitStack()
        folder = Path(self._held.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        self.clock = FixedClock(NOON)
        self.pure = InMemoryStore("0" * 32)
        self.store = self.case.open(folder)
        self.served = self._memories(self.store, CountingIdentifiers())
        self.names = CountingIdentifiers()
        self.told: dict[tuple[str, int], Any] = {}
        """What each owner was answered at each of its revisions since words of its were last erased."""
        self.erased: dict[str, int] = {}

    def _memories(self, store: Store, names: CountingIdentifiers) -> Memories:
        face = Face(reviewer="anna", review_aspects=frozenset({"procedural"}))
        return Memories(store, analyser=PlainAnalyser(), clock=self.clock, identifiers=names, face=face)

    def teardown(self) -> None:
        self.served.close()
        self._held.close()

    def keys(self, owner: str) -> list[str]:
        with self.pure.view() as view:
            return [record.memory.key for record in view.records(owner)]

    def key(self, owner: str, place: int) -> str:
        keys = self.keys(owner)
        return keys[place % len(keys)] if keys and place else "nobody"

    def do(self, owner: str, operation: str, *arguments: Any, **options: Any) -> None:
        answers = []
        for memories in (self.served, self._memories(self.pure, self.names)):
            try:
                answer = getattr(memories.owner(owner), operation)(*arguments, **options)
                # What waits after an erasure is the store's own affair.
                answer = attrs.evolve(answer, waits=()) if isinstance(answer, Receipt) else answer
                answers.append(to_plain(answer))
            except ReminisceError as error:
                answers.append(to_plain(error))
        assert answers[0] == answers[1]

    @initialize()
    def begin(self) -> None:
        self.do(OWNERS[0], "remember", "tea", key="first")

    @rule(step=st.sampled_from((1, 1, 2, 400, -1)))
    def time_passes(self, step: int) -> None:
        self.clock.time += step * DAY

    @rule(
        owner=owners,
        text=texts,
        place=places,
        link=st.sampled_from((None, "derived_from", "supersedes")),
        subjects=st.sampled_from(((), SUBJECTS[:1], SUBJECTS)),
        tier=st.sampled_from(("open", "private")),
        aspect=st.sampled_from(("episodic", "episodic", "procedural")),
    )
    def remember(
        self, owner: str, text: str, place: int, link: str | None, subjects: tuple[str, ...], tier: str, aspect: str
    ) -> None:
        options: dict[str, Any] = {"subjects": subjects, "tier": tier, "aspects": [aspect], "episode": "walk"}
        if link is not None:
            options[link] = [self.key(owner, place)]
        self.do(owner, "remember", text, **options)

    @rule(
        owner=owners,
        subject=st.sampled_from(SUBJECTS),
        attribute=st.sampled_from((("city", False), ("city", False), ("likes", True))),
        value=st.sampled_from(("tea", "Rain", "rain", "owl")),
        since=days,
        lasts=lengths,
        aspect=st.sampled_from(("semantic", "semantic", "procedural")),
        said=st.booleans(),
    )
    def believe(
        self,
        owner: str,
        subject: str,
        attribute: tuple[str, bool],
        value: str,
        since: int,
        lasts: int | None,
        aspect: str,
        said: bool,
    ) -> None:
        name, many = attribute
        times = {"valid_from": NOON + since * DAY, "valid_to": None if lasts is None else NOON + (since + lasts) * DAY}
        if said:
            fact = {"subject": subject, "attribute": name, "value": value, "many": many}
            self.do(owner, "remember", "told so", subjects=[subject], fact=fact, aspects=[aspect], **times)
        else:
            self.do(owner, "believe", subject, name, value, many=many, aspects=[aspect], **times)

    @rule(value=st.sampled_from(("tea", "Rain", "rain")), since=days, lasts=lengths)
    def believe_of_one(self, value: str, since: int, lasts: int | None) -> None:
        """Of one owner, subject and attribute, so that beliefs meet."""
        self.believe(OWNERS[0], SUBJECTS[0], ("city", False), value, since, lasts, "semantic", said=False)

    @rule(
        owner=owners,
        subject=st.sampled_from(SUBJECTS),
        attribute=st.sampled_from((None, "city")),
        erase=st.sampled_from((False, False, True)),
    )
    def disbelieve(self, owner: str, subject: str, attribute: str | None, erase: bool) -> None:
        self.do(owner, "disbelieve", subject, attribute, erase=erase)

    @rule(owner=owners, some=st.lists(places, min_size=1, max_size=2), derived=st.booleans())
    def erase(self, owner: str, some: list[int], derived: bool) -> None:
        keys = sorted({self.key(owner, place) for place in some})
        self.do(owner, "erase", keys, confirm=True, with_derived=derived)

    @rule(owner=owners, text=st.sampled_from(("rain", "city")))
    def erase_what_says(self, owner: str, text: str) -> None:
        self.do(owner, "erase", containing=text, confirm=True)
        with self.pure.view() as view:
            assert [record for record in view.records(owner) if text in repr(record.memory.given)] == []

    @rule(subject=st.sampled_from(SUBJECTS), which=st.sampled_from(("withdraw", "withdraw", "purge")))
    def withdraw(self, subject: str, which: str) -> None:
        options = {"confirm": True} if which == "purge" else {}
        fresh = self._memories(self.pure, self.names)
        receipts = [getattr(memories, which)(subject, **options) for memories in (self.served, fresh)]
        assert attrs.evolve(receipts[0], waits=()) == attrs.evolve(receipts[1], waits=())
        for memories in (self.served, fresh):
            before, heads = contents_of(self.store), [memories.owner(name).revision() for name in OWNERS]
            again = getattr(memories, which)(subject, **options)
            assert (again.memories, again.links, again.notes, again.revisions) == (0, 0, 0, ())
            assert contents_of(self.store) == before
            assert [memories.owner(name).revision() for name in OWNERS] == heads

    @rule(owner=owners, place=places)
    def forget(self, owner: str, place: int) -> None:
        self.do(owner, "forget", self.key(owner, place))

    @rule(owner=owners, text=st.sampled_from(("rain", "city")), dry=st.booleans())
    def forget_what_says(self, owner: str, text: str, dry: bool) -> None:
        self.do(owner, "forget", containing=text, dry_run=dry)

    @rule(owner=owners, place=places)
    def reinstate(self, owner: str, place: int) -> None:
        self.do(owner, "reinstate", self.key(owner, place))

    @rule(owner=owners, place=places, approve=st.booleans(), confirm=st.booleans())
    def review(self, owner: str, place: int, approve: bool, confirm: bool) -> None:
        held = [waiting.memory.key for waiting in self.served.owner(owner).reviews(k=20)]
        key = held[place % len(held)] if held else self.key(owner, place)
        self.do(owner, "review", key, approve, confirm=confirm)

    @rule(owner=owners, place=places, text=texts)
    def correct(self, owner: str, place: int, text: str) -> None:
        self.do(owner, "correct", self.key(owner, place), content=text)

    @rule(owner=owners, a=places, b=places, which=st.sampled_from(("contradict", "resolve")))
    def contradict(self, owner: str, a: int, b: int, which: str) -> None:
        self.do(owner, which, self.key(owner, a), self.key(owner, b), reason="because")

    @rule(
        owner=owners, some=st.lists(places, min_size=2, max_size=3), which=st.sampled_from(("associate", "dissociate"))
    )
    def associate(self, owner: str, some: list[int], which: str) -> None:
        self.do(owner, which, sorted({self.key(owner, place) for place in some}), "walk")

    @rule(owner=owners, place=places, tier=st.sampled_from(("open", "private")))
    def reclassify(self, owner: str, place: int, tier: str) -> None:
        self.do(owner, "reclassify", self.key(owner, place), tier)

    @rule(owner=owners, place=places)
    def reinforce(self, owner: str, place: int) -> None:
        self.do(owner, "reinforce", self.key(owner, place))

    @rule(owner=owners, threshold=st.sampled_from((0, 0.4)))
    def consolidate(self, owner: str, threshold: float) -> None:
        self.do(owner, "consolidate", threshold=threshold)

    @rule(owner=owners, dry=st.booleans())
    def prune(self, owner: str, dry: bool) -> None:
        self.do(owner, "prune", threshold=0.3, dry_run=dry)

    @rule(subject=st.sampled_from(SUBJECTS), audiences=st.sampled_from(((), ("team",))))
    def consent(self, subject: str, audiences: tuple[str, ...]) -> None:
        fresh = self._memories(self.pure, self.names)
        assert self.served.consent(subject, audiences) == fresh.consent(subject, audiences)

    def answers(self, memories: Memories, name: str, as_of: int | None = None) -> dict[str, Any]:
        """All that can be asked of an owner now, or of a revision."""
        owner = memories.owner(name)
        recalled = [to_plain(owner.recall(query, k=30, as_of=as_of, explain=True)) for query in QUERIES]
        valid = [owner.recall("tea city", k=30, as_of=as_of, valid_at=NOON + day * DAY) for day in (-2, 2)]
        beliefs = [to_plain(owner.beliefs(subject, history=True, as_of=as_of)) for subject in SUBJECTS]
        held = [
            [belief.key for belief in owner.beliefs(subject, valid_at=NOON + day * DAY, as_of=as_of)]
            for subject in SUBJECTS
            for day in (-2, 0, 2)
        ]
        made = [hit.memory.key for hit in owner.recall(None, k=100, as_of=as_of)]
        whys = [to_plain(owner.why(key, as_of=as_of)) for key in made]
        return {
            "recalled": recalled,
            "valid": [to_plain(a) for a in valid],
            "beliefs": beliefs,
            "held": held,
            "whys": whys,
        }

    @invariant()
    def every_answer_is_that_of_the_pure_state(self) -> None:
        fresh = self._memories(self.pure, self.names)
        for name in OWNERS:
            now = self.answers(self.served, name)
            assert now == self.answers(fresh, name)
            assert to_plain(self.served.owner(name).stats()) == to_plain(fresh.owner(name).stats())
            revision = self.served.owner(name).revision()
            erased = self.erasures(name)
            if erased != self.erased.get(name):
                # What was told before is told no more, and never again.
                self.told = {place: told for place, told in self.told.items() if place[0] != name}
                self.erased[name] = erased
            self.told.setdefault((name, revision), _lasting(now))

    def erasures(self, name: str) -> int:
        with self.pure.view() as view:
            fence = Fence(FenceKind.ERASURE, name)
            return view.fences([fence])[fence]

    @invariant()
    def the_team_sees_the_same(self) -> None:
        fresh = self._memories(self.pure, self.names)
        for name in OWNERS:
            seen = [to_plain(m.owner(name).recall("tea city", audience="team")) for m in (self.served, fresh)]
            assert seen[0] == seen[1]

    @invariant()
    def the_past_is_what_was_told(self) -> None:
        for (name, revision), told in self.told.items():
            assert _lasting(self.answers(self.served, name, revision)) == told

    @invariant()
    def what_was_erased_is_in_no_answer(self) -> None:
        for name in OWNERS:
            owner = self.served.owner(name)
            with self.pure.view() as view:
                gone = {record.memory.key for record in view.records(name) if record.memory.erased is not None}
                head = view.head(name).revision
            for revision in {1, head // 2, head - 1} & set(range(1, head)):
                told = [hit for query in QUERIES for hit in owner.recall(query, k=100, as_of=revision)]
                assert gone.isdisjoint(hit.memory.key for hit in told)
            for key in gone:
                why = owner.why(key)
                assert (why.memory.content, why.memory.facets, why.memory.sources, why.memory.fact) == (
                    "",
                    (),
                    (),
                    None,
                )
                assert (why.contradictions, why.associations) == ((), ())
                assert {event.reason for event in why.history} == {None}

    @invariant()
    def the_index_is_that_of_a_fresh_look(self) -> None:
        assert self.served.doctor(deep=True).findings == ()

    @invariant()
    def at_most_one_value_is_live(self) -> None:
        for name in OWNERS:
            for subject in SUBJECTS:
                for day in range(-4, 5):
                    beliefs = self.served.owner(name).beliefs(subject, attribute="city", valid_at=NOON + day * DAY)
                    assert len(beliefs) <= 1


_OF_TODAY = {
    "of_today", "confidence", "salience", "uses", "tier", "subjects", "sources", "trust", "cursor", "revision", "supersedes"
}  # fmt: skip
"""What an answer about the past tells as it is now; the revision of a memory's own events stays."""


def _lasting(answer: Any) -> Any:
    """An answer without what is told as it is today."""
    if isinstance(answer, dict):
        return {name: _lasting(value) for name, value in answer.items() if name not in _OF_TODAY}
    if isinstance(answer, list):
        return [_lasting(item) for item in answer]
    return answer


@pytest.mark.parametrize("case", STORE_CASES, ids=lambda case: case.name)
def test_a_life_is_answered_as_the_pure_state_answers_it(case: StoreCase) -> None:
    lives = type("Lives", (WholeLives,), {"case": case})

    run_state_machine_as_test(lives, settings=settings(stateful_step_count=16, deadline=None))
