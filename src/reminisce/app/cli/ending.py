"""Verbs on what goes out of recall, what comes back, what waits, and who may see it."""

from typing import Final

from reminisce.app.cli.arguments import Awaited, Narrowed
from reminisce.app.cli.options import COMMON, Common, given_of
from reminisce.app.cli.outcome import Outcome
from reminisce.errors import InvalidError

__all__ = ["consent", "forget", "reclassify", "reinstate", "review_approve", "review_list", "review_reject"]

_ANY: Final = Narrowed()
_WAITING: Final = Awaited()


def forget(
    keys: list[str] | None = None,
    /,
    *,
    reason: str | None = None,
    containing: str | None = None,
    dry_run: bool = False,
    filters: Narrowed = _ANY,
    common: Common = COMMON,
) -> Outcome:
    """
    Take memories out of recall; their words are kept.

    Args:
        keys: Their keys. Without any: the active memories that all of the filters admit.
        reason: Kept in the history.
        containing: Only memories in which this text stands, letter by letter.
        dry_run: Only tell what would happen.
    """
    with common.mine() as owner:
        forgotten = owner.forget(keys, reason, containing=containing, dry_run=dry_run, **given_of(filters))
    return Outcome(forgotten, common.json)


def reinstate(key: str, *, common: Common = COMMON) -> Outcome:
    """
    Undo a forget.

    Args:
        key: Its key.
    """
    with common.mine() as owner:
        return Outcome(owner.reinstate(key), common.json)


def review_list(*, filters: Awaited = _WAITING, common: Common = COMMON) -> Outcome:
    """List what waits for review, newest first."""
    with common.mine() as owner:
        return Outcome(owner.reviews(**given_of(filters)), common.json)


def review_approve(key: str, *, reason: str | None = None, confirm: bool = False, common: Common = COMMON) -> Outcome:
    """
    Put a memory that waits in force.

    Args:
        key: Its key.
        reason: Kept in the history.
        confirm: Approve although a subject has taken back a consent since it was held.
    """
    with common.mine() as owner:
        return Outcome(owner.review(key, True, reason, confirm), common.json)


def review_reject(key: str, *, reason: str | None = None, common: Common = COMMON) -> Outcome:
    """
    Reject a memory that waits.

    Args:
        key: Its key.
        reason: Kept in the history.
    """
    with common.mine() as owner:
        return Outcome(owner.review(key, False, reason), common.json)


def reclassify(key: str, tier: str, *, common: Common = COMMON) -> Outcome:
    """
    Set how far a memory's text may travel: the only way to a less strict tier.

    Args:
        key: Its key.
        tier: open, redacted, private. A stricter one is handed on to what comes from the memory.
    """
    with common.mine() as owner:
        return Outcome(owner.reclassify(key, tier), common.json)


def consent(
    subject: str, *, audiences: list[str] | None = None, nobody: bool = False, common: Common = COMMON
) -> Outcome:
    """
    Say who may see what is about a subject, in every owner's memories.

    Args:
        subject: A pseudonym; one never seen before is made.
        audiences: All who may see it from now on.
        nobody: Close it to all but the owners themselves.
    """
    if nobody == bool(audiences):
        # Nobody closes a subject by leaving something out.
        raise InvalidError.of("audiences", "missing", "must be named, or --nobody be given")
    with common.whole(create=True) as memories:
        return Outcome(memories.consent(subject, audiences or ()), common.json)
