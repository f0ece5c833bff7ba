"""Verbs on beliefs, contradictions and associations."""

from typing import Final

from reminisce.app.cli.arguments import Belief
from reminisce.app.cli.options import COMMON, Common, Facets, Moment, given_of, pairs_of
from reminisce.app.cli.outcome import Outcome

__all__ = ["associate", "beliefs", "believe", "contradict", "disbelieve", "dissociate", "resolve"]

_PLAIN: Final = Belief()


def believe(subject: str, attribute: str, value: str, *, given: Belief = _PLAIN, common: Common = COMMON) -> Outcome:
    """
    Hold something true of a subject, from --valid-from on or from now.

    Args:
        subject: Of whom or what, by pseudonym.
        attribute: Such as lives_in.
        value: What is held true. One that begins with a hyphen goes behind --.
    """
    with common.mine(create=True) as owner:
        return Outcome(owner.believe(subject, attribute, value, **given_of(given)), common.json)


def beliefs(
    subject: str,
    *,
    attribute: str | None = None,
    valid_at: str | None = None,
    history: bool = False,
    as_of: Moment | None = None,
    common: Common = COMMON,
) -> Outcome:
    """
    Tell what is believed of a subject now.

    Args:
        subject: Of whom or what.
        attribute: Only of this one.
        valid_at: What held then instead, superseded by now or not.
        history: Every belief instead, whatever its status and validity.
        as_of: As it was believed at a time, or at a revision.
    """
    with common.mine() as owner:
        told = owner.beliefs(subject, attribute=attribute, valid_at=valid_at, history=history, as_of=as_of)
    return Outcome(told, common.json)


def disbelieve(
    subject: str,
    *,
    attribute: str | None = None,
    reason: str | None = None,
    erase: bool = False,
    common: Common = COMMON,
) -> Outcome:
    """
    Forget what is believed of a subject; earlier beliefs stay in its history.

    Args:
        subject: Of whom or what.
        attribute: Only of this one; left out, of all.
        reason: Kept in the history.
        erase: Erase the words of what is forgotten, too.
    """
    with common.mine() as owner:
        return Outcome(owner.disbelieve(subject, attribute, reason, erase=erase), common.json)


def contradict(
    a: str, b: str, *, claim: list[str] | None = None, reason: str | None = None, common: Common = COMMON
) -> Outcome:
    """
    Record that two memories contradict one another; both stay in force.

    Args:
        a: The key of one.
        b: The key of the other.
        claim: The memory that asserts it; or two, of the derivation that does: what was derived, then from what.
        reason: Why.
    """
    with common.mine() as owner:
        return Outcome(owner.contradict(a, b, claim=claim, reason=reason), common.json)


def resolve(a: str, b: str, *, reason: str | None = None, common: Common = COMMON) -> Outcome:
    """
    End every contradiction between two memories; it stays in their past.

    Args:
        a: The key of one.
        b: The key of the other.
        reason: How it was resolved.
    """
    with common.mine() as owner:
        return Outcome(owner.resolve(a, b, reason), common.json)


def associate(keys: list[str], /, *, kind: str, facets: Facets = None, common: Common = COMMON) -> Outcome:
    """
    Associate two or more memories.

    Args:
        keys: Their keys; the order means nothing.
        kind: What sort of association it is.
        facets: NAME=VALUE.
    """
    with common.mine() as owner:
        return Outcome(owner.associate(keys, kind, pairs_of(facets)), common.json)


def dissociate(keys: list[str], /, *, kind: str, common: Common = COMMON) -> Outcome:
    """
    End the associations of a kind between exactly these memories.

    Args:
        keys: Their keys.
        kind: What sort of association it is.
    """
    with common.mine() as owner:
        return Outcome(owner.dissociate(keys, kind), common.json)
