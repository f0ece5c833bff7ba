"""The guard before every write: what it is shown, what it refuses, and what happens when it cannot look."""

import inspect
import random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from reminisce import (
    GuardFailedError,
    Hold,
    InvalidError,
    Memories,
    NotFoundError,
    Owner,
    SecretFoundError,
    guard,
    open_memory,
)
from reminisce.app.service.guarding import Guard, plainly
from reminisce.app.service.patience import AT_ONCE
from reminisce.domain.guard.scan import Match
from reminisce.domain.requests import CHANGES, NAMES
from tests.support.secret_samples import token
from tests.unit.app.worlds import Deciding, World

SECRET = token("ghp_{36:a}", random.Random(4))


@pytest.fixture
def memories() -> Iterator[Memories]:
    with open_memory(":memory:", reviewer="person:anna", review_aspects=("prospective",)) as memories:
        yield memories


@pytest.fixture
def owner(memories: Memories) -> Owner:
    owner = memories.owner("agent:alice")
    owner.remember("one", key="one")
    owner.remember("two", key="two")
    owner.remember("rule", key="rule", aspects=["prospective"])
    return owner


def attribute(name: str) -> Any:
    """A value of `remember`'s argument that holds the secret."""
    match name:
        case "sources" | "subjects" | "derived_from" | "supersedes":
            return [SECRET]
        case "facets":
            return {"note": SECRET}
        case "fact":
            return {"subject": "s", "attribute": "a", "value": SECRET}
        case _:
            return SECRET


TEXTS = ("content", "key", "sources", "facets", "subjects", "surface", "episode", "reviewer", "derived_from", "supersedes",
         "fact", "request_key")  # fmt: skip
"""Arguments of `remember` that bring text."""

NO_TEXT = {
    "aspects": "only what the store is configured with",
    "basis": "a word of ours",
    "tier": "a word of ours",
    "confidence": "a number",
    "salience": "a number",
    "occurred_at": "a time",
    "due_at": "a time",
    "valid_from": "a time",
    "valid_to": "a time",
}


def _one(name: str) -> dict[str, Any]:
    given = {"content": "x", name: attribute(name)}
    return {**given, "subjects": ["s"]} if name == "fact" else given


Call = Callable[[Memories, Owner], object]


def _remembering(name: str) -> Call:
    return lambda _, owner: owner.remember(**_one(name))


def _noting(name: str) -> Call:
    return lambda _, owner: owner.note(**_one(name))


def _correcting(name: str) -> Call:
    return lambda _, owner: owner.correct("one", **{"content": "y", name: attribute(name)})


def _believing(name: str) -> Call:
    return lambda _, owner: owner.believe("s", "a", "v", **{name: attribute(name)})


GUARDED: dict[tuple[str, str], Call] = {
    **{("remember", name): _remembering(name) for name in TEXTS},
    **{("note", name): _noting(name) for name in TEXTS},
    **{
        ("correct", name): _correcting(name)
        for name in (*(name for name in TEXTS if name not in ("key", "supersedes", "fact")), "new_key")
    },
    ("correct", "fact"): lambda _, owner: owner.correct("one", fact=attribute("fact"), subjects=["s"]),
    ("remember_many", "memories"): lambda _, owner: owner.remember_many([{"content": "x"}, {"content": SECRET}]),
    ("believe", "subject"): lambda _, owner: owner.believe(SECRET, "a", "v"),
    ("believe", "attribute"): lambda _, owner: owner.believe("s", SECRET, "v"),
    ("believe", "value"): lambda _, owner: owner.believe("s", "a", SECRET),
    **{
        ("believe", name): _believing(name)
        for name in TEXTS
        if name not in ("fact", "subjects")
    },
    ("believe", "subjects"): lambda _, owner: owner.believe("s", "a", "v", subjects=["s", SECRET]),
    ("disbelieve", "reason"): lambda _, owner: owner.disbelieve("s", reason=SECRET),
    ("contradict", "reason"): lambda _, owner: owner.contradict("one", "two", reason=SECRET),
    ("resolve", "reason"): lambda _, owner: owner.resolve("one", "two", reason=SECRET),
    ("associate", "kind"): lambda _, owner: owner.associate(["one", "two"], SECRET),
    ("associate", "facets"): lambda _, owner: owner.associate(["one", "two"], "k", {"n": SECRET}),
    ("forget", "reason"): lambda _, owner: owner.forget("one", SECRET),
    ("review", "reason"): lambda _, owner: owner.review("rule", True, SECRET),
    ("consent", "subject"): lambda memories, _: memories.consent(SECRET, ["a"]),
    ("consent", "audiences"): lambda memories, _: memories.consent("s", [SECRET]),
    ("withdraw", "subject"): lambda memories, _: memories.withdraw(SECRET),
    ("withdraw", "reason"): lambda memories, _: memories.withdraw("s", SECRET),
    ("owner", "owner"): lambda memories, _: memories.owner(f"agent:{SECRET}").remember("x"),
}  # fmt: skip

_KEY = "names what is there already; another name is not found, and nothing is stored"
_ASKED = "is asked with, and not stored"
_PLAIN = "is no text"
_PLACE = "names a place on this machine"

UNGUARDED: dict[tuple[str, str], str] = {
    **{(operation, name): reason for operation in ("remember", "note", "believe") for name, reason in NO_TEXT.items()},
    **{("correct", name): reason for name, reason in NO_TEXT.items()},
    ("remember", "attributes"): "its names are listed one by one",
    ("note", "attributes"): "its names are listed one by one",
    ("believe", "attributes"): "its names are listed one by one",
    ("correct", "changes"): "its names are listed one by one",
    ("import_", "source"): "each record is guarded as by remember_many: test_a_secret_in_an_imported_line",
    **{(operation, "key"): _KEY for operation in ("correct", "reinstate", "review", "reclassify", "reinforce", "why")},
    **{(operation, name): _KEY for operation in ("contradict", "resolve") for name in ("a", "b")},
    ("contradict", "claim"): _KEY,
    ("associate", "keys"): _KEY,
    ("dissociate", "keys"): _KEY,
    ("dissociate", "kind"): _ASKED,
    ("forget", "keys"): _KEY,
    ("forget", "containing"): "is searched for: a secret that was kept before must be found by its own words",
    ("forget", "filters"): _ASKED,
    ("disbelieve", "subject"): _ASKED,
    ("erase", "keys"): _KEY,
    ("erase", "containing"): "is searched for: a secret that was kept before must be found by its own words",
    ("erase", "filters"): _ASKED,
    ("purge", "subject"): "names whose words go: nothing is kept of it",
    ("import_", "name"): "becomes part of sources and keys, which are guarded as those of any record",
    **{(operation, "path"): _PLACE for operation in ("backup", "restore", "seal", "unseal")},
    ("export", "into"): _PLACE,
    ("copy", "target"): "is another store",
    **{(operation, "keyring"): "is keys" for operation in ("restore", "unseal")},
    **{(operation, "passphrase"): "is never stored" for operation in ("seal", "unseal")},
    ("disbelieve", "attribute"): _ASKED,
    ("promote", "name"): "names a note, whose text is guarded when it is written down and when it is promoted",
    ("reclassify", "tier"): "a word of ours; what the memory holds is guarded when it leaves private",
    **{
        (operation, name): _ASKED
        for operation, names in {
            "recall": ("query", "options"),
            "bundle": ("query", "filters"),
            "recent": ("k", "options"),
            "reviews": ("options",),
            "as_of": ("moment", "options"),
            "why": ("as_of",),
            "beliefs": ("subject", "attribute", "valid_at", "as_of", "history"),
        }.items()
        for name in names
    },
    **{
        (operation, name): _PLAIN
        for operation, names in {
            "believe": ("many",),
            "disbelieve": ("erase",),
            "erase": ("confirm", "with_derived", "scrub"),
            "withdraw": ("scrub",),
            "purge": ("confirm", "scrub"),
            "bundle": ("k", "budget", "measure"),
            "export": ("format", "progress", "replace", "statuses"),
            "backup": ("replace",),
            "seal": ("replace", "with_keys"),
            "forget": ("dry_run",),
            "review": ("approve", "confirm"),
            "note": ("lifetime",),
            "import_": ("stop", "format", "progress"),
            "consolidate": ("until", "half_life", "threshold"),
            "prune": ("half_life", "threshold", "dry_run"),
            "doctor": ("deep", "repair"),
            "why": ("depth", "most"),
        }.items()
        for name in names
    },
}


def _parameters() -> set[tuple[str, str]]:
    """Every argument of every public operation, from the code."""
    found = set()
    for kind in (Owner, Memories):
        for name, operation in inspect.getmembers(kind, inspect.isfunction):
            if name.startswith("_"):
                continue
            found |= {(name, parameter) for parameter in inspect.signature(operation).parameters if parameter != "self"}
    attributes = {(operation, name) for operation in ("remember", "note", "believe") for name in NAMES}
    return found | attributes | {("correct", name) for name in CHANGES}


def test_every_argument_of_every_operation_is_guarded_or_has_a_reason_not_to_be() -> None:
    unplaced = _parameters() - set(GUARDED) - set(UNGUARDED) - {("believe", "fact")}

    assert unplaced == set()
    assert set(GUARDED).isdisjoint(UNGUARDED)
    assert set(UNGUARDED) <= _parameters()


@pytest.mark.parametrize("place", GUARDED, ids="-".join)
def test_a_secret_is_refused_wherever_it_would_be_stored(
    place: tuple[str, str], memories: Memories, owner: Owner
) -> None:
    before = owner.stats()

    with pytest.raises(SecretFoundError) as refused:
        GUARDED[place](memories, owner)

    assert {finding.rule for finding in refused.value.findings} == {"github-pat"}
    assert SECRET not in f"{refused.value} {refused.value!r} {refused.value.findings}"
    assert owner.stats() == before


def test_a_facet_is_looked_at_with_its_name(owner: Owner) -> None:
    uuid = token("{uuid}", random.Random(2))

    with pytest.raises(SecretFoundError) as refused:
        owner.remember("x", facets={"heroku_key": uuid})

    assert refused.value.fields == ("facets",)
    assert owner.remember("x", facets={"trace": uuid}).created


def test_the_line_of_a_batch_is_told(owner: Owner) -> None:
    with pytest.raises(SecretFoundError) as refused:
        owner.remember_many([{"content": "fine"}, {"content": f"see {SECRET}"}, {"content": "x", "sources": [SECRET]}])

    found = [(finding.field, finding.start, finding.end) for finding in refused.value.findings]
    assert found == [("[1].content", 4, 44), ("[2].sources", 0, 40)]


def test_a_secret_in_an_imported_line_is_reported_and_the_rest_is_kept(owner: Owner) -> None:
    lines = ['{"content": "a"}', f'{{"content": "{SECRET}"}}', '{"content": "b"}']

    answer = owner.import_(lines)

    assert (answer.created, [(bad.line, bad.code) for bad in answer.bad]) == (2, [(2, "secret_found")])
    assert SECRET not in repr(answer)


def test_limits_come_before_the_guard_and_the_policy_after_it(world: World) -> None:
    policy = Deciding()
    owner = world.owner(policy=policy)

    with pytest.raises(InvalidError):
        owner.remember(SECRET, confidence=7)
    with pytest.raises(SecretFoundError):
        owner.remember(SECRET)

    assert policy.asked == []


def test_what_a_policy_writes_into_histories_is_looked_at(world: World) -> None:
    owner = world.owner(policy=Deciding(lambda _: Hold(f"because of {SECRET}")))

    with pytest.raises(SecretFoundError) as refused:
        owner.remember("x")

    assert refused.value.fields == ("reason",)


def test_a_secret_that_was_kept_before_can_be_found_and_forgotten_by_its_words(world: World) -> None:
    class Blind:
        def find(self, text: str) -> tuple[Match, ...]:
            return ()

    key = world.owner(guard=Guard(Blind)).remember(f"old {SECRET}").key

    assert world.owner().forget(containing=SECRET).forgotten == (key,)


def _failing(error: BaseException) -> Callable[[], Any]:
    def load() -> Any:
        raise error

    return load


class _Raises:
    def find(self, text: str) -> tuple[Match, ...]:
        raise RuntimeError(text)


@pytest.mark.parametrize(
    "load", [_failing(ImportError(SECRET)), _failing(SystemExit(SECRET)), _Raises], ids=["import", "exit", "raises"]
)
def test_a_guard_that_cannot_look_refuses_the_write(load: Callable[[], Any], world: World) -> None:
    owner = world.owner(guard=Guard(load))

    with pytest.raises(GuardFailedError) as failed:
        owner.remember(f"my {SECRET}")

    assert SECRET not in str(failed.value)
    assert list(owner.recent()) == []


def test_a_guard_that_hangs_is_left_behind_and_their_number_is_bounded(world: World) -> None:
    release, entered = threading.Event(), []

    class Hangs:
        def find(self, text: str) -> tuple[Match, ...]:
            entered.append(text)
            release.wait()
            return ()

    owner = world.owner(guard=Guard(Hangs, patience_s=0.01))
    problems = set()
    for _ in range(AT_ONCE + 2):
        with pytest.raises(GuardFailedError) as failed:
            owner.remember("x")
        problems.add(failed.value.problem)

    assert len(entered) == AT_ONCE
    assert len(problems) == 2
    release.set()


def test_many_threads_are_looked_at_in_time(world: World) -> None:
    owner = world.owner()
    barrier, keys = threading.Barrier(12), []

    def remember(number: int) -> None:
        barrier.wait()
        keys.append(owner.remember(f"text {number}").key)

    threads = [threading.Thread(target=remember, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(keys)) == 12


@pytest.fixture
def admitting(world: World) -> Owner:
    return world.owner(guard=Guard(plainly, admit_private=True))


def test_an_admitted_secret_stays_private(admitting: Owner) -> None:
    key = admitting.remember(f"token {SECRET}", tier="private").key

    with pytest.raises(SecretFoundError):
        admitting.reclassify(key, "open")
    with pytest.raises(SecretFoundError):
        admitting.reclassify(key, "redacted")

    assert admitting.recent().hits[0].memory.tier == "private"


@pytest.mark.parametrize(
    "given", [{"tier": "open"}, {"tier": "redacted", "surface": "s"}, {}, {"tier": "private", "episode": SECRET}]
)
def test_nothing_else_is_admitted(given: dict[str, Any], admitting: Owner) -> None:
    with pytest.raises(SecretFoundError):
        admitting.remember(f"token {SECRET}", **given)


def test_a_private_memory_without_a_secret_may_become_open(admitting: Owner) -> None:
    key = admitting.remember("nothing to see", tier="private").key

    assert admitting.reclassify(key, "open").changed


def test_what_a_caller_may_not_see_is_not_told_by_the_guard(world: World) -> None:
    key = world.owner(guard=Guard(plainly, admit_private=True)).remember(SECRET, tier="private").key

    with pytest.raises(NotFoundError):
        world.owner(face={"destination": "remote"}).reclassify(key, "open")


def test_the_guard_of_the_library_names_rules_and_places() -> None:
    [found] = guard(f"ключ{SECRET}!")

    assert (found.rule, found.field, found.start, found.end) == ("github-pat", "text", 4, 44)
    assert guard("nothing") == ()
    with pytest.raises(TypeError):
        guard(b"bytes")  # type: ignore[arg-type]
