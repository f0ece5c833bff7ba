"""What is no longer believed: what goes, what stays in the past, what comes back."""

from reminisce import Destination, Disbelieved, Outcome, Owner, Status
from tests.unit.app.worlds import Deciding, World, day


def live(owner: Owner, **options: object) -> list[str]:
    return [belief.value for belief in owner.beliefs("k", **options)]  # type: ignore[arg-type]


def test_disbelieving_forgets_what_is_believed_of_a_subject(ann: Owner) -> None:
    keys = [ann.believe("k", "city", "Riga").key, ann.believe("k", "pet", "cat").key]
    other = ann.believe("l", "city", "Oslo").key

    answer = ann.disbelieve("k", reason="it was a joke")

    assert answer == Disbelieved(tuple(keys), (), 4)
    assert (live(ann), [belief.key for belief in ann.beliefs("l")]) == ([], [other])
    assert [(event.status, event.operation, event.reason) for event in ann.why(keys[0]).history] == [
        ("active", "believe", None),
        ("retired", "disbelieve", "it was a joke"),
    ]


def test_disbelieving_one_attribute_leaves_the_others(ann: Owner) -> None:
    ann.believe("k", "city", "Riga")
    ann.believe("k", "pet", "cat")

    ann.disbelieve("k", "city")

    assert live(ann) == ["cat"]


def test_what_is_to_come_goes_too(ann: Owner) -> None:
    ann.believe("k", "city", "Riga")
    ann.believe("k", "city", "Oslo", valid_from=day(10))

    answer = ann.disbelieve("k")

    assert len(answer.forgotten) == 2
    assert live(ann, valid_at=day(11)) == []


def test_what_was_believed_earlier_stays_told_and_can_come_back(world: World, ann: Owner) -> None:
    old = ann.believe("k", "city", "Riga").key
    world.wait(1)
    ann.believe("k", "city", "Oslo")

    answer = ann.disbelieve("k", "city")
    past, now = live(ann, valid_at=day(0.5)), live(ann)
    ann.reinstate(old)

    assert (answer.left_superseded, past, now) == ((old,), ["Riga"], [])
    assert live(ann) == ["Riga"]


def test_what_was_disbelieved_and_comes_back_takes_its_place_again(world: World, ann: Owner) -> None:
    old = ann.believe("k", "city", "Riga").key
    world.wait(1)
    new = ann.believe("k", "city", "Oslo").key
    before = [ann.why(key).memory for key in (old, new)]

    ann.disbelieve("k")
    ann.reinstate(new)

    assert [ann.why(key).memory for key in (old, new)] == before


def test_what_was_disbelieved_comes_back_behind_what_was_said_since(world: World, ann: Owner) -> None:
    old = ann.believe("k", "city", "Riga").key
    ann.disbelieve("k")
    world.wait(1)
    ann.believe("k", "city", "Oslo")

    back = ann.reinstate(old)

    assert (back.changed, back.status) == (True, Status.SUPERSEDED)
    assert (live(ann), live(ann, valid_at=day(0.5))) == (["Oslo"], ["Riga"])


def test_disbelieving_what_is_not_believed_writes_nothing(ann: Owner) -> None:
    ann.believe("k", "city", "Riga")

    answers = [ann.disbelieve("nobody"), ann.disbelieve("k", "pet")]

    assert answers == [Disbelieved((), (), 1)] * 2


def test_disbelieving_twice_disbelieves_once(ann: Owner) -> None:
    ann.believe("k", "city", "Riga")
    ann.disbelieve("k")

    assert ann.disbelieve("k") == Disbelieved((), (), 2)


def test_what_a_caller_may_not_see_whole_it_cannot_disbelieve(world: World, ann: Owner) -> None:
    for number, tier in enumerate(("open", "redacted", "private")):
        ann.believe("k", f"a{number}", "v", tier=tier, surface="s", key=tier)
    remote = world.owner(face={"destination": Destination.REMOTE})

    answer = remote.disbelieve("k")

    assert answer.forgotten == ("open",)
    assert {ann.why(key).memory.status for key in ("redacted", "private")} == {"active"}


def test_no_policy_is_asked_when_something_is_disbelieved(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga")
    policy = Deciding()

    world.owner(policy=policy).disbelieve("k", reason="words")

    assert policy.asked == []


def test_what_has_ended_by_itself_stays_told(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga", valid_to=day(1))
    world.wait(2)

    ann.disbelieve("k")

    assert live(ann, valid_at=day(0)) == ["Riga"]


def test_what_a_caller_may_not_see_it_is_not_told_of(world: World, ann: Owner) -> None:
    secret = ann.believe("k", "city", "Riga", tier="private").key
    world.wait(1)
    remote = world.owner(face={"destination": Destination.REMOTE})

    answer = remote.believe("k", "city", "Oslo")

    assert (answer.outcome, answer.superseded) == (Outcome.NEW, ())
    assert len(remote.beliefs("k", history=True)) == 0
    assert ann.why(answer.key).memory.tier == "private"
    assert (live(ann), ann.why(answer.key).supersedes) == (["Oslo"], (secret,))


def test_the_same_as_what_a_caller_may_not_see_is_not_said_to_be_the_same(world: World, ann: Owner) -> None:
    ann.believe("k", "city", "Riga", tier="private", sources=["doc:a"])
    world.wait(1)

    answer = world.owner(face={"destination": Destination.REMOTE}).believe("k", "city", "Riga")

    assert answer.outcome is Outcome.NEW
    assert len(ann.beliefs("k")) == 1


def test_a_plan_is_cancelled_by_forgetting_it_and_reinstating_what_it_would_have_ended(ann: Owner) -> None:
    now = ann.believe("k", "city", "Riga").key
    plan = ann.believe("k", "city", "Oslo", valid_from=day(10)).key

    left = ann.forget(plan).left_superseded
    between = [belief.valid_to for belief in ann.beliefs("k")]
    back = ann.reinstate(now)

    assert (left, between) == ((now,), [day(10)])
    assert (back.changed, back.status, live(ann, valid_at=day(11))) == (True, Status.ACTIVE, ["Riga"])
    assert not ann.reinstate(now).changed
