"""An owner's face: beliefs, contradictions, associations."""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from reminisce.app.service.acting import Acting
from reminisce.app.service.recalling import fitting
from reminisce.domain.checks import Checks
from reminisce.domain.planning.believe import Believed, Disbelieved, plan_believe, plan_disbelieve
from reminisce.domain.planning.linking import (
    Linked,
    Resolved,
    plan_associate,
    plan_contradict,
    plan_dissociate,
    plan_resolve,
)
from reminisce.domain.requests import read_belief

__all__ = ["Believing"]


class Believing(Acting):
    """Believe, disbelieve, contradict, resolve, associate, dissociate."""

    def believe(
        self, subject: str, attribute: str, value: str, *, many: bool | None = None, **attributes: Any
    ) -> Believed:
        """
        Hold true that *attribute* of *subject* is *value*, from ``valid_from`` on.

        Of a one-valued attribute one value holds at any time: each from when it starts until its end, or until the next one
        starts (`docs/beliefs.md`). The same value for a time at which it is believed already is reinforced: counted, with
        its sources added; nothing else that is said with it is kept then.

        Args:
            subject: A pseudonym.
            attribute: At most 256 bytes, such as ``lives_in``.
            value: At most 4 KiB. Compared folded, shown as written.
            many: Whether the attribute holds several values at once. Fixed at the owner's first use of the attribute; left
                out: as it is, one value when it is new.
            attributes: Those of `remember`. ``content`` is made from the fact when left out; ``valid_from`` is now then.

        Returns:
            The belief's key, its outcome (``new``, ``reinforced``, ``superseded``, ``history``) and validity.

        Raises:
            InvalidError, KeyTakenError, RequestKeyTakenError, NotFoundError, StatusError, SecretFoundError,
            GuardFailedError, PolicyRefusedError, PolicyFailedError, StoreError
        """
        request = read_belief(subject, attribute, value, many, attributes, self._core.face.aspects)
        self._guard_requests(request)
        return self._write_new(plan_believe, request, self._core.identifiers.key())

    def disbelieve(
        self, subject: str, attribute: str | None = None, reason: str | None = None, *, erase: bool = False
    ) -> Disbelieved:
        """
        Forget what is believed of a subject, now and for times to come; earlier beliefs stay in its history.

        Args:
            attribute: Only of this one; left out, of all.
            reason: At most 4 KiB, kept in the history.
            erase: Erase the words of what is forgotten, as `erase` does. No reason is kept then.

        Raises:
            InvalidError, StoreError
        """
        checks = Checks()
        ref = checks.text("subject", subject)
        if checks.flag("erase", erase) and reason is not None:
            checks.note("reason", "excludes", "cannot be given together with erase: reasons are words, too")
        of = None if attribute is None else checks.text("attribute", attribute)
        why = None if reason is None else checks.text("reason", reason)
        checks.finish()
        self._guard(("reason", why))
        if erase:
            self._core.indexes.warm(self.name)
        answer = self._write(plan_disbelieve, ref, of, reason=why, erase=erase)
        if erase and answer.forgotten:
            self._core.indexes.save_erased(self.name)
        told = fitting((*answer.forgotten, *answer.left_superseded), self._core.face.page)
        count = len(answer.forgotten)
        if len(told) == count + len(answer.left_superseded):
            return answer
        return attrs.evolve(answer, forgotten=told[:count], left_superseded=told[count:], complete=False)

    def contradict(self, a: str, b: str, claim: str | Iterable[str] | None = None, reason: str | None = None) -> Linked:
        """
        Record that two memories contradict one another. Neither goes out of force by it; `why` of either tells.

        Args:
            a, b: Two keys.
            claim: The key of the memory that asserts it; or two, of the derivation that does: what was derived, from what.
            reason: At most 4 KiB.

        Raises:
            InvalidError, NotFoundError, StatusError, StoreError
        """
        checks = Checks()
        one, other = self._sides(checks, a, b)
        said = () if claim is None else [claim] if isinstance(claim, str) else claim
        claims = checks.texts("claim", said)
        why = None if reason is None else checks.text("reason", reason)
        checks.finish()
        self._guard(("reason", why))
        return self._write(plan_contradict, one, other, claim=claims, reason=why)

    @staticmethod
    def _sides(checks: Checks, a: object, b: object) -> tuple[str, str]:
        one, other = checks.text("a", a), checks.text("b", b)
        if one == other:
            checks.note("b", "same", "must be another memory than a")
        return one, other

    def resolve(self, a: str, b: str, reason: str | None = None) -> Resolved:
        """
        End every contradiction in force between two memories; it stays in their past, with *reason*.

        Raises:
            InvalidError, NotFoundError, StatusError, StoreError
        """
        checks = Checks()
        one, other = self._sides(checks, a, b)
        why = None if reason is None else checks.text("reason", reason)
        checks.finish()
        self._guard(("reason", why))
        return self._write(plan_resolve, one, other, reason=why)

    @staticmethod
    def _members(checks: Checks, keys: object, kind: object) -> tuple[tuple[str, ...], str]:
        members = checks.texts("keys", keys, most="members")
        if len(members) < 2 and not checks.problems:
            checks.note("keys", "too_few", "must name at least two memories")
        return members, checks.text("kind", kind)

    def associate(
        self, keys: Iterable[str], kind: str, facets: Mapping[str, Any] | Iterable[tuple[str, str]] | None = None
    ) -> Linked:
        """
        Associate two or more memories.

        Args:
            keys: 2 to 256 of them; their order means nothing.
            kind: What sort of association it is, at most 64 bytes.
            facets: Mapping of name to value or values, at most 64 pairs.

        Raises:
            InvalidError, NotFoundError, StatusError, StoreError
        """
        checks = Checks()
        members, label = self._members(checks, keys, kind)
        pairs = () if facets is None else checks.facets(facets)
        checks.finish()
        self._guard(("kind", label), *(("facets", f"{name}={value}") for name, value in pairs))
        return self._write(plan_associate, members, kind=label, facets=pairs)

    def dissociate(self, keys: Iterable[str], kind: str) -> Resolved:
        """
        End the associations of *kind* in force between exactly these memories; they stay in the past.

        Raises:
            InvalidError, NotFoundError, StoreError
        """
        checks = Checks()
        members, label = self._members(checks, keys, kind)
        checks.finish()
        return self._write(plan_dissociate, members, kind=label)
