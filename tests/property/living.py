"""Lives: a pure state, and every operation on it, each by its name and drawn values. What the laws walk through."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs
from hypothesis import settings
from hypothesis import strategies as st

from reminisce.domain.memory import Memory
from reminisce.domain.planning.believe import plan_believe, plan_disbelieve
from reminisce.domain.planning.consent import plan_consent
from reminisce.domain.planning.correct import plan_correct
from reminisce.domain.planning.fading import Fading, plan_consolidate, plan_prune
from reminisce.domain.planning.forget import plan_forget, plan_reinstate
from reminisce.domain.planning.linking import plan_associate, plan_contradict, plan_dissociate, plan_resolve
from reminisce.domain.planning.plan import Occasion, Plan
from reminisce.domain.planning.reclassify import plan_reclassify
from reminisce.domain.planning.reinforce import plan_reinforce
from reminisce.domain.planning.remember import plan_remember
from reminisce.domain.planning.review import plan_review
from reminisce.domain.policy import Rules
from reminisce.domain.records import Event, Link, LinkKind, Record
from reminisce.domain.requests import read_belief, read_changes, read_request
from reminisce.domain.retention import retention
from reminisce.domain.state import State, apply
from reminisce.domain.values import Destination, Status, Tier
from reminisce.domain.visibility import OWNER_ITSELF, Viewer
from reminisce.errors import NotFoundError, ReminisceError

OWNER, OTHER = "agent:alice", "agent:bob"
SUBJECTS = ("person:p", "person:q")
MANY = {"home": False, "likes": True}
"""The attributes, and whether each holds several values."""
VALUES = ("Riga", "ＲＩＧＡ ", "Oslo", "Bonn")
NAMES = ("a", "b", "a:b", "b:c", "c")
REVIEWED = "procedural"
"""What is kept of this aspect waits for review."""

EPOCH = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
START = EPOCH + dt.timedelta(days=4)
"""When a life starts: in the middle of the days that are drawn, so that validity is past, present and still to come."""

BATCH = 2
"""Memories in one commit of a consolidation; few, so that there are several."""

REMOTE = Viewer(None, Destination.REMOTE)
VIEWERS = (OWNER_ITSELF, REMOTE, Viewer("team"), Viewer("team", Destination.REMOTE))


def day(number: float) -> dt.datetime:
    """A time, counted in days."""
    return EPOCH + dt.timedelta(days=number)


def at_least(examples: int) -> settings:
    """That many examples, or as many as the profile says where that is more."""
    return settings(max_examples=max(examples, settings().max_examples))


days = st.integers(0, 8)
places = st.integers(0, 30)
few = st.integers(0, 3)
"""Places among the oldest memories: chains of replacing and bringing back need the same ones again."""


@st.composite
def validities(draw: st.DrawFn) -> dict[str, dt.datetime]:
    """Said or left out, never empty."""
    since, length = draw(st.one_of(st.none(), days)), draw(st.one_of(st.none(), st.integers(1, 4)))
    found = {} if since is None else {"valid_from": day(since)}
    return found if length is None else found | {"valid_to": day(length + (8 if since is None else since))}


@st.composite
def beliefs(draw: st.DrawFn) -> dict[str, Any]:
    """What `believe` takes; now and then with a name, with something that it replaces, by one who sees little."""
    said = {
        "subject": draw(st.sampled_from((SUBJECTS[0], *SUBJECTS))),
        "attribute": draw(st.sampled_from(("home", "home", "likes"))),
        "value": draw(st.sampled_from(VALUES)),
        **draw(validities()),
    }
    more = {
        "tier": st.sampled_from(("open", "private")),
        "confidence": st.sampled_from((0.2, 0.9)),
        "sources": st.sampled_from((["doc:gate"], ["doc:tea"])),
        "subjects": st.just(list(SUBJECTS)),
        "aspects": st.just([REVIEWED]),
        "viewer": st.sampled_from(VIEWERS),
        "request_key": st.sampled_from(("r1", "r2")),
        "supersedes": st.lists(places, min_size=1, max_size=1),
        "derived_from": st.lists(places, min_size=1, max_size=1),
    }
    for name in draw(st.lists(st.sampled_from(tuple(more)), max_size=2, unique=True)):
        said[name] = draw(more[name])
    return said


facts = st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(tuple(MANY)), st.sampled_from(VALUES))


@st.composite
def lines(draw: st.DrawFn) -> dict[str, Any]:
    """What `remember` takes."""
    said: dict[str, Any] = {"content": draw(st.sampled_from(("tea", "rain")))}
    more: dict[str, st.SearchStrategy[Any]] = {
        "key": st.sampled_from(NAMES),
        "tier": st.sampled_from(("open", "private")),
        "subjects": st.lists(st.sampled_from(SUBJECTS), max_size=1),
        "supersedes": st.lists(places, max_size=2),
        "derived_from": st.lists(places, max_size=2),
        "fact": facts,
        "validity": validities(),
        "sources": st.sampled_from((["doc:gate"], ["doc:tea"])),
        "aspects": st.just([REVIEWED]),
        "salience": st.sampled_from((0.02, 0.9)),
    }
    for name in draw(st.lists(st.sampled_from(tuple(more)), max_size=3, unique=True)):
        said |= draw(more[name]) if name == "validity" else {name: draw(more[name])}
    return said


CHANGES: Mapping[str, st.SearchStrategy[dict[str, Any]]] = {
    "content": st.fixed_dictionaries({"content": st.sampled_from(("tea", "snow"))}),
    "tier": st.fixed_dictionaries({"tier": st.sampled_from(("open", "private"))}),
    "salience": st.fixed_dictionaries({"salience": st.just(0.7)}),
    "fact": st.fixed_dictionaries({"fact": facts}),
    "validity": validities(),
}

STEPS: Mapping[str, st.SearchStrategy[Any]] = {
    "remember": st.lists(lines(), min_size=1, max_size=3),
    "replace": few,
    "believe": beliefs(),
    "disbelieve": st.tuples(st.sampled_from(SUBJECTS), st.sampled_from((None, *MANY))),
    "forget": st.one_of(st.lists(few, min_size=1, max_size=1), st.lists(places, min_size=1, max_size=2)),
    "reinstate": st.tuples(
        st.one_of(few, places), st.sampled_from((None, Status.RETIRED, Status.RETIRED, Status.SUPERSEDED))
    ),
    "review": st.tuples(places, st.sampled_from((True, True, False))),
    "correct": st.tuples(places, st.sampled_from(tuple(CHANGES)).flatmap(CHANGES.__getitem__)),
    "reclassify": st.tuples(places, st.sampled_from(tuple(Tier))),
    "stricter": st.one_of(few, places),
    "reinforce": places,
    "consolidate": st.tuples(st.sampled_from((1, 30)), st.sampled_from((0, 50))),
    "prune": st.tuples(st.sampled_from((1, 30)), st.sampled_from((5, 300))),
    "associate": st.tuples(places, places),
    "dissociate": places,
    "contradict": st.tuples(places, places),
    "resolve": places,
    "consent": st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(((), ("team",), ("team", "press")))),
    "wait": st.sampled_from((1, 2)),
}
"""Every operation, and what it is drawn with. Memories are named by their places among those that are there."""

Steps = list[tuple[str, Any]]


def step(name: str) -> st.SearchStrategy[tuple[str, Any]]:
    """One operation of that name."""
    return st.tuples(st.just(name), STEPS[name])


def histories(names: Iterable[str], most: int = 20) -> st.SearchStrategy[Steps]:
    """Lists of operations of those names; one that is named twice comes twice as often."""
    return walks(st.one_of([step(name) for name in names]), most)


def walks(steps: st.SearchStrategy[tuple[str, Any]], most: int) -> st.SearchStrategy[Steps]:
    """Lists of steps, half of them long ones: left alone, Hypothesis hardly goes beyond five."""
    return st.one_of(st.lists(steps, min_size=1, max_size=most), st.lists(steps, min_size=most // 2, max_size=most))


BELIEVING = ("believe", "believe", "believe", "believe", "remember", "disbelieve", "forget", "reinstate", "reinstate",
             "review", "correct", "wait")  # fmt: skip
"""What moves beliefs in time."""


@attrs.define
class Life:
    """A state and what was done to it. Each step is an hour after the one before."""

    state: State = attrs.field(factory=lambda: State("0" * 32))
    steps: int = 0
    waited: dt.timedelta = dt.timedelta(0)
    past: dict[int, State] = attrs.field(factory=dict)
    """What the state was at each revision of `OWNER`."""

    @property
    def now(self) -> dt.datetime:
        """The clock's time."""
        return START + self.waited + dt.timedelta(hours=self.steps)

    def live(self, history: Steps) -> "Life":
        """Walk through a history, whatever is refused on the way."""
        for operation, value in history:
            self.step(operation, value)
        return self

    def records(self, owner: str = OWNER) -> list[Record]:
        """Every memory with its history, in canonical order."""
        return list(self.state.records(owner))

    def memories(self, owner: str = OWNER) -> dict[str, Memory]:
        """Every memory by its key, in canonical order."""
        return {record.memory.key: record.memory for record in self.records(owner)}

    def last(self, owner: str = OWNER) -> dict[str, Event]:
        """The last event of each memory."""
        return {record.memory.key: record.history[-1] for record in self.records(owner)}

    def links(self, owner: str = OWNER) -> dict[str, Link]:
        """Every link by its name."""
        held = self.state.links(owner, self.memories(owner))
        return {link.name: link for links in held.values() for link in links}

    def key(self, place: int, owner: str = OWNER, status: Status | None = None) -> str:
        """The memory at a place, of those of *status* where there are any; now and then one that is not there."""
        keys = [key for key, memory in self.memories(owner).items() if memory.status is status]
        keys = keys or [*self.memories(owner), "nobody"]
        return keys[place % len(keys)]

    def step(self, operation: str, value: Any, owner: str = OWNER, number: int | None = None) -> Any:
        """
        One operation's answer; None when it was refused.

        Args:
            number: Of the step, where it is not the next: it decides the time, and what is made is called.
        """
        self.steps = self.steps + 1 if number is None else number
        if operation == "wait":
            self.waited += dt.timedelta(days=value)
            return None
        try:
            if operation == "consolidate":
                return self.consolidate(owner, self.now, *value)
            return self.commit(self.plan(operation, value, owner))
        except ReminisceError:
            return None

    def commit(self, plan: Plan[Any]) -> Any:
        """What was planned, done."""
        if plan.commit is not None:
            self.state = apply(self.state, plan.commit)
            self.past[self.state.head(OWNER).revision] = self.state
        return plan.answer

    def consolidate(
        self,
        owner: str,
        until: dt.datetime,
        half_life: int,
        threshold: int,
        after: Callable[[], None] = lambda: None,
    ) -> bool:
        """As the service does, batch by batch, and *after* each. Whether the interval was not consolidated before."""
        fading = Fading(half_life=dt.timedelta(days=half_life), decay=retention, threshold=threshold)
        place, last, done = (0, -1), not self.memories(owner), False
        while not last:
            part = self.commit(
                plan_consolidate(
                    self.state,
                    owner,
                    place,
                    BATCH,
                    until=until,
                    fading=fading,
                    viewer=OWNER_ITSELF,
                    occasion=self.occasion(f"-{place}"),
                )
            )
            if part is None:
                break
            place, last, done = part.end, part.last, True
            after()
        return done

    def occasion(self, more: str = "") -> Occasion:
        """That of this step."""
        return Occasion(now=self.now, actor="test", commit_id=f"c{self.steps}{more}")

    def resolved(self, line: Mapping[str, Any], owner: str = OWNER) -> dict[str, Any]:
        """A line with keys for places, and with its fact's subject among its subjects."""
        raw = dict(line)
        for name in {"supersedes", "derived_from"} & line.keys():
            raw[name] = [one if isinstance(one, str) else self.key(one, owner) for one in line[name]]
        if "fact" in line:
            subject, attribute, said = line["fact"]
            raw["fact"] = {"subject": subject, "attribute": attribute, "value": said, "many": MANY[attribute]}
            raw["subjects"] = [subject, *line.get("subjects", ())]
        return raw

    def plan(self, operation: str, value: Any, owner: str = OWNER) -> Plan[Any]:
        """What an operation would do."""
        state, name, rules = self.state, f"m{self.steps:03}", Rules(review_aspects=frozenset({REVIEWED}))
        common: dict[str, Any] = {"viewer": OWNER_ITSELF, "occasion": self.occasion()}
        match operation:
            case "remember":
                requests = [read_request(self.resolved(line, owner)) for line in value]
                names = [f"{name}-{place}" for place in range(len(requests))]
                return plan_remember(state, owner, requests, names, rules=rules, **common)
            case "replace":
                old = self.key(value, owner)
                request = read_request({"content": f"rain {name}", "supersedes": [old], "derived_from": [old]})
                return plan_remember(state, owner, [request], [name], rules=rules, **common)
            case "believe":
                raw = self.resolved(value, owner)
                common["viewer"] = raw.pop("viewer", OWNER_ITSELF)
                subject, attribute, said = (raw.pop(part) for part in ("subject", "attribute", "value"))
                belief = read_belief(subject, attribute, said, raw.pop("many", MANY[attribute]), raw)
                return plan_believe(state, owner, belief, name, rules=rules, **common)
            case "disbelieve":
                return plan_disbelieve(state, owner, *value, reason="wrong", **common)
            case "forget":
                return plan_forget(state, owner, [self.key(place, owner) for place in value], **common)
            case "reinstate":
                return plan_reinstate(state, owner, self.key(value[0], owner, value[1]), **common)
            case "review":
                key = self.key(value[0], owner, Status.HELD)
                return plan_review(state, owner, key, approve=value[1], confirm=True, **common)
            case "correct":
                key = self.key(value[0], owner, Status.ACTIVE)
                changes, changed = read_changes(self._change(key, value[1], owner))
                return plan_correct(state, owner, key, changes, changed, name, rules=rules, **common)
            case "reclassify":
                return plan_reclassify(state, owner, self.key(value[0], owner), value[1], **common)
            case "stricter":
                return plan_reclassify(state, owner, self.key(value, owner), Tier.PRIVATE, **common)
            case "reinforce":
                return plan_reinforce(state, owner, self.key(value, owner, Status.ACTIVE), **common)
            case "prune":
                fading = Fading(half_life=dt.timedelta(days=value[0]), decay=retention, threshold=value[1])
                return plan_prune(state, owner, fading=fading, dry_run=False, **common)
            case "consent":
                return plan_consent(state, *value, commit_id=common["occasion"].commit_id)
            case "associate":
                return plan_associate(state, owner, self.two(value, owner), kind="near", **common)
            case "dissociate":
                return plan_dissociate(
                    state, owner, self.tied(value, LinkKind.ASSOCIATION, owner), kind="near", **common
                )
            case "contradict":
                return plan_contradict(state, owner, *self.two(value, owner), reason="no", **common)
            case "resolve":
                return plan_resolve(
                    state, owner, *self.tied(value, LinkKind.CONTRADICTION, owner), reason="yes", **common
                )
        raise AssertionError(operation)

    def two(self, places: tuple[int, int], owner: str) -> tuple[str, str]:
        """The memories at two places; as the service, it has no two where both are one."""
        a, b = (self.key(place, owner) for place in places)
        if a == b:
            raise NotFoundError("b")
        return a, b

    def tied(self, place: int, kind: LinkKind, owner: str) -> tuple[str, str]:
        """The members of the link of *kind* in force at a place."""
        held = [link for link in self.links(owner).values() if link.kind is kind and link.until is None]
        if not held:
            raise NotFoundError("keys")
        (_, a), (_, b) = held[place % len(held)].members
        return a, b

    def _change(self, key: str, change: Mapping[str, Any], owner: str) -> dict[str, Any]:
        if "fact" not in change:
            return dict(change)
        raw = self.resolved(change, owner)
        memory = self.memories(owner).get(key)
        return raw | {"subjects": [*raw["subjects"], *(memory.given.subjects if memory else ())]}


def everything(state: State) -> Any:
    """All that a state tells, for comparing two: order of what has no order does not count."""
    told = {}
    for owner in state.owners():
        records = list(state.records(owner))
        keys = [record.memory.key for record in records]
        told[owner] = (
            state.head(owner),
            records,
            list(state.log(owner, since=0)),
            dict(state.links(owner, keys)),
            [dict(state.ties(owner, keys, kind, role)) for kind, role in ROLES],
            [state.facts(owner, ref) for ref in SUBJECTS],
            dict(state.valued(owner, MANY)),
            dict(state.citing(owner, {source for record in records for source in record.memory.sources})),
        )
    return told, dict(state.subjects(SUBJECTS)), {ref: state.about(ref, limit=1000) for ref in SUBJECTS}


ROLES = (
    (LinkKind.DERIVATION, "derived"),
    (LinkKind.DERIVATION, "source"),
    (LinkKind.SUPERSESSION, "newer"),
    (LinkKind.SUPERSESSION, "older"),
    (LinkKind.SUCCESSION, "newer"),
    (LinkKind.SUCCESSION, "older"),
    (LinkKind.CONTRADICTION, "side"),
    (LinkKind.ASSOCIATION, "member"),
)
"""Kinds of links, and what a memory may play in them."""
