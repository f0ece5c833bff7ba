"""Readiness 2. Nothing is lost: random operations of every kind, against the pure state, on every adapter."""

import datetime as dt
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from reminisce import Allow, Face, Hold, Memories, Memory, Owner, Refuse, ReminisceError, Status
from reminisce.adapters.analysers import DefaultAnalyser
from reminisce.app.service import indexes
from reminisce.testing import StoreCase
from reminisce.testing.contents import contents, contents_of
from reminisce.testing.fakes import CountingIdentifiers, FixedClock
from reminisce.testing.writing import ALICE, BOB
from tests.criteria.watched import Watched

OPERATIONS = 1_000
"""In one life. A campaign raises it, and the number of lives: the same code at any size."""

LIVES = 1

LOOK_EVERY = 100
"""Operations between two comparisons of all that the store holds."""

REFS = ("p", "q", "r")
TIERS = ("open", "open", "open", "redacted", "private")


class Moody:
    """A policy that does not let everything in."""

    def check(self, owner: str, memory: Memory, /) -> Allow | Hold | Refuse:
        if "gossip" in memory.content:
            return Refuse("gossip")
        return Hold("rumour") if "rumour" in memory.content else Allow()


@define
class Life:
    """Two owners, two services over one store, and what their callers were told."""

    watched: Watched
    chance: random.Random
    clock: FixedClock = field(factory=FixedClock)
    services: list[Memories] = field(factory=list)
    told: dict[tuple[str, str], str | None] = field(factory=dict)
    """Of every memory that a caller was told of as made, its content; None where the library chose the words."""
    done: Counter[str] = field(factory=Counter)
    refused: Counter[str] = field(factory=Counter)

    def __attrs_post_init__(self) -> None:
        for number in (1, 2):
            self.services.append(
                Memories(
                    self.watched,
                    analyser=DefaultAnalyser(),
                    clock=self.clock,
                    identifiers=CountingIdentifiers(number * 10_000_000),
                    face=Face(reviewer="rita", review_aspects=frozenset({"semantic"})),
                    policy=Moody(),
                )
            )

    def key(self, owner: str) -> str:
        """A key of the owner's, most often one of the last; now and then one that nobody holds."""
        keys = [key for name, key in self.told if name == owner][-30:]
        return self.chance.choice([*keys, "nobody"])

    def keys(self, owner: str, most: int) -> list[str]:
        return [self.key(owner) for _ in range(self.chance.randint(1, most))]

    def time(self) -> dt.datetime:
        return self.clock.time + dt.timedelta(days=self.chance.randint(-9, 9))

    def words(self) -> str:
        kind = self.chance.choice(("tea", "tea", "gate", "road", "rumour", "gossip"))
        return f"{kind} {self.chance.randint(1, 60)}"

    def attributes(self, owner: str) -> dict[str, Any]:
        """Those of a memory to be kept, some of them."""
        chance = self.chance
        possible: dict[str, Any] = {
            "key": f"k{chance.randint(1, 400)}",
            "request_key": f"r{chance.randint(1, 400)}",
            "tier": chance.choice(TIERS),
            "subjects": chance.sample(REFS, chance.randint(0, 2)),
            "sources": [f"doc:{chance.randint(1, 5)}"],
            "facets": {"colour": chance.choice(("red", "green"))},
            "episode": chance.choice(("e", "f")),
            "aspects": [chance.choice(("episodic", "procedural", "semantic"))],
            "occurred_at": self.time(),
            "salience": chance.choice((0.01, 0.3, 1)),
            "derived_from": self.keys(owner, 2),
            "supersedes": self.keys(owner, 1),
        }
        return {name: value for name, value in possible.items() if chance.random() < 0.2}

    def kept(self, owner: str, key: str, content: str | None) -> None:
        self.told.setdefault((owner, key), content)

    def look(self) -> None:
        """All that the store holds is what the pure state holds, and what callers were told."""
        commits = self.watched.commits[-LOOK_EVERY:]
        held = contents_of(self.watched, refs=REFS, commits=commits)
        assert held == contents(self.watched.state, refs=REFS, commits=commits)
        for (name, key), content in self.told.items():
            memory = held["held"][name]["memories"][key]
            assert content in (None, memory.content)


def remember(life: Life, owner: Owner) -> Any:
    content = life.words()
    answer = owner.remember(content, **life.attributes(owner.name))
    life.kept(owner.name, answer.key, content)
    return answer


def remember_many(life: Life, owner: Owner) -> Any:
    batch = [{"content": life.words(), **life.attributes(owner.name)} for _ in range(life.chance.randint(1, 4))]
    answer = owner.remember_many(batch)
    for line, raw in zip(answer.lines, batch, strict=True):
        life.kept(owner.name, line.key, raw["content"])
    return answer


def believe(life: Life, owner: Owner) -> Any:
    chance = life.chance
    validity = {name: life.time() for name in ("valid_from", "valid_to") if chance.random() < 0.3}
    attribute, value = chance.choice(("city", "pet")), chance.choice(("Riga", "RIGA", "Oslo", "Bern"))
    answer = owner.believe(chance.choice(REFS), attribute, value, **life.attributes(owner.name) | validity)
    life.kept(owner.name, answer.key, None)
    return answer


def correct(life: Life, owner: Owner) -> Any:
    changes = {"content": life.words(), "tier": life.chance.choice(TIERS), "episode": "g", "sources": []}
    chosen = life.chance.choice(list(changes))
    answer = owner.correct(life.key(owner.name), **{chosen: changes[chosen]})
    life.kept(owner.name, answer.key, None)
    return answer


def promote(life: Life, owner: Owner) -> Any:
    content = life.words()
    answer = owner.promote(owner.note(content, **life.attributes(owner.name)).name)
    life.kept(owner.name, answer.key, content)
    return answer


def forget_some(life: Life, owner: Owner) -> Any:
    return owner.forget(containing=f" {life.chance.randint(1, 60)}", dry_run=life.chance.random() < 0.2)


def review(life: Life, owner: Owner) -> Any:
    waiting = [held.memory.key for held in owner.reviews(k=5)]
    chance = life.chance
    return owner.review(
        chance.choice([*waiting, life.key(owner.name)]), chance.random() < 0.7, confirm=chance.random() < 0.5
    )


def consent(life: Life, owner: Owner) -> None:
    audiences = life.chance.sample(("team", "press"), life.chance.randint(0, 2))
    life.chance.choice(life.services).consent(life.chance.choice(REFS), audiences)


def contradict(life: Life, owner: Owner) -> Any:
    claim = life.keys(owner.name, 1) if life.chance.random() < 0.3 else None
    return owner.contradict(life.key(owner.name), life.key(owner.name), claim=claim)


def ask(life: Life, owner: Owner) -> None:
    """Reading writes nothing, whatever is asked."""
    before = len(life.watched.commits)
    owner.recall(life.words(), explain=True)
    owner.as_of(life.time())
    owner.beliefs("p", valid_at=life.time())
    owner.stats()
    assert len(life.watched.commits) == before
    owner.why(life.key(owner.name), as_of=life.chance.choice((None, life.time())))


DOING: dict[str, Callable[[Life, Owner], Any]] = {
    "remember": remember,
    "remember_many": remember_many,
    "believe": believe,
    "correct": correct,
    "promote": promote,
    "forget": lambda life, owner: owner.forget(life.keys(owner.name, 3), reason="why not"),
    "forget some": forget_some,
    "reinstate": lambda life, owner: owner.reinstate(life.key(owner.name)),
    "review": review,
    "reclassify": lambda life, owner: owner.reclassify(life.key(owner.name), life.chance.choice(TIERS)),
    "reinforce": lambda life, owner: owner.reinforce(life.key(owner.name)),
    "consolidate": lambda _, owner: owner.consolidate(threshold=0.002),
    "prune": lambda _, owner: owner.prune(threshold=0.002),
    "disbelieve": lambda life, owner: owner.disbelieve(life.chance.choice(REFS), "pet"),
    "contradict": contradict,
    "resolve": lambda life, owner: owner.resolve(life.key(owner.name), life.key(owner.name)),
    "associate": lambda life, owner: owner.associate(life.keys(owner.name, 3), life.chance.choice(("trip", "topic"))),
    "dissociate": lambda life, owner: owner.dissociate(life.keys(owner.name, 3), "trip"),
    "consent": consent,
    "ask": ask,
}


def step(life: Life) -> None:
    """One operation, by one of the services. What is refused leaves everything as it was."""
    life.clock.time += dt.timedelta(hours=life.chance.randint(-1, 4))
    operation = life.chance.choice(list(DOING))
    owner = life.chance.choice(life.services).owner(life.chance.choice((ALICE, BOB)))
    before = life.watched.state
    try:
        answer = DOING[operation](life, owner)
    except ReminisceError as error:
        life.refused[f"{operation} {error.code}"] += 1
        assert life.watched.state == before
        return
    life.done[operation] += 1
    if answer is not None:
        assert answer.revision == life.watched.state.head(owner.name).revision


@pytest.mark.parametrize("life", range(LIVES))
def test_random_operations_leave_what_the_pure_state_says_and_callers_were_told(
    case: StoreCase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, life: int
) -> None:
    monkeypatch.setattr(indexes, "SAVE_EVERY", 64)
    watched = Watched(case.open(tmp_path))
    lived = Life(watched, random.Random(life))

    for number in range(1, OPERATIONS + 1):
        step(lived)
        if number % LOOK_EVERY == 0:
            lived.look()

    assert lived.done.keys() == DOING.keys()
    assert len(lived.refused) >= 20
    statuses: Counter[Status] = Counter()
    for name in (ALICE, BOB):
        memories = [record.memory for record in watched.state.records(name)]
        active = {memory.key for memory in memories if memory.status is Status.ACTIVE}
        statuses.update(memory.status for memory in memories)
        for owner in (service.owner(name) for service in lived.services):
            assert {hit.memory.key for hit in owner.recent(k=1_000)} == active
            assert owner.stats().by_status == Counter(str(memory.status) for memory in memories)
        revisions = [entry.revision for entry in watched.state.log(name, since=0)]
        assert revisions == list(range(1, watched.state.head(name).revision + 1))
    assert statuses.keys() == set(Status) - {Status.WITHDRAWN}
    _opened_again(case, tmp_path, lived)


def _opened_again(case: StoreCase, folder: Path, life: Life) -> None:
    """What a durable store holds survives its closing; the last piece of an index that a close saves is no memory."""
    if case.durable:
        for service in life.services:
            service.close()
        life.watched.store = case.open(folder)
        life.look()
    life.watched.close()
