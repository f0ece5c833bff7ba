"""A bundle: what may be put before a model, over every store."""

from pathlib import Path
from typing import Any

import pytest

from reminisce import Bundle, ConfigurationError, Destination, Dropped, InvalidError, Item, Owner, open_memory
from reminisce.adapters.inmemory import InMemoryStore
from reminisce.app.config import read_settings
from reminisce.app.service.held import SAVE_EVERY
from reminisce.domain.masking import MARK, Masks
from tests.unit.app.worlds import World, contents

FALCON = Masks(terms=("falcon",))


def far(world: World, masks: Masks = FALCON, audience: str | None = None) -> Owner:

    return world.owner(face={"destination": Destination.REMOTE, "masks": masks, "audience": audience})


def keys(bundle: Bundle) -> list[str]:
    return [item.key for item in bundle]


def test_it_tells_text_sources_and_trust_of_what_ranks_first(ann: Owner) -> None:
    ann.remember("The ferry leaves at nine.", key="nine", sources=["doc:timetable"], basis="told", confidence=0.5)
    ann.remember("The ferry leaves at ten.", key="ten", derived_from=["nine"])
    ann.remember("Tea is hot.", key="tea")

    bundle = ann.bundle("when does the ferry leave")

    assert bundle.items == (
        Item("ten", "The ferry leaves at ten.", (), 0.45),
        Item("nine", "The ferry leaves at nine.", ("doc:timetable",), 0.45),
    )
    assert [ann.why(item.key).trust for item in bundle] == [item.trust for item in bundle]
    assert (bundle.used, bundle.budget, bundle.dropped, bundle.considered) == (13, 2_000, Dropped(0, 0), 3)
    assert (bundle.more, bundle.revision) == (False, ann.revision())


def test_without_a_query_it_holds_the_newest_and_filters_narrow_it(ann: Owner) -> None:
    for number in range(3):
        ann.remember(f"Fact {number}.", key=str(number), aspects=["semantic" if number else "episodic"])

    assert sorted(keys(ann.bundle(None))) == ["0", "1", "2"]
    assert sorted(keys(ann.bundle(None, aspects=["semantic"]))) == ["1", "2"]
    assert len(ann.bundle(None, k=1)) == 1
    assert ann.bundle(None, k=1).more
    assert len(ann.bundle(" ")) == 0


def test_repeats_and_giants_make_room_for_what_ranks_behind_them(ann: Owner) -> None:
    for number in range(40):
        ann.remember("The gate is red" + "!" * number, key=f"red {number:02}")
    ann.remember("The gate is red, " + "and so is a very long wall, " * 20, key="long")
    ann.remember("The gate was painted.", key="painted")

    bundle = ann.bundle("red gate", k=2, budget=10)

    assert bundle.dropped == Dropped(near_duplicates=39, over_budget=1)
    assert keys(bundle) == ["red 00", "painted"]


def test_the_answer_is_the_same_every_time(ann: Owner, world: World) -> None:
    for number in range(30):
        ann.remember(f"The gate number {number % 7} is red.", key=f"k{number}")

    assert ann.bundle("red gate") == ann.bundle("red gate") == world.owner().bundle("red gate")


def test_it_writes_nothing(ann: Owner) -> None:
    ann.remember("tea")
    before = ann.revision()

    ann.bundle("tea")

    assert (ann.revision(), ann.why(keys(ann.bundle("tea"))[0]).memory.uses) == (before, 0)


def test_a_measure_of_the_hosts_counts_instead(ann: Owner) -> None:
    ann.remember("one two three", key="a")
    ann.remember("tea for two", key="b")

    bundle = ann.bundle("two", budget=5, measure=lambda item: len(item.text.split()))

    assert (len(bundle), bundle.used, bundle.dropped.over_budget) == (1, 3, 1)


@pytest.mark.parametrize("size", [-1, True, 1.5, None, "4"])
def test_a_measure_that_gives_no_number_is_refused(quick: World, size: object) -> None:
    owner = quick.owner()
    owner.remember("tea")

    with pytest.raises(InvalidError) as caught:
        owner.bundle("tea", measure=lambda _: size)  # type: ignore[arg-type, return-value]

    assert caught.value.fields == ("measure",)


def test_every_bad_argument_is_told_at_once(quick: World) -> None:
    with pytest.raises(InvalidError) as caught:
        quick.owner().bundle(
            7, k=1_001, budget=-1, measure=4, basis="nonsense", destination="local", cursor="x",  # type: ignore[arg-type]
        )  # fmt: skip

    assert sorted(caught.value.fields) == ["arguments", "basis", "budget", "k", "measure", "query"]


@pytest.mark.parametrize("budget", [True, 1.5, "9", 2**63])
def test_a_budget_is_a_whole_number(quick: World, budget: object) -> None:
    with pytest.raises(InvalidError) as caught:
        quick.owner().bundle("tea", budget=budget)  # type: ignore[arg-type]

    assert caught.value.fields == ("budget",)


def test_a_face_of_an_audience_bundles_for_no_other(quick: World) -> None:
    with pytest.raises(InvalidError) as caught:
        far(quick, audience="team").bundle("tea", audience="press")

    assert caught.value.fields == ("audience",)


def hidden(owner: Owner) -> None:
    owner.remember("The red gate is where the key hides.", key="secret", tier="private", episode="walk")
    owner.remember("The red gate, once more.", key="veiled", tier="redacted", facets={"where": "gate"})
    owner.remember("The red gate, once more!", key="about", subjects=["person"], tier="private")


def shown(owner: Owner) -> None:
    owner.remember("The red gate is where the key hides!", key="same", episode="walk")
    owner.remember("Tea at the gate.", key="tea", episode="walk")
    owner.remember("Falcon at the gate.", key="masked", tier="redacted")


def test_what_is_hidden_from_a_model_elsewhere_changes_nothing_of_its_bundle(world: World) -> None:
    shown(world.owner())
    alone = {query: far(world).bundle(query) for query in ("red gate", None, "tea", "falcon")}

    hidden(world.owner())

    for query, before in alone.items():
        after = far(world).bundle(query)
        assert (after.items, after.used, after.dropped) == (before.items, before.used, before.dropped)
        assert (after.considered, after.more) == (before.considered, before.more)


def test_a_masked_memory_is_there_for_every_operation_as_what_is_left_of_it(world: World) -> None:
    ann = world.owner()
    ann.remember("Falcon ships in May.", key="falcon", tier="redacted", facets={"who": "hyacinth"})
    ann.remember("Nothing is named here.", key="bare", tier="redacted")
    ann.remember("What comes of it ships in Falcon.", key="child", derived_from=["falcon"])

    remote = far(world)

    assert contents(remote.recall("ships May")) == [f"{MARK} ships in May.", f"What comes of it ships in {MARK}."]
    assert [len(remote.recall(query)) for query in ("falcon", "hyacinth", "named")] == [0, 0, 0]
    assert (remote.recall(None).considered, remote.stats().memories) == (2, 2)
    told = remote.why("child")
    assert ([step.key for step in told.ancestors], told.memory.surface) == (["falcon"], told.memory.content)
    assert remote.why("falcon").descendants == 1
    assert remote.forget(containing="ships", dry_run=True).forgotten == ("child", "falcon")
    assert remote.forget(containing="Falcon", dry_run=True).forgotten == ()
    assert keys(remote.bundle("ships")) == [hit.memory.key for hit in remote.recall("ships")]


def test_without_masks_what_was_given_no_surface_stays_hidden(world: World) -> None:
    world.owner().remember("Falcon ships in May.", key="falcon", tier="redacted")

    assert len(far(world, Masks()).bundle("ships")) == 0
    assert far(world, Masks()).stats().memories == 0


def test_an_index_saved_under_other_masks_is_not_read(world: World) -> None:
    # As many as make a writer save its index.
    lines = [{"content": f"Falcon and Eagle ship in May {n}.", "tier": "redacted"} for n in range(SAVE_EVERY + 1)]
    world.owner(face={"masks": FALCON}).remember_many(lines)

    for masks, query, found in (
        (FALCON, "eagle", True),
        (Masks(terms=("eagle",)), "eagle", False),
        (FALCON, "falcon", False),
    ):
        answer = far(world, masks).recall(query)

        assert (bool(answer.hits), answer.considered) == (found, len(lines))


def test_notes_show_in_the_same_forms(quick: World) -> None:
    owner = far(quick)
    owner.note("Falcon ships.", tier="redacted", facets={"who": "hyacinth"})
    owner.note("Nothing is named.", tier="redacted")
    owner.note("Nobody else's.", tier="private")

    assert [(note.content, note.attributes.facets) for note in owner.notes()] == [(f"{MARK} ships.", ())]
    assert owner.clear().notes == 1


def test_terms_come_from_the_call_or_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.toml").write_text('mask_terms = ["Falcon"]\n', "utf-8")
    monkeypatch.setenv("REMINISCE_CONFIG", str(tmp_path))

    left = []
    several: list[dict[str, Any]] = [{}, {"mask_terms": ["May"]}, {"mask_terms": []}]
    for options in several:
        with open_memory(":memory:", destination="remote", **options) as memories:
            owner = memories.owner("agent:alice")
            owner.remember("Falcon ships in May.", tier="redacted")
            left.append([item.text for item in owner.bundle("ships")])

    assert left == [[f"{MARK} ships in May."], [f"Falcon ships in {MARK}."], []]
    assert "Falcon" not in repr(read_settings())


@pytest.mark.parametrize("terms", ["Falcon", 7, [""], [" "], ["\u200b"], [f"a{MARK}"], ["x" * 257], ["x"] * 1_001, [7]])
def test_terms_that_cannot_be_looked_for_are_refused_without_an_echo(terms: object) -> None:
    with pytest.raises(ConfigurationError) as caught:
        open_memory(":memory:", mask_terms=terms)  # type: ignore[arg-type]

    assert caught.value.fields == ("mask_terms",)
    assert "Falcon" not in str(caught.value)


def test_it_reads_one_snapshot_while_others_write(quick: World) -> None:
    owner = quick.owner()
    owner.remember("tea one", key="a")
    owner.remember("tea two", key="b")

    def meanwhile(_: Item) -> int:
        quick.owner().forget(["a", "b"]) if not calls else None
        calls.append(1)
        return 1

    calls: list[int] = []
    bundle = owner.bundle("tea", measure=meanwhile)

    assert (len(bundle), len(owner.bundle("tea"))) == (2, 0)


def test_a_store_of_nothing_gives_an_empty_bundle() -> None:
    owner = World(InMemoryStore("0" * 32)).owner()

    assert owner.bundle("tea") == Bundle((), 0, 2_000, Dropped(0, 0), 0, False, 0)
