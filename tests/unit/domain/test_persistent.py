"""A persistent map behaves as a dict, and what was never changes."""

from hypothesis import given
from hypothesis import strategies as st

from reminisce.domain.persistent import Map, MapBuilder

edits = st.lists(st.tuples(st.integers(0, 40), st.one_of(st.none(), st.integers())), max_size=200)


@given(first=edits, second=edits)
def test_a_map_holds_what_a_dict_holds(
    first: list[tuple[int, int | None]], second: list[tuple[int, int | None]]
) -> None:
    held: Map[int, int] = Map()
    model: dict[int, int] = {}
    for batch in (first, second):
        builder = MapBuilder(held)
        for key, value in batch:
            if value is None:
                builder.drop(key)
                model.pop(key, None)
            else:
                builder.put(key, value)
                model[key] = value
        held = builder.done()

        assert {key: held.get(key, -2) for key in held} == model
        assert (len(held), sorted(held.values())) == (len(model), sorted(model.values()))
        assert all((key in held) == (key in model) for key in range(41))


@given(first=edits, second=edits)
def test_changing_a_copy_leaves_the_origin(
    first: list[tuple[int, int | None]], second: list[tuple[int, int | None]]
) -> None:
    builder: MapBuilder[int, int | None] = MapBuilder(Map())
    for key, value in first:
        builder.put(key, value)
    origin = builder.done()
    before = {key: origin.get(key, -2) for key in origin}

    # The same builder goes on, and so does a new one: neither may reach what was handed out.
    for later in (builder, MapBuilder(origin)):
        for key, _ in second:
            later.put(key, -1)
            later.drop(key)

    assert {key: origin.get(key, -2) for key in origin} == before
