"""No word leaves that may not: whatever was kept, whatever became of it, through whatever gives anything out."""

import logging
from collections.abc import Callable
from contextlib import closing, suppress

import anyio
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reminisce import Memories, NotFoundError, Owner, Why
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.app.mcp.tools import tools
from reminisce.domain.values import DEFAULT_ASPECTS
from reminisce.testing.writing import ALICE
from tests.support.outputs import (
    FULL,
    NOWHERE,
    OF_A_TOOL,
    OF_AN_OWNER,
    OF_MEMORIES,
    READING,
    REMOTES,
    WORD,
    Known,
    Planted,
    Remote,
    forms_of,
    lives,
    logged,
    outputs,
    public,
    telling,
    told_by,
    told_over_mcp,
)

slow = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def whole_lives(test: Callable[..., None]) -> Callable[..., None]:
    """Always tried: a life of everything, told to everybody."""
    for remote in REMOTES:
        test = example(life=FULL, remote=remote)(test)
    return test


def planted(life: list[tuple[str, object]]) -> Planted:
    return Planted(InMemoryStore("0" * 32)).live(life)


def known(life: Planted, remote: Remote) -> Known:
    """Everything there is to name, and to look for."""
    words = {f"zq{number}x" for number in range(1, life.planter.count + 1)}
    return Known(
        keys=tuple(record.memory.key for record in life.records()),
        revision=life.owner.revision(),
        hidden=(NOWHERE, *sorted(words - telling(life, remote))),
    )


def test_every_public_method_is_looked_at() -> None:
    assert (set(OF_AN_OWNER), set(OF_MEMORIES)) == (public(Owner), public(Memories))
    assert set(OF_A_TOOL) == set(tools(DEFAULT_ASPECTS, extended=True))


@slow
@given(life=lives(14), remote=st.sampled_from(REMOTES))
@whole_lives
def test_no_output_of_a_remote_face_holds_a_word_that_may_not_leave(
    life: list[tuple[str, object]], remote: Remote
) -> None:
    world = planted(life)
    allowed, names = telling(world, remote), known(world, remote)
    far = world.world.memories(face=remote.face())
    for tier in ("redacted", "private"):
        far.owner(ALICE).note(world.planter.text(), tier=tier, facets={"x": world.planter.text()})

    with logged() as lines:
        told = list(outputs(far, names))

    found = {(name, word) for name, text in told for word in WORD.findall(text)}
    assert {(name, word) for name, word in found if word not in allowed} == set()
    assert [line for line in lines if WORD.search(line)] == []


@slow
@given(life=lives(14), remote=st.sampled_from(REMOTES))
@whole_lives
def test_no_word_that_may_not_leave_finds_anything(life: list[tuple[str, object]], remote: Remote) -> None:
    world = planted(life)
    far = world.world.owner(face=remote.face())

    answers = {
        (
            tuple(hit.memory.key for hit in far.recall(word)),
            far.recall(word).considered,
            far.bundle(word).items,
            far.bundle(word).considered,
            far.forget(containing=word, dry_run=True).forgotten,
        )
        for word in known(world, remote).hidden
    }

    assert len(answers) == 1


@slow
@given(life=lives(14), remote=st.sampled_from(REMOTES))
@whole_lives
def test_every_operation_agrees_on_what_is_there_and_on_how_much_of_it(
    life: list[tuple[str, object]], remote: Remote
) -> None:
    world = planted(life)
    forms = forms_of(world, remote)
    seen = {key for key, form in forms.items() if form != "hidden"}
    active = {record.memory.key for record in world.records() if record.memory.status == "active"}
    far = world.world.owner(face=remote.face())

    found = [page for query in (None, "tea") for page in (far.recall(query, k=1_000, explain=True),)]
    answers: dict[str, Why] = {}
    for key in forms:
        with suppress(NotFoundError):
            answers[key] = far.why(key)

    assert [{hit.memory.key for hit in page} for page in found[:1]] == [seen & active]
    assert [page.considered for page in found] == [len(seen & active)] * 2
    assert (far.stats().memories, far.stats().by_status.get("active", 0)) == (len(seen), len(seen & active))
    assert set(answers) == seen
    for hit in (hit for page in found for hit in page):
        assert hit.memory.key in seen
        if forms[hit.memory.key] == "surface":
            assert (hit.explanation, hit.memory.facets, hit.memory.fact) == (None, (), None)
    for key, why in answers.items():
        if forms[key] == "surface":
            assert (why.memory.facets, why.memory.fact, {event.reason for event in why.history}) == ((), None, {None})


@slow
@given(life=lives(14), remote=st.sampled_from(REMOTES))
def test_a_bundle_is_what_recall_shows_without_repeats_and_within_the_budget(
    life: list[tuple[str, object]], remote: Remote
) -> None:
    far = planted(life).world.owner(face=remote.face())
    ranked = {hit.memory.key: hit.memory for hit in far.recall("tea", k=1_000)}

    for budget in (0, 4, 9, 1_000):
        bundle = far.bundle("tea", k=1_000, budget=budget)
        texts = [item.text for item in bundle]

        assert [key for key in ranked if key in {item.key for item in bundle}] == [item.key for item in bundle]
        assert all((item.text, item.sources) == (ranked[item.key].content, ranked[item.key].sources) for item in bundle)
        assert all(item.trust == far.why(item.key).trust for item in bundle)
        assert bundle.used == sum(-(-len(text.encode()) // 4) for text in texts) <= budget
        assert len(bundle) + bundle.dropped.near_duplicates + bundle.dropped.over_budget == len(ranked)
        assert len({text.rstrip("!") for text in texts}) == len(texts)


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(life=lives(10), remote=st.sampled_from(REMOTES))
@whole_lives
def test_nothing_that_a_server_sends_holds_a_word_that_may_not_leave(
    life: list[tuple[str, object]], remote: Remote
) -> None:
    world = planted(life)
    allowed, names = telling(world, remote), known(world, remote)

    with closing(world.world.memories(face=remote.face())) as far, logged() as lines:
        told = anyio.run(told_over_mcp, far, names)

    found = {(name, word) for name, text in told for word in WORD.findall(text)}
    assert {(name, word) for name, word in found if word not in allowed} == set()
    assert [line for line in lines if WORD.search(line)] == []


@pytest.mark.parametrize("name", READING)
def test_the_walk_would_notice(name: str) -> None:
    """The words are there to be found: the owner itself, on its own machine, is told of them by what tells words."""
    life = Planted(InMemoryStore("0" * 32))
    owner = life.owner
    facts = {"subjects": ["person:p"], "fact": ("person:p", "home", "zq1x")}
    owner.remember("tea zq2x", key="k", tier="private", surface="zq3x", facets={"zq4x": "zq5x"}, **facts)
    owner.remember("tea zq6x", key="held", tier="private", aspects=["procedural"])
    owner.note("tea zq7x", tier="private")
    names = Known(("k", "held"), owner.revision())

    told = {word for call in OF_AN_OWNER[name](owner, names) for text in told_by(call) for word in WORD.findall(text)}

    assert bool(told) is (name not in ("revision", "stats"))


def test_a_log_that_tells_a_word_would_be_noticed() -> None:
    with logged() as lines:
        logging.getLogger("reminisce.anything").debug("it said %s", "zq1x")

    assert [bool(WORD.search(line)) for line in lines] == [True]
