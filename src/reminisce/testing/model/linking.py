"""Rules: contradictions and associations."""

from hypothesis import strategies as st
from hypothesis.stateful import rule

from reminisce.domain.planning.linking import (
    Linked,
    Resolved,
    plan_associate,
    plan_contradict,
    plan_dissociate,
    plan_resolve,
)
from reminisce.domain.records import LinkKind
from reminisce.testing.model.base import Machine
from reminisce.testing.strategies import OWNERS, PLACES, REASONS

__all__ = ["Linking"]

_SIDES = st.lists(PLACES, min_size=2, max_size=2, unique=True)
_MEMBERS = st.lists(PLACES, min_size=2, max_size=3, unique=True)
_KINDS = st.sampled_from(("trip", "talk"))


class Linking(Machine):
    """Contradict, resolve, associate, dissociate."""

    @rule(owner=OWNERS, places=_SIDES, claim=st.lists(PLACES, max_size=2), reason=REASONS)
    def contradict(self, owner: str, places: list[int], claim: list[int], reason: str | None) -> None:
        sides = self.keys(owner, places)
        if len(sides) < 2:
            return
        answer: Linked | None = self.plan(
            plan_contradict, owner, *sides, claim=tuple(self.keys(owner, claim)), reason=reason
        )
        if answer:
            self.told.linked(owner, answer.name, created=answer.created)

    @rule(owner=OWNERS, places=_SIDES, reason=REASONS)
    def resolve(self, owner: str, places: list[int], reason: str | None) -> None:
        sides = self.keys(owner, places)
        if len(sides) < 2:
            return
        answer: Resolved | None = self.plan(plan_resolve, owner, *sides, reason=reason)
        if answer:
            self.told.unlinked(owner, answer.names)
            links = self.model.links(owner, sides[:1], kinds=[LinkKind.CONTRADICTION]).get(sides[0], ())
            assert not [link for link in links if link.until is None and set(link.role("side")) == set(sides)]

    @rule(owner=OWNERS, places=_MEMBERS, kind=_KINDS, facets=st.sampled_from(((), (("a", "b"),))))
    def associate(self, owner: str, places: list[int], kind: str, facets: tuple[tuple[str, str], ...]) -> None:
        keys = self.keys(owner, places)
        if len(keys) < 2:
            return
        answer: Linked | None = self.plan(plan_associate, owner, keys, kind=kind, facets=facets)
        if answer:
            self.told.linked(owner, answer.name, created=answer.created)

    @rule(owner=OWNERS, places=_MEMBERS, kind=_KINDS)
    def dissociate(self, owner: str, places: list[int], kind: str) -> None:
        keys = self.keys(owner, places)
        if len(keys) < 2:
            return
        answer: Resolved | None = self.plan(plan_dissociate, owner, keys, kind=kind)
        if answer:
            self.told.unlinked(owner, answer.names)
            links = self.model.links(owner, keys[:1], kinds=[LinkKind.ASSOCIATION]).get(keys[0], ())
            same = [link for link in links if link.label == kind and set(link.role("member")) == set(keys)]
            assert all(link.until is not None for link in same)
