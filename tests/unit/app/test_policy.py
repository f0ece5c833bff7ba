"""The host's policy: what it is asked, when, and what becomes of the write."""

from collections.abc import Callable
from typing import Any

import pytest

from reminisce import Allow, Hold, Memory, Owner, PolicyRefusedError, Refuse, Status
from reminisce.testing.contents import contents_of
from tests.unit.app.worlds import Deciding, World

WAYS: dict[str, Callable[[Owner], Any]] = {
    "remember": lambda owner: owner.remember("words"),
    "remember_many": lambda owner: owner.remember_many([{"content": "words"}]),
    "import_": lambda owner: owner.import_([b'{"content": "words"}'], stop=True),
    "believe": lambda owner: owner.believe("k", "city", "words"),
    "correct": lambda owner: owner.correct("old", content="words"),
    "promote": lambda owner: owner.promote(owner.note("words").name),
}
"""Every way in which text comes in."""


@pytest.fixture
def old(ann: Owner) -> Owner:
    """An owner of one memory, called old."""
    ann.remember("old words", key="old")
    return ann


@pytest.mark.parametrize("way", WAYS)
def test_what_is_allowed_is_kept(world: World, old: Owner, way: str) -> None:
    policy = Deciding()

    WAYS[way](world.owner(policy=policy))

    assert len(policy.asked) == 1
    assert [memory.status for memory in policy.asked] == [Status.ACTIVE]
    assert old.revision() == 2


@pytest.mark.parametrize("way", WAYS)
def test_what_is_held_waits_and_nothing_follows_from_it_yet(world: World, old: Owner, way: str) -> None:
    WAYS[way](world.owner(policy=Deciding(lambda _: Hold("let somebody look"))))

    [waiting] = old.reviews()
    assert (waiting.memory.status, waiting.reason) == (Status.HELD, "let somebody look")
    assert [hit.memory.key for hit in old.recent()] == ["old"]
    assert old.stats().by_status == {"active": 1, "held": 1}


@pytest.mark.parametrize("way", sorted(WAYS.keys() - {"import_"}))
def test_what_is_refused_is_not_kept_and_the_host_s_code_is_told(world: World, old: Owner, way: str) -> None:
    before = contents_of(world.store)

    with pytest.raises(PolicyRefusedError) as caught:
        WAYS[way](world.owner(policy=Deciding(lambda _: Refuse("no_gossip"))))

    assert (caught.value.code, caught.value.policy_code) == ("policy_refused", "no_gossip")
    assert "words" not in str(caught.value)
    assert contents_of(world.store) == before


def test_a_refused_line_of_an_import_is_reported(world: World) -> None:
    answer = WAYS["import_"](world.owner(policy=Deciding(lambda _: Refuse("no_gossip"))))

    assert [(bad.line, bad.code) for bad in answer.bad] == [(1, "policy_refused")]
    assert answer.created == 0


def test_what_a_policy_refuses_leaves_the_note_where_it_is(world: World) -> None:
    owner = world.owner(policy=Deciding(lambda _: Refuse("no")))
    note = owner.note("words")

    with pytest.raises(PolicyRefusedError):
        owner.promote(note.name)

    assert owner.notes() == (note,)


def test_one_refused_line_keeps_a_whole_batch_out_and_is_named(world: World) -> None:
    owner = world.owner(policy=Deciding(lambda memory: Refuse("no") if memory.content == "b" else None))

    with pytest.raises(PolicyRefusedError) as caught:
        owner.remember_many([{"content": "a"}, {"content": "b"}])

    assert (caught.value.fields, owner.revision()) == (("[1].content",), 0)


def test_each_memory_of_a_batch_has_the_patience_for_itself(world: World) -> None:
    policy = Deciding()

    world.owner(policy=policy).remember_many({"content": str(number)} for number in range(50))

    assert [memory.content for memory in policy.asked] == [str(number) for number in range(50)]


def test_it_sees_the_inherited_tier_and_subjects(world: World, ann: Owner) -> None:
    ann.remember("source", key="a", tier="redacted", subjects=["p"])
    ann.remember("other", key="b", tier="private", subjects=["q"])
    policy = Deciding()

    world.owner(policy=policy).remember("sum", derived_from=["a"], supersedes=["b"], subjects=["r"], key="s")

    [asked] = policy.asked
    assert (asked.key, asked.tier, asked.subjects) == ("s", "private", ("p", "q", "r"))
    assert asked == ann.why("s").memory


def test_it_sees_what_a_belief_inherits_from_the_one_that_it_ends(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga", tier="private", subjects=["k", "l"])
    policy = Deciding()

    world.owner(policy=policy).believe("k", "city", "Oslo")

    assert [(asked.tier, asked.subjects) for asked in policy.asked] == [("private", ("k", "l"))]


def test_it_is_asked_again_when_what_is_inherited_changes_meanwhile(world: World, ann: Owner) -> None:
    ann.remember("source", key="a")

    def decide(memory: Memory) -> None:
        if memory.tier == "open":
            ann.reclassify("a", "private")

    policy = Deciding(decide)

    key = world.owner(policy=policy).remember("sum", derived_from=["a"]).key

    assert [memory.tier for memory in policy.asked] == ["open", "private"]
    assert ann.why(key).memory.tier == "private"


def test_a_verdict_on_what_a_memory_no_longer_is_does_not_count(world: World, ann: Owner) -> None:
    ann.remember("source", key="a")

    def decide(memory: Memory) -> Any:
        if memory.tier == "open":
            ann.reclassify("a", "private")
            return Allow()
        return Refuse("not_private")

    with pytest.raises(PolicyRefusedError):
        world.owner(policy=Deciding(decide)).remember("sum", derived_from=["a"])

    assert len(ann.recent()) == 1


def test_it_is_asked_once_although_others_write_meanwhile(world: World, ann: Owner) -> None:
    def decide(memory: Memory) -> None:
        ann.remember(f"beside {memory.content}")

    policy = Deciding(decide)

    world.owner(policy=policy).remember("words")

    assert len(policy.asked) == 1


def test_it_is_asked_about_the_owner(world: World) -> None:
    class Named:
        seen = ""

        def check(self, owner: str, memory: Memory, /) -> Allow:
            self.seen = owner
            return Allow()

    policy = Named()

    world.owner("agent:bob", policy=policy).remember("words")

    assert policy.seen == "agent:bob"


def test_a_repeat_is_not_asked_about(world: World, ann: Owner) -> None:
    ann.remember("words", request_key="r")
    policy = Deciding(lambda _: Refuse("no"))
    owner = world.owner(policy=policy)

    answers = [owner.remember("words").created, owner.remember("words", request_key="r").created]

    assert (answers, policy.asked) == ([False, False], [])


def test_it_is_never_asked_on_what_brings_no_memory(world: World, ann: Owner) -> None:
    ann.remember("words", key="a", aspects=["semantic"])
    ann.remember("more words", key="b")
    world.owner(face={"review_aspects": frozenset({"semantic"})}).remember("held", key="h", aspects=["semantic"])
    policy = Deciding(lambda _: Refuse("no"))
    memories = world.memories(policy=policy, face={"reviewer": "rita"})
    owner = memories.owner("agent:alice")

    owner.forget("a", reason="words")
    owner.reinstate("a")
    owner.review("h", True, reason="words")
    owner.disbelieve("k", reason="words")
    owner.reinforce("a")
    owner.reclassify("a", "private")
    owner.contradict("a", "b", reason="words")
    owner.resolve("a", "b", reason="words")
    owner.associate(["a", "b"], "words")
    owner.consolidate()
    owner.prune()
    memories.consent("p", ["team"])

    assert policy.asked == []


def test_it_is_asked_about_the_sources_that_a_reinforcement_brings(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga")
    policy = Deciding()

    world.owner(policy=policy).believe("k", "city", "Riga", sources=["https://words.example"])

    assert len(policy.asked) == 1
