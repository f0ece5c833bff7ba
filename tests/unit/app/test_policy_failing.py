"""A host's policy that fails: the write is refused, and what it said goes nowhere."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from reminisce import Allow, Hold, Memory, PolicyFailedError, Refuse, ReminisceError
from tests.unit.app.worlds import Deciding, World


def raises(error: BaseException) -> Callable[[Memory], Any]:
    def decide(_: Memory) -> Any:
        raise error

    return decide


class Disguised(Allow):
    """A verdict of a host's own class."""


FAILING: dict[str, Callable[[Memory], Any]] = {
    "raises": raises(RuntimeError("zebra")),
    "raises one of ours": raises(ReminisceError()),
    "ends the process": raises(SystemExit(3)),
    "is interrupted": raises(KeyboardInterrupt()),
    "is told to stop": raises(GeneratorExit()),
    "answers a word": lambda _: "allow",
    "answers true": lambda _: True,
    "answers the class": lambda _: Allow,
    "answers an error": lambda _: ValueError("zebra"),
    "holds without a reason": lambda _: Hold(""),
    "holds for a number": lambda _: Hold(5),  # type: ignore[arg-type]
    "holds for too long a reason": lambda _: Hold("é" * 2049),
    "holds for a reason with a NUL": lambda _: Hold("a\0b"),
    "holds for half a character": lambda _: Hold("\ud800"),
    "refuses with a sentence": lambda _: Refuse("no zebra here"),
    "refuses with nothing": lambda _: Refuse(""),
    "refuses with a long word": lambda _: Refuse("a" * 65),
    "refuses with a line": lambda _: Refuse("no\n"),
}


@pytest.mark.parametrize("fault", FAILING)
def test_a_policy_that_fails_refuses_the_write_and_tells_nothing_of_what_it_said(world: World, fault: str) -> None:
    owner = world.owner(policy=Deciding(FAILING[fault]))

    with pytest.raises(PolicyFailedError) as caught:
        owner.remember("words")

    assert (caught.value.code, caught.value.fields) == ("policy_failed", ())
    assert "zebra" not in str(caught.value) + repr(caught.value)
    assert owner.revision() == 0


def test_a_policy_that_answers_nothing_refuses_the_write(world: World) -> None:
    class Silent:
        def check(self, owner: str, memory: Memory, /) -> Any:
            return None

    with pytest.raises(PolicyFailedError):
        world.owner(policy=Silent()).remember("words")


def test_something_that_is_no_policy_refuses_the_write(world: World) -> None:
    with pytest.raises(PolicyFailedError):
        world.owner(policy=object()).remember("words")


def test_a_verdict_may_be_of_a_class_of_the_host_s(world: World) -> None:
    assert world.owner(policy=Deciding(lambda _: Disguised())).remember("words").created


@pytest.fixture
def never() -> Iterator[threading.Event]:
    """What a policy waits for; set when the test is over, so that its threads end."""
    event = threading.Event()
    yield event
    event.set()


def test_a_policy_that_hangs_refuses_the_write(world: World, never: threading.Event) -> None:
    owner = world.owner(policy=Deciding(lambda _: never.wait()), patience_s=0.01)

    with pytest.raises(PolicyFailedError) as caught:
        owner.remember("words")

    assert "took too long" in str(caught.value)
    assert owner.revision() == 0


def test_threads_that_hang_are_bounded_and_one_that_comes_back_makes_room(world: World, never: threading.Event) -> None:
    inside = threading.Semaphore(0)

    def decide(_: Memory) -> None:
        inside.release()
        never.wait()

    policy = Deciding(decide)
    owner = world.owner(policy=policy, patience_s=0.01)
    problems = []
    for number in range(9):
        with pytest.raises(PolicyFailedError) as caught:
            owner.remember(f"words {number}")
        problems.append(caught.value.problem)

    assert problems == ["it took too long"] * 8 + ["earlier calls hang"]
    assert len(policy.asked) == 8

    never.set()
    patient = world.memories(policy=policy)
    assert patient.owner("agent:alice").remember("words").created
