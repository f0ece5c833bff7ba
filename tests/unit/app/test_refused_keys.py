"""A key that nobody holds, one of another owner and one that may not be seen answer alike, on every operation."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from reminisce import Destination, NotFoundError, Owner, Status, StatusError
from reminisce.testing.contents import contents_of
from tests.unit.app.worlds import World

NAMES_A_MEMORY = {"key", "keys", "a", "b", "claim"}
"""Parameters by which a caller names a memory that must be there."""

Call = Callable[[Owner, str], Any]

CALLS: dict[tuple[str, str], Call] = {
    ("why", "key"): lambda owner, key: owner.why(key),
    ("forget", "keys"): lambda owner, key: owner.forget(["mine", key], reason="r"),
    ("erase", "keys"): lambda owner, key: owner.erase(["mine", key], confirm=True),
    ("reinstate", "key"): lambda owner, key: owner.reinstate(key),
    ("review", "key"): lambda owner, key: owner.review(key, True),
    ("reclassify", "key"): lambda owner, key: owner.reclassify(key, "private"),
    ("reinforce", "key"): lambda owner, key: owner.reinforce(key),
    ("correct", "key"): lambda owner, key: owner.correct(key, content="other words"),
    ("contradict", "a"): lambda owner, key: owner.contradict(key, "mine"),
    ("contradict", "b"): lambda owner, key: owner.contradict("mine", key),
    ("contradict", "claim"): lambda owner, key: owner.contradict("mine", "also", claim=key),
    ("resolve", "a"): lambda owner, key: owner.resolve(key, "mine"),
    ("resolve", "b"): lambda owner, key: owner.resolve("mine", key, reason="r"),
    ("associate", "keys"): lambda owner, key: owner.associate(["mine", "also", key], "trip"),
    ("dissociate", "keys"): lambda owner, key: owner.dissociate(["mine", key], "trip"),
}
"""Every operation that takes a key, by the parameter that names it."""

FURTHER: dict[tuple[str, str], Call] = {
    ("why at a time", "key"): lambda owner, key: owner.why(key, as_of=99),
    ("forget one", "keys"): lambda owner, key: owner.forget(key),
    ("forget dry", "keys"): lambda owner, key: owner.forget(key, dry_run=True),
    ("reject", "key"): lambda owner, key: owner.review(key, False),
    ("correct nothing", "key"): lambda owner, key: owner.correct(key, content="it is mine"),
    ("claim derived", "claim"): lambda owner, key: owner.contradict("mine", "also", claim=[key, "mine"]),
    ("claim source", "claim"): lambda owner, key: owner.contradict("mine", "also", claim=["derived", key]),
    ("remember", "derived_from"): lambda owner, key: owner.remember("x", derived_from=["mine", key]),
    ("remember", "supersedes"): lambda owner, key: owner.remember("x", supersedes=[key]),
    ("believe", "derived_from"): lambda owner, key: owner.believe("k", "a", "v", derived_from=[key]),
    ("believe", "supersedes"): lambda owner, key: owner.believe("k", "a", "v", supersedes=[key]),
    ("correct", "derived_from"): lambda owner, key: owner.correct("mine", derived_from=[key]),
    ("promote", "derived_from"): lambda owner, key: owner.promote(owner.note("x", derived_from=[key]).name),
    ("batch", "[1].supersedes"): lambda owner, key: owner.remember_many(
        [{"content": "x"}, {"content": "y", "supersedes": [key]}]
    ),
}
"""More ways in which a key can come, by the field that the refusal names."""

HIDDEN = "zebra-hidden"
NOBODY_S = "zebra-nobody"
ANOTHER_S = "zebra-another"


def a_face(world: World) -> Owner:
    """A remote face of an owner that has what that face may see, and one memory more; the store has another owner, too."""
    ann = world.owner()
    ann.remember("it is mine", key="mine")
    ann.remember("it is also mine", key="also")
    ann.remember("it is hidden", key=HIDDEN, tier="private", sources=["doc:x"])
    ann.remember("so it is", key="derived", derived_from=[HIDDEN])
    ann.reclassify("derived", "open")
    world.owner("agent:bob").remember("it is of bob", key=ANOTHER_S)
    return world.owner(face={"destination": Destination.REMOTE, "reviewer": "rita"})


def told(call: Call, owner: Owner, key: str) -> tuple[object, ...]:
    """All that a refusal says."""
    with pytest.raises(NotFoundError) as caught:
        call(owner, key)
    error = caught.value
    assert "zebra" not in str(error) + repr(error) + repr(error.fields)
    return type(error), str(error), repr(error), error.code, error.fields


@pytest.mark.parametrize("key", [NOBODY_S, ANOTHER_S, HIDDEN])
@pytest.mark.parametrize("name", [*CALLS, *FURTHER], ids=" ".join)
def test_a_key_that_is_not_there_for_the_caller_is_not_there(world: World, name: tuple[str, str], key: str) -> None:
    face = a_face(world)
    before = contents_of(world.store)

    refusal = told({**CALLS, **FURTHER}[name], face, key)

    assert refusal == told({**CALLS, **FURTHER}[name], face, "nobody")
    assert refusal[3:] == ("not_found", (name[1],))
    assert contents_of(world.store) == before


def test_every_operation_that_takes_a_key_is_in_the_table() -> None:
    operations = {
        (name, parameter)
        for name, method in inspect.getmembers(Owner, inspect.isfunction)
        if not name.startswith("_")
        for parameter in inspect.signature(method).parameters
        if parameter in NAMES_A_MEMORY
    }

    assert operations == set(CALLS)


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.WITHDRAWN])
@pytest.mark.parametrize("name", CALLS, ids=" ".join)
def test_the_status_of_a_hidden_memory_is_not_told_either(quick: World, name: tuple[str, str], status: Status) -> None:
    ann = quick.owner(face={"reviewer": "rita", "review_aspects": frozenset({"semantic"})})
    key = f"zebra-{status}"
    held = status in (Status.HELD, Status.REJECTED)
    ann.remember(status, key=key, tier="private", aspects=["semantic" if held else "episodic"])
    match status:
        case Status.RETIRED:
            ann.forget(key)
        case Status.SUPERSEDED:
            ann.remember("newer", supersedes=[key])
        case Status.REJECTED:
            ann.review(key, False)
        case _:
            pass
    assert ann.why(key).memory.status is status

    face = a_face(quick)

    assert told(CALLS[name], face, key) == told(CALLS[name], face, NOBODY_S)


def test_a_key_of_another_owner_can_be_given_to_a_memory_of_one_s_own(quick: World) -> None:
    assert a_face(quick).remember("words", key=ANOTHER_S).created


@pytest.mark.parametrize("audience", ["team", "press"])
@pytest.mark.parametrize("name", CALLS, ids=" ".join)
def test_what_a_subject_does_not_let_an_audience_see_is_not_there(
    quick: World, name: tuple[str, str], audience: str
) -> None:
    memories = quick.memories()
    memories.consent("p", ["press"])
    memories.consent("q", ["team"])
    ann = memories.owner("agent:alice")
    ann.remember_many({"content": f"it is {key}", "key": key} for key in ("mine", "also"))
    ann.remember("it is of both", key=HIDDEN, subjects=["p", "q"])
    owner = quick.owner(face={"audience": audience, "reviewer": "rita"})

    assert told(CALLS[name], owner, HIDDEN) == told(CALLS[name], owner, NOBODY_S)


WRONG: dict[str, Callable[[Owner], Any]] = {
    "forget held": lambda owner: owner.forget("held"),
    "forget rejected": lambda owner: owner.forget("rejected"),
    "reinstate held": lambda owner: owner.reinstate("held"),
    "reinstate rejected": lambda owner: owner.reinstate("rejected"),
    "reinstate superseded": lambda owner: owner.reinstate("superseded"),
    "review active": lambda owner: owner.review("newer", True),
    "review rejected": lambda owner: owner.review("rejected", True),
    "review retired": lambda owner: owner.review("retired", False),
    "reinforce held": lambda owner: owner.reinforce("held"),
    "reinforce superseded": lambda owner: owner.reinforce("superseded"),
    "correct retired": lambda owner: owner.correct("retired", content="x"),
    "correct held": lambda owner: owner.correct("held", content="x"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_status_that_does_not_allow_it_is_named_and_nothing_is_done(quick: World, wrong: str) -> None:
    owner = quick.owner(face={"reviewer": "rita", "review_aspects": frozenset({"semantic"})})
    for key in ("held", "rejected"):
        owner.remember(f"zebra {key}", key=key, aspects=["semantic"])
    owner.review("rejected", False)
    for key in ("retired", "superseded"):
        owner.remember(f"zebra {key}", key=key)
    owner.forget("retired")
    owner.remember("zebra newer", key="newer", supersedes=["superseded"])
    before = contents_of(quick.store)

    with pytest.raises(StatusError) as caught:
        WRONG[wrong](owner)

    operation, _, status = wrong.partition(" ")
    assert (caught.value.code, caught.value.status) == ("status", status)
    assert caught.value.fields == ("keys" if operation == "forget" else "key",)
    assert "zebra" not in str(caught.value)
    assert contents_of(quick.store) == before
