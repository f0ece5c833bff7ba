"""Every public output of a face, by the name of what gives it, and a life full of words that must not be in them."""

import io
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import attrs
from hypothesis import strategies as st
from mcp import Client
from mcp_types import TextContent

from reminisce import Destination, Hold, Memories, Memory, Owner, ReminisceError, Status, Store, Tier
from reminisce.app.mcp import PAGE
from reminisce.app.mcp.server import make_server
from reminisce.app.mcp.tools import tools
from reminisce.codec import to_json
from reminisce.domain.masking import NO_MASKS, Masks
from reminisce.domain.records import Link, Record
from reminisce.domain.values import DEFAULT_ASPECTS
from reminisce.testing.writing import ALICE
from tests.unit.app.worlds import Deciding, World

SUBJECTS = ("person:p", "person:q")
ATTRIBUTES = ("home", "likes")
MASKED = "Falcon"
"""The term that is masked."""

MASKS = Masks(terms=(MASKED,))
REVIEWED = "procedural"
"""What is kept of this aspect waits for review."""

WORD = re.compile("zq[0-9]+x")
"""What a planted word looks like: one term to the analyser, in no text of the product's."""

NOWHERE = "zq0x"
"""A word that was planted nowhere."""


def public(kind: type) -> set[str]:
    """What a caller may use of a class."""
    return {name for name in dir(kind) if not name.startswith("_")}


class Planter:
    """Gives words, each once."""

    def __init__(self) -> None:
        self.count = 0

    def word(self) -> str:
        self.count += 1
        return f"zq{self.count}x"

    def text(self) -> str:
        return f"tea {self.word()}"


@attrs.define
class Planted:
    """A world whose owner keeps what is drawn, every text of it with a word of its own."""

    store: Store
    world: World = attrs.field(init=False)
    home: Memories = attrs.field(init=False)
    planter: Planter = attrs.field(factory=Planter)

    def __attrs_post_init__(self) -> None:
        self.world = World(self.store)
        # Whatever waits, waits for a reason with a word in it, too.
        policy = Deciding(lambda memory: Hold(self.planter.text()) if REVIEWED in memory.aspects else None)
        self.home = self.world.memories(face={"reviewer": "ann"}, policy=policy)

    @property
    def owner(self) -> Owner:
        """The owner itself, on its own machine."""
        return self.home.owner(ALICE)

    def records(self) -> list[Record]:
        with self.store.view() as view:
            return list(view.records(ALICE))

    def links(self) -> list[Link]:
        with self.store.view() as view:
            held = view.links(ALICE, [record.memory.key for record in self.records()])
        return list({link.name: link for links in held.values() for link in links}.values())

    def key(self, place: int) -> str:
        keys = [record.memory.key for record in self.records()]
        return keys[place % len(keys)] if keys else "nobody's"

    def live(self, steps: Sequence[tuple[str, Any]]) -> "Planted":
        for name, value in steps:
            self.world.wait(1 / 24)
            with suppress(ReminisceError):
                getattr(self, "_" + name)(value)
        return self

    def _attributes(self, said: dict[str, Any]) -> dict[str, Any]:
        text = self.planter.text
        given: dict[str, Any] = {"tier": said["tier"], "aspects": [said["aspect"]], "subjects": said["subjects"]}
        if said["surface"]:
            given["surface"] = text()
        if said["worded"]:
            given |= {"facets": {text(): text()}, "sources": [text()], "episode": text()}
        return given

    def _content(self, said: dict[str, Any]) -> str:
        return f"{self.planter.text()} {MASKED} {self.planter.word()}" if said["masked"] else self.planter.text()

    def _remember(self, said: dict[str, Any]) -> None:
        there = self.records()
        parents = {n: [self.key(place) for place in said[n] if there] for n in ("derived_from", "supersedes")}
        fact = (said["subjects"][0], "home", self.planter.text()) if said["subjects"] and said["fact"] else None
        self.owner.remember(self._content(said), **self._attributes(said), **parents, fact=fact)

    def _repeat(self, said: tuple[int, dict[str, Any]]) -> None:
        """The same text again, for a mark more, in another tier: a near-duplicate."""
        place, more = said
        contents = {record.memory.key: record.memory.content for record in self.records()}
        content = contents.get(self.key(place), "nothing")
        self.owner.remember(content + "!", tier=more["tier"])

    def _believe(self, said: dict[str, Any]) -> None:
        subject, attribute = said["subject"], said["attribute"]
        self.owner.believe(subject, attribute, self.planter.text(), many=attribute == "likes", **self._attributes(said))

    def _correct(self, said: tuple[int, dict[str, Any]]) -> None:
        place, more = said
        self.owner.correct(self.key(place), content=self._content(more), facets={self.planter.text(): "x"})

    def _forget(self, place: int) -> None:
        self.owner.forget(self.key(place), reason=self.planter.text())

    def _reinstate(self, place: int) -> None:
        self.owner.reinstate(self.key(place))

    def _disbelieve(self, place: int) -> None:
        # One attribute of one subject: a reason given for several memories goes as far as the most open of them.
        self.owner.disbelieve(SUBJECTS[place % 2], ATTRIBUTES[0], reason=self.planter.text())

    def _review(self, said: tuple[int, bool]) -> None:
        place, approve = said
        waiting = list(self.owner.reviews(k=1_000))
        if waiting:
            key = waiting[place % len(waiting)].memory.key
            self.owner.review(key, approve, reason=self.planter.text(), confirm=True)

    def _contradict(self, said: tuple[int, int, int | None]) -> None:
        a, b, claim = said
        self.owner.contradict(
            self.key(a), self.key(b), claim=None if claim is None else [self.key(claim)], reason=self.planter.text()
        )

    def _resolve(self, said: tuple[int, int]) -> None:
        self.owner.resolve(self.key(said[0]), self.key(said[1]), reason=self.planter.text())

    def _associate(self, places: list[int]) -> None:
        text = self.planter.text
        self.owner.associate([self.key(place) for place in places], text(), facets={text(): text()})

    def _reclassify(self, said: tuple[int, str]) -> None:
        self.owner.reclassify(self.key(said[0]), said[1])

    def _reinforce(self, place: int) -> None:
        self.owner.reinforce(self.key(place))

    def _consent(self, said: tuple[str, list[str]]) -> None:
        self.home.consent(*said)


places = st.integers(0, 12)


@st.composite
def _said(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "tier": draw(st.sampled_from(("open", "open", "redacted", "redacted", "private"))),
        "aspect": draw(st.sampled_from(("episodic", "episodic", "episodic", REVIEWED))),
        "subjects": draw(st.lists(st.sampled_from(SUBJECTS), max_size=1)),
        "surface": draw(st.booleans()),
        "masked": draw(st.booleans()),
        "worded": draw(st.booleans()),
        "fact": draw(st.booleans()),
        "derived_from": draw(st.lists(places, max_size=1)),
        "supersedes": draw(st.one_of(st.just([]), st.lists(places, max_size=1))),
        "subject": draw(st.sampled_from(SUBJECTS)),
        "attribute": draw(st.sampled_from(ATTRIBUTES)),
    }


_STEPS: dict[str, st.SearchStrategy[Any]] = {
    "remember": _said(),
    "repeat": st.tuples(places, _said()),
    "believe": _said(),
    "correct": st.tuples(places, _said()),
    "forget": places,
    "reinstate": places,
    "disbelieve": places,
    "review": st.tuples(places, st.booleans()),
    "contradict": st.tuples(places, places, st.one_of(st.none(), places)),
    "resolve": st.tuples(places, places),
    "associate": st.lists(places, min_size=2, max_size=3),
    "reclassify": st.tuples(places, st.sampled_from(tuple(Tier))),
    "reinforce": places,
    "consent": st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(([], ["team"]))),
}


def lives(most: int) -> st.SearchStrategy[list[tuple[str, Any]]]:
    """Histories: first what there is to tell of, then what becomes of it."""
    step = st.one_of(*(st.tuples(st.just(name), values) for name, values in _STEPS.items()))
    kept = st.tuples(st.just("remember"), _STEPS["remember"])
    return st.tuples(st.lists(kept, min_size=3, max_size=6), st.lists(step, max_size=most)).map(
        lambda two: [*two[0], *two[1]]
    )


def _one(tier: str, **more: Any) -> dict[str, Any]:
    plain = {"tier": tier, "aspect": "episodic", "subjects": [], "surface": tier == "redacted", "masked": False}
    links = {"fact": False, "derived_from": [], "supersedes": [], "subject": SUBJECTS[0], "attribute": "likes"}
    return {**plain, "worded": True, **links, **more}


FULL: list[tuple[str, Any]] = [
    *(("remember", _one(tier)) for tier in Tier),
    ("remember", _one("redacted", surface=False, masked=True)),
    ("remember", _one("redacted", surface=False)),
    *(("remember", _one(tier, aspect=REVIEWED)) for tier in Tier),
    *(("remember", _one(tier, subjects=[SUBJECTS[0]], fact=True)) for tier in Tier),
    *(("believe", _one(tier)) for tier in Tier),
    ("remember", _one("open", derived_from=[1])),
    ("remember", _one("redacted", derived_from=[3], masked=True, surface=False)),
    *(("associate", members) for members in ([0, 1], [0, 2], [1, 3], [0, 1, 4])),
    *(("contradict", (0, other, claim)) for other in (1, 2, 3) for claim in (None, 1, 2)),
    ("resolve", (0, 1)),
    ("resolve", (0, 3)),
    *(("forget", place) for place in (0, 1, 2, 3)),
    *(("reinstate", place) for place in (0, 1, 2, 3)),
    ("correct", (1, _one("open"))),
    ("repeat", (0, _one("private"))),
    ("consent", (SUBJECTS[0], ["team"])),
    ("disbelieve", 0),
    ("forget", 3),
]
"""A life of everything that tells words, in every tier: what chance seldom puts together."""


@attrs.frozen
class Remote:
    """Who is told: a face whose text goes elsewhere."""

    audience: str | None = None
    masks: Masks = NO_MASKS

    def face(self) -> dict[str, Any]:
        return attrs.asdict(self, recurse=False) | {
            "destination": Destination.REMOTE,
            "page": PAGE,
            "reviewer": "ann",
            "actor": "far away",
        }


REMOTES = (Remote(), Remote(masks=MASKS), Remote("team"), Remote("team", MASKS))


def form(memory: Memory, remote: Remote, consents: dict[str, tuple[str, ...]]) -> str:
    """Whole, surface or hidden: what the contract says of a memory's words, in other words than the product's."""
    if remote.audience is not None and any(remote.audience not in consents.get(ref, ()) for ref in memory.subjects):
        return "hidden"
    if memory.tier == "open":
        return "whole"
    masked = bool(remote.masks) and MASKED.lower() in memory.content.lower()
    return "surface" if memory.tier == "redacted" and (memory.surface is not None or masked) else "hidden"


def forms_of(planted: Planted, remote: Remote) -> dict[str, str]:
    """The form in which a face sees each memory."""
    with planted.store.view() as view:
        consents = {ref: held.audiences for ref, held in view.subjects(SUBJECTS).items()}
    return {record.memory.key: form(record.memory, remote, consents) for record in planted.records()}


def telling(planted: Planted, remote: Remote) -> set[str]:
    """The planted words that a face may tell, from every memory and link as they are kept."""
    records, forms, allowed = planted.records(), forms_of(planted, remote), list[object]()
    for record in records:
        memory, seen = record.memory, forms[record.memory.key]
        if seen == "whole":
            allowed += [memory, record.history]
        elif seen == "surface":
            content = memory.content if memory.surface is None else memory.surface
            allowed += [content, memory.sources, memory.episode]
    allowed += [link for link in planted.links() if all(forms[member.key] == "whole" for member in link.members)]
    return set(WORD.findall(repr(allowed)))


LOOKS = 3
"""Revisions that are looked back at, about."""


@attrs.frozen
class Known:
    """What a caller can name."""

    keys: tuple[str, ...]
    revision: int
    hidden: tuple[str, ...] = (NOWHERE,)
    """Words to look for that the caller should not find."""

    @property
    def past(self) -> range:
        """Some revisions to look back at, the first and the one before the last among them."""
        return range(0, self.revision, max(1, (self.revision - 1) // LOOKS))


Asking = Callable[[Owner, Known], Iterator[Callable[[], object]]]
"""The calls of one public method whose outputs are looked at."""


def _of_keys(name: str, *arguments: Any, **options: Any) -> Asking:
    def asking(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
        for key in (*known.keys, "nobody's"):
            yield partial(getattr(owner, name), key, *arguments, **options)

    return asking


def _of_pairs(name: str, **options: Any) -> Asking:
    def asking(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
        for a, b in zip(known.keys, known.keys[1:], strict=False):
            yield partial(getattr(owner, name), a, b, **options)

    return asking


def _once(name: str, *arguments: Any, **options: Any) -> Asking:
    return lambda owner, _: iter((partial(getattr(owner, name), *arguments, **options),))


def _recall(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
    for query in ("tea", "tea Falcon x", None):
        yield partial(owner.recall, query, k=1_000, explain=True)
        for revision in known.past:
            yield partial(owner.recall, query, k=1_000, as_of=revision, explain=True)
        yield partial(owner.recall, query, k=1_000, valid_at="2026-01-01T13:00:00Z")
        yield partial(owner.recall, query, k=1)


def _bundle(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
    for query in ("tea", None):
        for budget in (0, 5, 12, 10_000):
            yield partial(owner.bundle, query, k=1_000, budget=budget)
        yield partial(owner.bundle, query, k=2)


def _why(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
    for key in (*known.keys, "nobody's"):
        yield partial(owner.why, key)
        for revision in known.past:
            yield partial(owner.why, key, as_of=revision)


def _beliefs(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
    for subject in SUBJECTS:
        yield partial(owner.beliefs, subject)
        yield partial(owner.beliefs, subject, history=True)
        yield partial(owner.beliefs, subject, valid_at="2026-01-01T13:00:00Z")
        yield partial(owner.beliefs, subject, as_of=known.revision // 2)


def _as_of(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
    for revision in known.past:
        yield partial(owner.as_of, revision, k=1_000)


def _notes(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
    return iter((owner.notes,))


def _exported(owner: Owner) -> str:
    file = io.BytesIO()
    told = owner.export(file, statuses=[status for status in Status if status is not Status.WITHDRAWN])
    return f"{told!r} {file.getvalue().decode()}"


def _forget(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
    for word in known.hidden:
        yield partial(owner.forget, containing=word, dry_run=True)
    yield partial(owner.forget, containing="tea", dry_run=True)
    yield from _of_keys("forget", dry_run=True)(owner, known)
    yield from _of_keys("forget", reason="so it is")(owner, known)


def _believe(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
    for subject in SUBJECTS:
        for attribute in ATTRIBUTES:
            yield partial(owner.believe, subject, attribute, "elsewhere", key=f"{subject} {attribute}")
            yield partial(owner.believe, subject, attribute, "nowhere", many=attribute == "home")


def _remember(owner: Owner, known: Known) -> Iterator[Callable[[], object]]:
    yield partial(owner.remember, "new")
    for key in known.keys:
        yield partial(owner.remember, "new", key=key)
        yield partial(owner.remember, f"from {key}", derived_from=[key])
        yield partial(owner.remember, f"for {key}", supersedes=[key])


OF_AN_OWNER: dict[str, Asking] = {
    "revision": _once("revision"),
    "stats": _once("stats"),
    "recall": _recall,
    "bundle": _bundle,
    "recent": _once("recent", 1_000),
    "as_of": _as_of,
    "why": _why,
    "beliefs": _beliefs,
    "reviews": _once("reviews", k=1_000),
    "notes": _notes,
    "export": lambda owner, _: iter([partial(_exported, owner)]),
    # From here on the face writes.
    "contradict": _of_pairs("contradict", reason="so it is"),
    "resolve": _of_pairs("resolve", reason="so it is"),
    "associate": lambda owner, known: iter([partial(owner.associate, known.keys[:2], "pair")]),
    "dissociate": lambda owner, known: iter([partial(owner.dissociate, known.keys[:2], "pair")]),
    "reinforce": _of_keys("reinforce"),
    "correct": _of_keys("correct", salience=0.25),
    "reclassify": _of_keys("reclassify", "open"),
    "review": _of_keys("review", True, confirm=True),
    "note": _once("note", "a note"),
    "promote": _of_keys("promote"),
    "clear": _once("clear"),
    "consolidate": _once("consolidate", half_life=0),
    "prune": _once("prune", threshold=1, dry_run=True),
    "believe": _believe,
    "disbelieve": lambda owner, _: (partial(owner.disbelieve, subject) for subject in SUBJECTS),
    "remember": _remember,
    "remember_many": _once("remember_many", [{"content": "one"}, {"content": "two", "key": " "}]),
    "import_": _once("import_", ['{"content": "three"}', '{"content": 3}']),
    "forget": _forget,
    "reinstate": _of_keys("reinstate"),
    "erase": lambda owner, known: iter(
        [partial(owner.erase, list(known.keys[:1]), confirm=True), partial(owner.erase, ["nobody's"], confirm=True)]
    ),
}
"""Every public method of an owner, those that only read first. One that is missing fails a test."""

OF_MEMORIES: dict[str, Callable[[Memories], object]] = {
    "aspects": lambda memories: memories.aspects,
    "owners": lambda memories: memories.owners(),
    "setup": lambda memories: memories.setup(),
    "doctor": lambda memories: memories.doctor(deep=True),
    "consent": lambda memories: memories.consent("person:new", ["team"]),
    "owner": lambda memories: memories.owner("agent:other").recall(None),
    "withdraw": lambda memories: memories.withdraw(SUBJECTS[0], "asked"),
    "purge": lambda memories: memories.purge(SUBJECTS[1], confirm=True),
    "scrub": lambda memories: memories.scrub(),
    # They write files of the host's and tell counts; here there is nothing to write them with.
    "backup": lambda memories: memories.backup("backup"),
    "seal": lambda memories: memories.seal("sealed", "a long passphrase"),
    "restore": lambda memories: memories.restore("backup"),
    "unseal": lambda memories: memories.unseal("sealed", "a long passphrase"),
    "copy": lambda memories: memories.copy(memories),
    "close": lambda memories: memories.close(),
}
"""Every public method of a store of memories."""


def told_by(call: Callable[[], object]) -> Iterator[str]:
    """Everything that a call gives out: its answer as a value and as JSON, or its refusal with what led to it."""
    try:
        answer = call()
    except ReminisceError as error:
        cause: BaseException | None = error
        while cause is not None:
            yield f"{cause!r} {cause} {cause.args} {vars(cause)}"
            cause = cause.__cause__ or cause.__context__
        yield to_json(error)
    else:
        yield repr(answer)
        if attrs.has(type(answer)):
            yield to_json(answer)


@contextmanager
def logged() -> Iterator[list[str]]:
    """Every record of every logger meanwhile, as a handler would write it."""
    lines: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(logging.Formatter().format(record))

    root, handler = logging.getLogger(), Keeping()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        root.setLevel(level)
        root.removeHandler(handler)


READING = tuple(OF_AN_OWNER)[: tuple(OF_AN_OWNER).index("contradict")]
"""Those that only read."""


def outputs(memories: Memories, known: Known) -> Iterator[tuple[str, str]]:
    """What each method gives out, with its name, and the reading ones once more after the writing; then the store itself."""
    owner = memories.owner(ALICE)
    for name in (*OF_AN_OWNER, *READING):
        for call in OF_AN_OWNER[name](owner, known):
            for text in told_by(call):
                yield name, text
    yield "repr", f"{owner!r} {memories!r} {vars(owner)!r} {vars(memories)!r}"
    for name, run in OF_MEMORIES.items():
        for text in told_by(partial(run, memories)):
            yield name, text


async def told_over_mcp(memories: Memories, known: Known) -> list[tuple[str, str]]:
    """What every tool, resource and prompt of a server gives out, as a client is sent it."""
    offered = tools(DEFAULT_ASPECTS, extended=True)
    server = make_server(memories.owner(ALICE), offered, "0")
    found: list[tuple[str, str]] = []
    async with Client(server) as client:
        listed = await client.list_tools()
        found.append(("tools", repr(listed)))
        for tool in listed.tools:
            found += [
                (tool.name, repr(await client.call_tool(tool.name, said))) for said in OF_A_TOOL[tool.name](known)
            ]
        uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
        found += [(uri, repr(await client.read_resource(uri))) for uri in uris]
        for prompt in (await client.list_prompts()).prompts:
            for about in ("tea", "Falcon x", "zeppelin"):
                got = await client.get_prompt(prompt.name, {"about": about})
                texts = [message.content.text for message in got.messages if isinstance(message.content, TextContent)]
                found.append((prompt.name, repr((got, texts))))
    return found


def _each(*names: str, **more: Any) -> Callable[[Known], list[dict[str, Any]]]:
    [name] = names
    return lambda known: [{name: key, **more} for key in known.keys]


OF_A_TOOL: dict[str, Callable[[Known], list[dict[str, Any]]]] = {
    "memory_remember": lambda known: [
        {"content": "new"}, *({"content": "new", "key": k} for k in known.keys),
        *({"content": f"from {k}", "derived_from": [k]} for k in known.keys),
    ],
    "memory_recall": lambda known: [
        {"query": "tea", "k": 1_000, "explain": True},
        {"query": "Falcon x", "k": 1_000},
        {"as_of": known.revision // 2},
        {"query": "tea", "cursor": "nonsense"},
    ],
    "memory_forget": lambda known: [{"keys": [key], "dry_run": True} for key in known.keys],
    "memory_why": _each("key"),
    "memory_recent": lambda _: [{"k": 1_000}, {"k": -1}],
    "memory_believe": lambda _: [{"subject": s, "attribute": a, "value": "x"} for s in SUBJECTS for a in ATTRIBUTES],
    "memory_beliefs": lambda _: [{"subject": s, "history": h} for s in SUBJECTS for h in (True, False)],
    "memory_disbelieve": lambda _: [{"subject": s} for s in SUBJECTS],
    "memory_reinforce": _each("key"),
    "memory_prune": lambda _: [{"threshold": 1}],
    "memory_stats": lambda _: [{}],
}  # fmt: skip
"""How each tool is called. A tool that is missing fails."""
