"""What programs of the state machine are about: few of everything, so that operations collide."""

from typing import Final

from hypothesis import strategies as st

from reminisce.domain.values import Tier

__all__ = ["AUDIENCES", "IN_FORCE", "KEYS", "OWNERS", "REFS", "REQUESTS"]

OWNERS: Final = st.sampled_from(("agent:a", "agent:b"))
REFS: Final = ("person:1", "person:2")
KEYS: Final = st.sampled_from(("k1", "k2", "k1:k2", "m_1", "m_2", "m_3", "m_4"))
AUDIENCES: Final = st.lists(st.sampled_from(("friends", "work")), max_size=2)


def _some(*values: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(values), max_size=2, unique=True)


REQUESTS: Final = st.fixed_dictionaries(
    {"content": st.sampled_from(("one", "two"))},
    optional={
        "key": st.sampled_from(("k1", "k2", "k1:k2")),
        "request_key": st.sampled_from(("r1", "r2")),
        "subjects": _some(*REFS),
        "sources": _some("s1", "s2"),
        "tier": st.sampled_from(Tier),
        "derived_from": st.lists(KEYS, max_size=2, unique=True),
        "supersedes": st.lists(KEYS, max_size=1),
    },
)

IN_FORCE: Final = st.fixed_dictionaries(
    {},
    optional={
        "subjects": _some(*REFS).map(lambda refs: tuple(sorted(refs))),
        "tier": st.sampled_from(Tier),
        "salience_thousandths": st.integers(0, 1000),
        "confidence_thousandths": st.integers(0, 1000),
    },
)
