"""What an owner's operations do, through the library, on the store in the process."""

import datetime as dt
from typing import Any

import pytest

from reminisce import CursorExpiredError, Memories, Owner, Status, open_memory
from reminisce.domain import walk
from reminisce.domain.changes import AddHistory, Advance, Commit, Fence, FenceKind, PutLink, PutMemory
from reminisce.domain.records import Link, LinkKind, Member


def contents(found: Any) -> list[str]:
    return [hit.memory.content for hit in found]


def test_a_made_key_is_m_and_26_characters_of_base32(alice: Owner) -> None:
    key = alice.remember("tea").key

    assert key.startswith("m_")
    assert len(key) == 28
    assert set(key[2:]) <= set("abcdefghijklmnopqrstuvwxyz234567")


def test_the_same_attributes_are_the_same_memory(alice: Owner) -> None:
    first = alice.remember("tea", sources=["a", "b"], facets={"x": ["1", "2"]}, subjects=["p", "q"])

    again = alice.remember("tea", sources=["b", "a", "b"], facets={"x": ("2", "1")}, subjects=["q", "p"])

    assert (again.key, again.created, again.revision) == (first.key, False, 1)


@pytest.mark.parametrize(
    "changed",
    [
        {"content": "Tea"},
        {"aspects": ["semantic"]},
        {"basis": "told"},
        {"confidence": 0.9},
        {"occurred_at": "2026-01-01T00:00:00Z"},
        {"sources": ["doc:x"]},
        {"facets": {"a": "b"}},
        {"subjects": ["p"]},
        {"tier": "private"},
        {"surface": "s"},
        {"episode": "e"},
    ],
)
def test_other_attributes_are_another_memory(alice: Owner, changed: dict[str, Any]) -> None:
    alice.remember("tea")

    assert alice.remember(**({"content": "tea"} | changed)).created


def test_the_same_key_and_attributes_revive_nothing(alice: Owner) -> None:
    alice.remember("tea", key="k")
    alice.forget("k")

    again = alice.remember("tea", key="k")

    assert (again.created, again.status, again.revision) == (False, Status.RETIRED, 2)


def test_what_was_forgotten_may_be_learned_anew(alice: Owner) -> None:
    old = alice.remember("tea").key
    alice.forget(old)

    new = alice.remember("tea")

    assert new.created
    assert new.key != old


def test_a_replayed_request_keeps_nothing_twice_although_it_was_forgotten(alice: Owner) -> None:
    key = alice.remember("tea", request_key="r").key
    alice.forget(key)

    again = alice.remember("tea", request_key="r")

    assert (again.key, again.created, again.status) == (key, False, Status.RETIRED)


def test_twins_within_a_batch_are_one(alice: Owner) -> None:
    lines = alice.remember_many([{"content": "tea"}, {"content": "tea"}]).lines

    assert [line.created for line in lines] == [True, False]
    assert lines[0].key == lines[1].key


def test_a_batch_may_build_on_itself(alice: Owner) -> None:
    alice.remember_many(
        [
            {"content": "rain", "key": "a", "tier": "private", "subjects": ["p"]},
            {"content": "so it is wet", "key": "b", "derived_from": ["a"]},
            {"content": "no, dry", "key": "c", "supersedes": ["b"]},
        ]
    )

    why = alice.why("c")

    assert (why.memory.tier, why.memory.subjects, why.supersedes) == ("private", ("p",), ("b",))
    assert alice.why("b").memory.status is Status.SUPERSEDED


def test_a_derivative_takes_the_strictest_tier_and_all_subjects(alice: Owner) -> None:
    a = alice.remember("a", subjects=["p"], tier="redacted").key
    b = alice.remember("b", subjects=["q"]).key

    memory = alice.why(alice.remember("sum", derived_from=[a, b], subjects=["r"]).key).memory

    assert (memory.subjects, memory.tier) == (("p", "q", "r"), "redacted")
    assert (memory.given.subjects, memory.given.tier) == (("r",), "open")


def test_forgetting_says_what_it_leaves_superseded_and_reinstating_brings_it_back(alice: Owner) -> None:
    old = alice.remember("the gate is north").key
    new = alice.remember("the gate is south", supersedes=[old]).key

    forgotten = alice.forget(new)
    alice.reinstate(old)

    assert forgotten.left_superseded == (old,)
    assert contents(alice.recall("gate")) == ["the gate is north"]
    assert [event.status for event in alice.why(old).history] == ["active", "superseded", "active"]


def test_forgetting_twice_forgets_once(alice: Owner) -> None:
    key = alice.remember("tea").key

    alice.forget(key)
    again = alice.forget(key)

    assert (again.forgotten, again.unchanged, again.revision) == ((), (key,), 2)


def test_forget_then_reinstate_changes_no_answer(alice: Owner) -> None:
    old = alice.remember("gate north").key
    new = alice.remember("gate south", supersedes=[old]).key
    before = [(alice.recall("gate", explain=True).hits, alice.stats().by_status)]

    for key in (new, old):
        alice.forget(key)
        alice.reinstate(key)

    assert [(alice.recall("gate", explain=True).hits, alice.stats().by_status)] == before


def test_reinstating_a_twin_answers_the_active_one(alice: Owner) -> None:
    old = alice.remember("tea").key
    alice.forget(old)
    new = alice.remember("tea").key

    back = alice.reinstate(old)

    assert (back.key, back.changed) == (new, False)
    assert len(alice.recall("tea")) == 1


def test_a_memory_with_a_name_of_its_own_comes_back_beside_a_twin(alice: Owner) -> None:
    alice.remember("tea", key="a")
    alice.remember("tea", key="b")
    alice.forget("a")

    assert alice.reinstate("a").changed
    assert len(alice.recall("tea")) == 2


def test_reinstating_a_superseder_supersedes_again(alice: Owner) -> None:
    old = alice.remember("gate north").key
    new = alice.remember("gate south", supersedes=[old]).key
    alice.forget(new)
    alice.reinstate(old)

    alice.reinstate(new)

    assert contents(alice.recall("gate")) == ["gate south"]


def test_a_blank_query_matches_nothing_and_none_lists_everything(alice: Owner) -> None:
    alice.remember("tea")

    assert [len(alice.recall(query)) for query in ("", "  ", "\n", "?!", None)] == [0, 0, 0, 0, 1]


def test_recent_is_newest_first_by_when_it_happened(alice: Owner) -> None:
    alice.remember("old", occurred_at="2001-01-01T00:00:00Z")
    alice.remember("now")
    alice.remember("older", occurred_at="2000-01-01T00:00:00+05:00")

    assert contents(alice.recent()) == ["now", "old", "older"]


def test_a_list_has_score_0_and_counts_what_passed(alice: Owner) -> None:
    alice.remember_many({"content": f"tea {n}", "episode": "e" if n % 2 else "f"} for n in range(10))

    found = alice.recent(k=3, episode="e")

    assert ([hit.score for hit in found], found.considered) == ([0, 0, 0], 5)


def test_pages_follow_the_revision_they_began_at(alice: Owner) -> None:
    alice.remember_many({"content": f"tea {n}"} for n in range(7))
    whole = [hit.memory.key for hit in alice.recall("tea", k=100)]

    page = alice.recall("tea", k=3)
    found = [hit.memory.key for hit in page]
    alice.remember("tea that came later")
    alice.forget(whole[5])
    while page.cursor:
        page = alice.recall("tea", k=3, cursor=page.cursor)
        found += [hit.memory.key for hit in page]

    assert found == whole
    assert page.revision == 1


def test_a_consent_between_two_pages_expires_the_cursor(memories: Memories, alice: Owner) -> None:
    alice.remember_many({"content": f"tea {n}", "subjects": ["p"]} for n in range(4))
    cursor = alice.recall("tea", k=1).cursor

    memories.consent("p", ["team"])

    with pytest.raises(CursorExpiredError):
        alice.recall("tea", k=1, cursor=cursor)


def test_a_cursor_of_another_store_is_expired() -> None:
    cursors: list[str | None] = []
    for _ in range(2):
        with open_memory(":memory:") as memories:
            alice = memories.owner("agent:alice")
            alice.remember_many({"content": f"tea {n}"} for n in range(4))
            if cursors:
                with pytest.raises(CursorExpiredError):
                    alice.recall("tea", k=1, cursor=cursors[0])
            cursors.append(alice.recall("tea", k=1).cursor)


def test_a_consent_takes_effect_at_the_next_recall(memories: Memories, alice: Owner) -> None:
    alice.remember("tea for p", subjects=["p"])
    seen = []
    for audiences in ((), ("team",), ("press",)):
        memories.consent("p", audiences)
        seen.append(len(alice.recall("tea", audience="team")))

    assert seen == [0, 1, 0]


def test_a_memory_about_two_is_seen_where_both_agree(memories: Memories, alice: Owner) -> None:
    alice.remember("tea for two", subjects=["p", "q"])
    memories.consent("p", ["team"])
    before = alice.recall("tea", audience="team").considered

    memories.consent("q", ["team", "press"])

    assert (before, alice.recall("tea", audience="team").considered) == (0, 1)


def test_what_an_audience_may_not_see_changes_no_score(memories: Memories, alice: Owner) -> None:
    bob = memories.owner("agent:bob")
    for owner in (alice, bob):
        owner.remember_many(
            {"content": f"tea {n} gate", "key": f"k{n}", "episode": "e", "occurred_at": f"2026-01-0{n}T00:00:00Z"}
            for n in range(1, 5)
        )
    alice.remember("tea tea gate for p", subjects=["p"], episode="e", occurred_at="2026-01-02T12:00:00Z")

    hidden, never = (
        [(hit.memory.key, hit.score) for hit in owner.recall("tea gate", k=50, audience="team")]
        for owner in (alice, bob)
    )

    assert hidden == never


def test_why_tells_sources_derivations_and_history(alice: Owner) -> None:
    a = alice.remember("first", sources=["doc:x"], key="a").key
    alice.remember("other", sources=["doc:x"], key="o")
    b = alice.remember("second", derived_from=[a], key="b").key
    c = alice.remember("third", derived_from=[b], key="c").key

    first, third = alice.why(a), alice.why(c)

    assert first.sources == (("doc:x", ("o",)),)
    assert (first.descendants, first.ancestors) == (2, ())
    assert [(step.key, step.depth, step.derived_from) for step in third.ancestors] == [("b", 1, ("a",)), ("a", 2, ())]
    assert [(event.operation, event.status, event.actor) for event in third.history] == [
        ("remember", "active", "library")
    ]


def test_why_says_when_its_depth_left_ancestors_out(alice: Owner) -> None:
    keys = [alice.remember("0").key]
    for n in range(1, 5):
        keys.append(alice.remember(str(n), derived_from=[keys[-1]]).key)

    assert [alice.why(keys[-1], depth=depth).complete for depth in (3, 4)] == [False, True]


def test_a_remote_face_sees_surfaces_and_nothing_private() -> None:
    with open_memory(":memory:", destination="remote") as memories:
        alice = memories.owner("agent:alice")
        alice.remember("open tea", key="o", sources=["doc:s"], facets={"f": "v"})
        alice.remember("hidden tea", key="r", tier="redacted", surface="something to drink", facets={"f": "w"})
        alice.remember("hidden tea without a surface", key="n", tier="redacted")
        alice.remember("private tea", key="p", tier="private")

        found = alice.recall("tea drink hidden private", k=50, explain=True)
        by_key = {hit.memory.key: hit for hit in found}

        assert set(by_key) == {"o", "r"}
        assert by_key["r"].memory.content == "something to drink"
        assert (by_key["r"].memory.facets, by_key["r"].explanation) == ((), None)
        assert contents(alice.recall("hidden")) == []
        assert contents(alice.recall(None, facets={"f": "w"})) == []
        assert alice.stats().memories == 2


def test_stats_count_by_status_tier_and_aspect(alice: Owner) -> None:
    alice.remember("a", aspects=["semantic", "episodic"])
    alice.remember("b", tier="private")
    alice.forget(alice.remember("c").key)

    stats = alice.stats()

    assert stats.by_status == {"active": 2, "retired": 1}
    assert stats.by_tier == {"open": 1, "private": 1}
    assert stats.by_aspect == {"episodic": 2, "semantic": 1}


def test_shares_are_kept_in_thousandths_half_to_even(alice: Owner) -> None:
    kept = [alice.why(alice.remember("x", confidence=value).key).memory.confidence for value in (0.0005, 0.0015, 0.85)]

    assert kept == [0.0, 0.002, 0.85]


def test_times_come_back_in_utc_to_the_microsecond(alice: Owner) -> None:
    zone = dt.timezone(dt.timedelta(hours=-7, minutes=-30))
    key = alice.remember("x", occurred_at=dt.datetime(2026, 3, 1, 2, 0, 0, 123456, tzinfo=zone)).key

    assert alice.why(key).memory.occurred_at == dt.datetime(2026, 3, 1, 9, 30, 0, 123456, tzinfo=dt.UTC)


def test_a_store_may_have_aspects_of_its_own() -> None:
    with open_memory(":memory:", aspects=("fact", "rule")) as memories:
        alice = memories.owner("agent:alice")

        key = alice.remember("tea").key

        assert alice.why(key).memory.aspects == ("fact",)


def test_the_doctor_finds_nothing_wrong_and_repairs_on_request(memories: Memories, alice: Owner) -> None:
    alice.remember("tea")

    assert memories.doctor(deep=True).findings == ()
    assert memories.doctor(repair=True).repaired == ("agent:alice",)
    assert len(alice.recall("tea")) == 1


def test_eight_are_answered_when_nothing_is_said(alice: Owner) -> None:
    alice.remember_many({"content": f"tea {n}"} for n in range(10))

    assert (len(alice.recall("tea")), len(alice.recent())) == (8, 8)


def test_facets_may_come_as_pairs(alice: Owner) -> None:
    key = alice.remember("tea", facets=[("colour", "green"), ["colour", "black"]]).key

    assert alice.why(key).memory.facets == (("colour", "black"), ("colour", "green"))


def test_lists_of_nothing_filter_nothing(alice: Owner) -> None:
    alice.remember("tea")

    assert len(alice.recall("tea", sources=[], aspects=[], basis=[], facets={})) == 1


def test_a_pasted_page_is_found_by_the_words_that_are_known(alice: Owner) -> None:
    alice.remember("the deploy key rotates")
    page = " ".join(["deploy key rotates", *(f"unheard{n}" for n in range(500))])

    assert contents(alice.recall(page)) == ["the deploy key rotates"]


def test_keys_that_hold_colons_do_not_meet_in_their_links(alice: Owner) -> None:
    for key in ("b:c", "c"):
        alice.remember(f"source {key}", key=key)

    alice.remember("one", key="a", derived_from=["b:c"])
    alice.remember("two", key="a:b", derived_from=["c"])

    assert [step.key for step in alice.why("a:b").ancestors] == ["c"]


def test_a_walk_is_cut_at_its_bound_and_says_so(alice: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    alice.remember_many({"content": f"source {n}", "key": f"s{n}"} for n in range(6))
    alice.remember("sum", key="sum", derived_from=[f"s{n}" for n in range(6)])
    monkeypatch.setattr(walk, "WALK", 3)

    why = alice.why("sum")

    assert (len(why.ancestors), why.complete) == (3, False)


def test_lists_of_why_are_cut_and_say_so(alice: Owner) -> None:
    alice.remember_many({"content": f"citing {n}", "sources": ["doc:x"], "key": f"k{n}"} for n in range(6))

    why = alice.why("k0", most=2)

    assert (why.sources, why.complete) == ((("doc:x", ("k1", "k2")),), False)


def test_an_injected_cycle_ends_the_walk(memories: Memories, alice: Owner) -> None:
    alice.remember("a", key="a")
    alice.remember("b", key="b", derived_from=["a"])
    link = Link("cycle", LinkKind.DERIVATION, (Member("derived", "a"), Member("source", "b")), 2)
    memories._core.store.commit(Commit(id="f" * 32, changes=(PutLink("agent:alice", link),)))

    why = alice.why("b")

    assert [(step.key, step.derived_from) for step in why.ancestors] == [("a", ("b",))]
    assert (why.descendants, why.complete) == (1, True)


def test_a_remote_face_is_told_no_key_of_what_it_may_not_see() -> None:
    with open_memory(":memory:", destination="remote") as memories:
        alice = memories.owner("agent:alice")
        alice.remember("hidden", key="hidden", tier="redacted")
        memories._core.store.commit(_derivation("hidden"))

        told = [alice.recall("shown").hits[0].memory, alice.why("shown", depth=1).memory]

        assert [memory.derived_from for memory in told] == [(), ()]
        assert alice.why("shown", depth=1).complete


def _derivation(parent: str) -> Commit:
    """A redacted memory with a surface, derived from one that a remote face cannot see and so cannot name."""
    with open_memory(":memory:") as memories:
        alice = memories.owner("agent:alice")
        alice.remember("hidden", key=parent, tier="redacted")
        alice.remember("words", key="shown", surface="shown", derived_from=[parent])
        with memories._core.store.view() as view:
            memory = view.memories("agent:alice", ["shown"])["shown"]
            event = view.history("agent:alice", ["shown"])["shown"][0]
            [link] = view.links("agent:alice", ["shown"])["shown"]
            entry = next(view.log("agent:alice", since=1))
    return Commit(
        id="e" * 32,
        changes=(
            PutMemory(memory, b"d" * 20),
            AddHistory("agent:alice", "shown", event),
            PutLink("agent:alice", link),
        ),
        advances=(Advance(Fence(FenceKind.OWNER, "agent:alice"), 1, 2),),
        entries=(entry,),
    )
