"""What goes out: what its viewer may see, whole or not at all, over nothing that is somebody else's."""

import io
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reminisce import InvalidError, Owner, StoreError
from reminisce.app.service import exporting
from reminisce.domain.memory import Memory
from tests.support.failing import FailingStore
from tests.unit.app.worlds import World


def out(owner: Owner, **options: Any) -> list[dict[str, Any]]:
    stream = io.BytesIO()
    owner.export(stream, **options)
    return [json.loads(line) for line in stream.getvalue().split(b"\n") if line]


def keys(owner: Owner, **options: Any) -> list[str]:
    return [record["key"] for record in out(owner, **options)]


def told(world: World) -> None:
    ann = world.owner()
    ann.remember("Nobody's.", key="nobody")
    ann.remember("Of p.", key="p", subjects=["p"])
    ann.remember("Of q.", key="q", subjects=["q"])
    ann.remember("Secret number.", key="private", tier="private")
    ann.remember(
        "The safe opens with 7-7-1.", key="safe", tier="redacted", surface="There is a safe.", facets={"a": "b"}
    )
    ann.remember("Said of all.", key="summary", derived_from=["nobody", "private"])
    ann.remember("Redacted without a surface.", key="dark", tier="redacted")
    world.memories().consent("p", ["team"])


def test_the_owner_gets_all_of_its_own_in_order(world: World) -> None:
    told(world)

    assert keys(world.owner()) == ["nobody", "p", "q", "private", "safe", "summary", "dark"]


def test_an_audience_gets_what_it_may_see(world: World) -> None:
    told(world)

    assert keys(world.owner(face={"audience": "team"})) == ["nobody", "p", "private", "safe", "summary", "dark"]


def test_nothing_private_goes_to_a_remote_face_and_of_the_redacted_the_surface(world: World) -> None:
    told(world)

    records = {record["key"]: record for record in out(world.owner(face={"destination": "remote"}))}

    assert list(records) == ["nobody", "p", "q", "safe"]
    assert records["safe"]["content"] == "There is a safe."
    assert records["safe"]["only_surface"] is True
    assert "7-7-1" not in json.dumps(records)
    assert "facets" not in records["safe"]


def test_what_a_memory_comes_from_is_named_where_it_goes_along(world: World) -> None:
    told(world)
    world.owner().forget("nobody")

    assert out(world.owner())[-2]["derived_from"] == ["private"]
    assert out(world.owner(), statuses=["active", "retired"])[-2]["derived_from"] == ["nobody", "private"]


@pytest.mark.parametrize(
    ("statuses", "keys_"),
    [(["active"], ["new"]), (["superseded"], ["old"]), (["retired", "active"], ["gone", "new"])],
)
def test_other_statuses_go_out_when_named(world: World, statuses: list[str], keys_: list[str]) -> None:
    ann = world.owner()
    ann.remember("Old.", key="old")
    ann.remember("Gone.", key="gone")
    ann.remember("New.", key="new", supersedes=["old"])
    ann.forget("gone")

    assert keys(ann, statuses=statuses) == keys_


def test_all_that_is_superseded_comes_back_superseded(world: World) -> None:
    ann = world.owner()
    ann.believe("p", "lives in", "Riga", key="riga", valid_from="2020-01-01T00:00:00Z")
    ann.believe("p", "lives in", "Oslo", key="oslo", valid_from="2021-01-01T00:00:00Z")
    ann.remember("Old.", key="old")
    ann.correct("old", content="New.", new_key="new")
    stream = io.BytesIO()
    ann.export(stream, statuses=["active", "superseded"])

    other = world.owner("agent:other")
    other.import_(io.BytesIO(stream.getvalue()))

    assert {key: str(other.why(key).memory.status) for key in ("riga", "oslo", "old", "new")} == {
        "riga": "superseded", "oslo": "active", "old": "superseded", "new": "active",
    }  # fmt: skip
    assert [belief.value for belief in other.beliefs("p", valid_at="2020-06-01T00:00:00Z")] == ["Riga"]


def test_a_stream_of_many_is_read_in_chunks(quick: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = quick.owner()
    ann.remember_many({"content": f"Number {number}."} for number in range(50))
    monkeypatch.setattr(exporting, "CHUNK", 7)
    held: list[int] = []
    islice = itertools.islice

    def counted(memories: Iterator[Memory], most: int) -> Iterator[Memory]:
        held.append(most)
        return islice(memories, most)

    monkeypatch.setattr(exporting, "islice", counted)

    assert [record["content"] for record in out(ann)] == [f"Number {number}." for number in range(50)]
    assert held == [7] * 9


def test_an_export_tells_how_far_it_is(quick: World) -> None:
    ann = quick.owner()
    ann.remember_many({"content": f"Number {number}."} for number in range(3))
    seen: list[int] = []

    answer = ann.export(io.BytesIO(), progress=seen.append)

    assert (seen, answer.memories, answer.revision) == ([1, 2, 3], 3, 1)


def test_two_exports_of_one_revision_are_the_same_bytes(quick: World) -> None:
    told(quick)
    streams = [io.BytesIO(), io.BytesIO()]
    for stream in streams:
        quick.owner().export(stream)

    assert streams[0].getvalue() == streams[1].getvalue()


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
def test_nothing_is_written_over_without_being_told(quick: World, tmp_path: Path, form: str) -> None:
    ann = quick.owner()
    ann.remember("Words.", key="k")
    ann.export(tmp_path / "out", format=form)
    ann.remember("More words.")

    with pytest.raises(InvalidError) as refused:
        ann.export(tmp_path / "out", format=form)

    assert [problem.code for problem in refused.value.problems] == ["taken"]
    assert ann.export(tmp_path / "out", format=form, replace=True).memories == 2
    assert quick.owner("agent:other").import_(tmp_path / "out", format=form).created == 2


def test_a_folder_that_is_no_export_is_never_replaced(quick: World, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.md").write_text("Years of work.")

    for form in ("jsonl", "markdown"):
        with pytest.raises(InvalidError):
            quick.owner().export(tmp_path / "mine", format=form, replace=True)

    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.md"]


def test_an_empty_folder_is_filled(quick: World, tmp_path: Path) -> None:
    quick.owner().remember("Words.", key="k")
    (tmp_path / "empty").mkdir()

    quick.owner().export(tmp_path / "empty", format="markdown")

    assert sorted(path.name for path in (tmp_path / "empty").iterdir()) == [".reminisce-export", "k.md"]


def test_a_file_is_not_replaced_by_a_folder(quick: World, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("Mine.")

    with pytest.raises(InvalidError):
        quick.owner().export(tmp_path / "file", format="markdown", replace=True)

    assert (tmp_path / "file").read_text() == "Mine."


@pytest.mark.parametrize("form", ["jsonl", "markdown"])
@pytest.mark.parametrize("there", [True, False])
def test_an_export_that_fails_half_way_leaves_what_was_there(
    quick: World, tmp_path: Path, form: str, there: bool
) -> None:
    ann = quick.owner()
    ann.remember_many({"content": f"Number {number}.", "key": f"k{number}"} for number in range(5))
    if there:
        ann.export(tmp_path / "out", format=form)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def fail(done: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ann.export(tmp_path / "out", format=form, replace=True, progress=fail)

    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_place_that_cannot_be_written_is_a_refusal(quick: World, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("Mine.")

    with pytest.raises(InvalidError) as refused:
        quick.owner().export(tmp_path / "file" / "below.jsonl")

    assert refused.value.fields == ("into",)


@pytest.mark.parametrize(
    ("arguments", "fields"),
    [
        ({"into": 7}, ("into",)),
        ({"into": io.BytesIO(), "format": "markdown"}, ("format",)),
        ({"into": io.BytesIO(), "format": "yaml"}, ("format",)),
        ({"into": io.BytesIO(), "statuses": []}, ("statuses",)),
        ({"into": io.BytesIO(), "statuses": ["lost"]}, ("statuses",)),
        ({"into": io.BytesIO(), "statuses": "active"}, ("statuses",)),
        ({"into": io.BytesIO(), "replace": 1}, ("replace",)),
    ],
)
def test_bad_arguments_are_named(quick: World, arguments: dict[str, Any], fields: tuple[str, ...]) -> None:
    with pytest.raises(InvalidError) as refused:
        quick.owner().export(**arguments)

    assert refused.value.fields == fields


def test_a_store_that_fails_is_an_error_and_leaves_no_file(quick: World, tmp_path: Path) -> None:
    quick.owner().remember("Words.")
    broken = FailingStore(quick.store, "in_order")

    with pytest.raises(StoreError):
        quick.through(broken).owner().export(tmp_path / "out.jsonl")

    assert list(tmp_path.iterdir()) == []
