"""What programs of the state machine are about: few of everything, so that operations collide."""

import datetime as dt
from typing import Any, Final

from hypothesis import strategies as st

from reminisce.domain.planning.fading import Fading
from reminisce.domain.policy import Allow, Hold, Refuse, Verdict
from reminisce.domain.retention import retention
from reminisce.domain.values import Tier
from reminisce.testing.fakes import NOON

__all__ = [
    "ATTRIBUTES",
    "AUDIENCES",
    "BELIEFS",
    "CHANGES",
    "FADINGS",
    "MAIN",
    "MOST",
    "OWNERS",
    "PLACES",
    "POLICIES",
    "REASONS",
    "REFS",
    "REQUESTS",
    "STEPS",
    "TIMES",
    "VALUES",
]

MAIN: Final = "agent:a"
"""Of whom most programs are about, so that there is something to meet."""

OWNERS: Final = st.sampled_from((*(MAIN,) * 7, "agent:b"))
REFS: Final = ("person:1", "person:2")
ATTRIBUTES: Final = ("lives in", "lives in", "likes")
VALUES: Final = ("Riga", "\uff32\uff29\uff27\uff21", "Tartu")
"""Two, folded."""

MOST: Final = 7
PLACES: Final = st.integers(0, MOST)
"""A memory by its place among its owner's, counted round; the last one is of none."""

AUDIENCES: Final = st.lists(st.sampled_from(("friends", "work")), max_size=2)
REASONS: Final = st.sampled_from((None, "why"))
TIMES: Final = tuple(NOON + dt.timedelta(minutes=minute) for minute in range(6))
"""When beliefs start and end: the clock is before, among and behind them."""

STEPS: Final = st.sampled_from((-2, 0, 1, 1, 2, 5)).map(lambda minutes: dt.timedelta(minutes=minutes))
"""Clocks go back, too."""

POLICIES: Final[st.SearchStrategy[Verdict | None]] = st.sampled_from(
    (None, None, None, None, Allow(), Hold("looks odd"), Refuse("unwanted"))
)
"""What a host's policy says of everything new; None: there is no policy."""

FADINGS: Final = st.builds(
    Fading,
    half_life=st.sampled_from((dt.timedelta(0), dt.timedelta(minutes=1), dt.timedelta(hours=1))),
    decay=st.just(retention),
    threshold=st.sampled_from((0, 0, 100)),
)


def _some(*values: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(values), max_size=2, unique=True)


def _sound(raw: dict[str, Any]) -> dict[str, Any]:
    """The same arguments without what every face refuses at once: programs should be about what goes on from there."""
    if "fact" in raw:
        raw["subjects"] = [raw["fact"]["subject"], *raw.get("subjects", ())]
    if "valid_from" in raw and "valid_to" in raw and raw["valid_from"] >= raw["valid_to"]:
        del raw["valid_to"]
    return raw


def _rarely(*values: Any) -> st.SearchStrategy[Any]:
    """Mostly None, which is what an argument is that was not given."""
    return st.sampled_from((*(None for _ in range(3 * len(values))), *values))


_SUBJECTS: Final = st.sampled_from((*REFS[:1] * 3, *REFS))

_FACTS: Final = st.fixed_dictionaries(
    {"subject": _SUBJECTS, "attribute": st.sampled_from(ATTRIBUTES), "value": st.sampled_from(VALUES)},
    optional={"many": _rarely(True, False)},
)

_ATTRIBUTES: Final[dict[str, st.SearchStrategy[Any]]] = {
    "request_key": _rarely("r1", "r2"),
    "subjects": _some(*REFS),
    "sources": _some("s1", "s2"),
    "tier": st.sampled_from(Tier),
    "confidence": st.sampled_from((0, 0.5)),
    "salience": st.sampled_from((0, 0.25, 1)),
    "aspects": _rarely(["semantic"]),
    "reviewer": _rarely("test", "somebody"),
    "valid_from": st.sampled_from(TIMES),
    "valid_to": st.sampled_from(TIMES),
}

_ORIGINS: Final = st.sampled_from((*range(MOST), "k1"))
"""Places, and a name, which may be that of an earlier line of the same batch."""

_NEW: Final = {
    **_ATTRIBUTES,
    "key": _rarely("k1", "k2", "k1:k2"),
    "derived_from": st.lists(_ORIGINS, max_size=2, unique=True),
    "supersedes": st.lists(_ORIGINS, max_size=2, unique=True),
}

REQUESTS: Final = st.fixed_dictionaries(
    {"content": st.sampled_from(("one", "two"))}, optional={**_NEW, "fact": _FACTS}
).map(_sound)

BELIEFS: Final = st.tuples(
    _SUBJECTS,
    st.sampled_from(ATTRIBUTES),
    st.sampled_from(VALUES),
    _rarely(True, False),
    st.fixed_dictionaries({}, optional=_NEW).map(_sound),
)
"""Subject, attribute, value, whether it is one of many, and what else is said with it."""

CHANGES: Final = st.fixed_dictionaries(
    {},
    optional={
        **_ATTRIBUTES,
        "content": st.sampled_from(("one", "two", "three")),
        "new_key": _rarely("k1", "k2"),
        "derived_from": st.lists(PLACES, max_size=1),
        "fact": _FACTS,
    },
).map(_sound)
