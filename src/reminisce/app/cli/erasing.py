"""Verbs that erase words for good."""

from typing import Final

from reminisce.app.cli.arguments import Narrowed
from reminisce.app.cli.options import COMMON, Common, given_of
from reminisce.app.cli.outcome import UNAVAILABLE, Outcome
from reminisce.domain.receipts import Receipt

__all__ = ["erase", "purge", "scrub", "withdraw"]

_ANY: Final = Narrowed()


def _outcome(receipt: Receipt, scrubbed: bool, common: Common) -> Outcome:
    # Done, but not down to the bytes as was asked: trying again finishes it.
    return Outcome(receipt, common.json, UNAVAILABLE if scrubbed and receipt.waits else 0)


def erase(
    keys: list[str] | None = None,
    /,
    *,
    confirm: bool = False,
    with_derived: bool = False,
    containing: str | None = None,
    scrub: bool = False,
    filters: Narrowed = _ANY,
    common: Common = COMMON,
) -> Outcome:
    """
    Erase the words of memories, whatever their status. Nothing brings them back.

    Args:
        keys: Their keys. Without any: every memory that all of the filters admit.
        confirm: Must be given.
        with_derived: Also everything derived from them.
        containing: Only memories in which this text stands, letter by letter.
        scrub: Leave nothing of the words in any byte of the store's files.
    """
    with common.mine() as owner:
        receipt = owner.erase(
            keys, confirm=confirm, with_derived=with_derived, containing=containing, scrub=scrub, **given_of(filters)
        )
    return _outcome(receipt, scrub, common)


def withdraw(subject: str, *, reason: str | None = None, scrub: bool = False, common: Common = COMMON) -> Outcome:
    """
    Erase everything that was said about a subject, in every owner's memories. Run again it finishes, or changes nothing.

    Args:
        subject: The pseudonym. Nothing is written about it afterwards, until a consent opens it again.
        reason: Kept until a purge; it must not quote the person.
        scrub: Leave nothing of the words in any byte of the store's files.
    """
    with common.whole() as memories:
        return _outcome(memories.withdraw(subject, reason, scrub=scrub), scrub, common)


def purge(subject: str, *, confirm: bool = False, scrub: bool = False, common: Common = COMMON) -> Outcome:
    """
    Withdraw a subject, then remove it. Nothing tells afterwards that it was ever there.

    Args:
        subject: The pseudonym.
        confirm: Must be given.
        scrub: Leave nothing in any byte of the store's files.
    """
    with common.whole() as memories:
        return _outcome(memories.purge(subject, confirm=confirm, scrub=scrub), scrub, common)


def scrub(*, common: Common = COMMON) -> Outcome:
    """Leave nothing of erased words in any byte of the store's files."""
    with common.whole() as memories:
        scrubbed = memories.scrub()
    return Outcome(scrubbed, common.json, UNAVAILABLE if scrubbed.waits else 0)
