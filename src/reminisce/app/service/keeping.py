"""An owner's face: keeping memories."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from reminisce.app.service.acting import Acting
from reminisce.domain.answers import Line, RememberedMany
from reminisce.domain.limits import BATCH, BATCH_BYTES
from reminisce.domain.planning.correct import plan_correct
from reminisce.domain.planning.remember import Remembered, plan_remember
from reminisce.domain.requests import Request, read_changes, read_request
from reminisce.errors import InvalidError, Problem, at_line

__all__ = ["Keeping"]

BAD_LINES: Final = 100
"""Problems that one refused batch lists at most: enough to mend a file by, short enough to read."""


class Keeping(Acting):
    """Remember, correct."""

    def _read(self, raw: Mapping[str, Any]) -> Request:
        return read_request(raw, self._core.face.aspects)

    def remember(self, content: str, **attributes: Any) -> Remembered:
        """
        Keep one memory, or find the one it repeats.

        Args:
            content: The text, at most 64 KiB of UTF-8, not blank.
            key: A name for it, at most 256 bytes, never free again. Made when left out.
            aspects: One or more of the store's aspects (default ``episodic``).
            basis: ``observed`` (default), ``told``, ``inferred``, ``generated`` or ``imported``.
            confidence, salience: In [0, 1], kept in thousandths (defaults 1 and 0.5).
            occurred_at, due_at, valid_from, valid_to: Aware datetimes, or ISO 8601 text with an offset.
            sources: What it cites, at most 64.
            facets: Mapping of name to value or values, at most 64 pairs.
            subjects: Pseudonyms of whom it is about, at most 64.
            tier: ``open`` (default), ``redacted`` or ``private``.
            surface: What may leave in its place when it is ``redacted``.
            episode: The conversation or task that it belongs to.
            fact: Mapping of subject (one of its subjects), attribute, value and perhaps many: what it says of the subject.
                It takes its place in time among the owner's beliefs, as by `believe`; its words are always kept.
            reviewer: Who alone may review it, should it have to wait for that.
            derived_from, supersedes: Keys of memories of this owner. It takes their subjects and strictest tier.
            request_key: A name for this request, so that sending it again keeps nothing twice.

        Returns:
            Its key, whether it was created now, its status, and the owner's revision.

        Raises:
            InvalidError: With every problem at once.
            KeyTakenError, RequestKeyTakenError: A name was used with other attributes.
            NotFoundError: What it derives from or supersedes is not there.
            SecretFoundError: A text of it holds a secret.
            GuardFailedError: The guard could not look.
            PolicyRefusedError, PolicyFailedError: The host's policy stood in the way.
            StoreError
        """
        return self._keep([self._read({"content": content, **attributes})])[0]

    def remember_many(self, memories: Iterable[Mapping[str, Any]]) -> RememberedMany:
        """
        Keep a batch in one commit: all of it or nothing.

        Args:
            memories: Mappings with the names of `remember`'s arguments; at most 100,000, and 64 MiB of text.

        Returns:
            The owner's revision, and a line of key and created for each, in order.

        Raises:
            InvalidError: With the problems of every line (the first 100), named ``[line].field``, lines from 0.
            SecretFoundError: The first 100 findings of all lines.
            KeyTakenError, RequestKeyTakenError, NotFoundError, GuardFailedError, StoreError
        """
        items: object = memories
        if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable):
            raise InvalidError.of("memories", "wrong_type", "must be a list of mappings")
        requests: list[Request] = []
        problems: list[Problem] = []
        size = 0
        for line, raw in enumerate(memories):
            if line == BATCH:
                raise InvalidError.of("memories", "too_many", f"must be at most {BATCH} in one batch")
            try:
                if not isinstance(raw, Mapping):
                    raise InvalidError.of("memory", "wrong_type", "must be a mapping of argument names to values")
                requests.append(self._read(raw))
                size += requests[-1].size
            except InvalidError as error:
                if len(problems) < BAD_LINES:
                    problems.extend(at_line(error, line).problems)  # type: ignore[attr-defined]
            if size > BATCH_BYTES:
                raise InvalidError.of(
                    "memories", "too_large", f"must be at most {BATCH_BYTES} bytes of text in one batch"
                )
        if problems:
            raise InvalidError(tuple(problems[:BAD_LINES]))
        lines = self._keep(requests)
        revision = lines[0].revision if lines else self.revision()
        return RememberedMany(revision, tuple(Line(line.key, line.created) for line in lines))

    def _keep(self, requests: list[Request], operation: str = "remember") -> tuple[Remembered, ...]:
        if not requests:
            return ()
        self._guard_requests(*requests)
        names = [self._core.identifiers.key() for _ in requests]
        return self._write_new(plan_remember, requests, names, operation=operation)

    def correct(self, key: str, **changes: Any) -> Remembered:
        """
        Put a memory with changed attributes in the place of another: people do fix typos.

        What is not named stays as it is: sources, facets, subjects, episode, what it was derived from, salience and uses.
        The new memory takes part in the contradictions and associations of the old one, which is superseded; forget the new
        one and reinstate the old one to undo it.

        Args:
            key: Of a memory that is active.
            changes: Names of `remember`'s arguments but ``supersedes``, and ``new_key`` for a name of the new one. An empty
                list clears a list; subjects and tier of the old one stay in force, as of all that something supersedes.

        Returns:
            The new memory; the one that is there when nothing changes, or when it was corrected so before.

        Raises:
            InvalidError, NotFoundError, StatusError, KeyTakenError, RequestKeyTakenError, SecretFoundError,
            GuardFailedError, PolicyRefusedError, PolicyFailedError, StoreError
        """
        request, changed = read_changes(changes, self._core.face.aspects, key)
        name = self._key(key)
        self._guard_requests(request)
        return self._write_new(plan_correct, name, request, changed, self._core.identifiers.key())

    def revision(self) -> int:
        """How many commits this owner has made."""
        with self._core.store.view() as view:
            return view.head(self.name).revision
