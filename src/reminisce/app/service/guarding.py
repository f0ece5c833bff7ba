"""Has the guard look at everything that is to be stored, before anything is planned."""

import functools
import logging
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from reminisce.app.service.patience import Crowded, Patience, Raised, TooLong
from reminisce.domain.guard.stored import ADMISSIBLE, Said, said_in
from reminisce.domain.requests import Request
from reminisce.domain.values import Tier
from reminisce.errors import Finding, GuardFailedError, SecretFoundError

if TYPE_CHECKING:
    from reminisce.domain.guard.scan import Match

__all__ = ["PATIENCE_S", "Guard", "Looking", "plainly"]

_log = logging.getLogger(__name__)

PATIENCE_S: Final = 10.0
"""How long the guard may look, whatever the size: 64 KiB take it a hundredth of a second."""

PACE: Final = 512 * 1024
"""Letters that it has another second for: an eighth of its speed without re2."""

AT_A_TIME: Final = 256 * 1024
"""Letters looked at in one piece: several short texts together cost less, and other threads get their turn between two."""

FOUND: Final = 100
"""Findings that one refusal lists at most: enough to mend a batch by, short enough to read."""


class Looking(Protocol):
    """Finds the secrets of a text; NUL parts the fields in it."""

    def find(self, text: str) -> tuple["Match", ...]:
        """In the order of the text."""
        ...


@functools.cache
def plainly() -> Looking:
    """The rules with Python alone. Made once in a process: it takes some 10 ms and holds nothing that changes."""
    # Here, so that importing reminisce does not wait for rules that only writing needs.
    from reminisce.domain.guard.literals import LiteralScan
    from reminisce.domain.guard.rule import screens_of
    from reminisce.domain.guard.rules import RULES
    from reminisce.domain.guard.scan import Scanner

    screens = screens_of(RULES)
    matcher = LiteralScan(screens)
    return Scanner(RULES, matcher.present, matcher.runs)


class Guard:
    """
    Refuses what holds a secret.

    Args:
        load: Makes the part that looks; called at the first write, so that reading needs nothing of it.
        admit_private: Whether a memory may hold a secret whose caller says with it that its tier is ``private``.
    """

    def __init__(
        self, load: Callable[[], Looking], *, patience_s: float = PATIENCE_S, admit_private: bool = False
    ) -> None:
        self._load = load
        self._looking: Looking | None = None
        self._patience_s = patience_s
        self._admits = admit_private
        self._asking: Patience[tuple[Finding, ...]] = Patience("guard")

    def check(self, said: Iterable[Said]) -> None:
        """
        Raises:
            SecretFoundError: A string holds a secret.
            GuardFailedError: It could not look.
        """
        self._refuse(self._findings(list(said)))

    def check_requests(self, requests: Sequence[Request], also: Iterable[Said] = ()) -> None:
        """
        `check` of all that *requests* would store, and of what is stored beside it; in several their line is in the field.

        Raises:
            SecretFoundError, GuardFailedError
        """
        lined = len(requests) > 1
        said = list(also)
        for line, request in enumerate(requests):
            if lined:
                said.extend((f"[{line}].{field}", text) for field, text in self._of(request))
            else:
                said.extend(self._of(request))
        self._refuse(self._findings(said))

    def _of(self, request: Request) -> Iterator[Said]:
        admitted = self._admits and request.attributes.tier is Tier.PRIVATE
        return ((field, text) for field, text in said_in(request) if not (admitted and field in ADMISSIBLE))

    @staticmethod
    def _refuse(findings: tuple[Finding, ...]) -> None:
        if findings:
            raise SecretFoundError(findings)

    def _findings(self, said: list[Said]) -> tuple[Finding, ...]:
        size = sum(len(text) for _, text in said)
        try:
            return self._asking.ask(lambda: self._look(said), self._patience_s + size / PACE)
        except Crowded:
            raise GuardFailedError("earlier looks hang") from None
        except TooLong:
            raise GuardFailedError("it took too long") from None
        except Raised as raised:
            _log.warning("the guard failed: %s", raised.kind)
            raise GuardFailedError(f"it raised {raised.kind}") from None

    def _look(self, said: list[Said]) -> tuple[Finding, ...]:
        if self._looking is None:
            self._looking = self._load()
        found: list[Finding] = []
        for piece in _pieces(said):
            found.extend(self._in(piece))
            if len(found) >= FOUND:
                break
        return tuple(found[:FOUND])

    def _in(self, said: list[Said]) -> Iterator[Finding]:
        assert self._looking is not None  # noqa: S101 (loaded)
        matches = self._looking.find("\0".join([text for _, text in said]))
        if not matches:
            return
        starts, at = [], 0
        for _, text in said:
            starts.append(at)
            at += len(text) + 1
        for match in matches:
            place = bisect_right(starts, match.start) - 1
            yield Finding(match.rule, said[place][0], match.start - starts[place], match.end - starts[place])


def _pieces(said: list[Said]) -> Iterator[list[Said]]:
    piece: list[Said] = []
    size = 0
    for one in said:
        piece.append(one)
        size += len(one[1])
        if size >= AT_A_TIME:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece
