"""One owner's memories, as one caller sees them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, BinaryIO, Final, TypeVar

from reminisce.app.service.core import Core
from reminisce.app.service.importing import import_lines, lines_of
from reminisce.app.service.recalling import recall, seen_by
from reminisce.domain.answers import Imported, Line, Recalled, RememberedMany, Stats
from reminisce.domain.asking import read_question
from reminisce.domain.checks import Checks
from reminisce.domain.index.counting import count
from reminisce.domain.index.query import Query
from reminisce.domain.limits import BATCH, BATCH_BYTES, K
from reminisce.domain.planning.forget import Forgotten, Reinstated, plan_forget, plan_reinstate
from reminisce.domain.planning.plan import Plan
from reminisce.domain.planning.remember import Remembered, plan_remember
from reminisce.domain.provenance import WALK, Why, explain
from reminisce.domain.requests import Request, read_request
from reminisce.domain.visibility import Viewer
from reminisce.errors import InvalidError, Problem, at_line

__all__ = ["Owner"]

A = TypeVar("A")

BAD_LINES: Final = 100
"""Problems that one refused batch lists at most: enough to mend a file by, short enough to read."""

DEPTH: Final = 16
"""How far `why` follows derivations when nothing is said: deeper chains are rare, and the answer says what was left out."""

MOST: Final = 1_000
"""How many lines a list in an answer of `why` has when nothing is said."""


class Owner:
    """
    The memories of one owner. Get one from `Memories.owner`.

    Every refusal is a `ReminisceError`; nothing is ever half done.
    """

    def __init__(self, core: Core, name: str, viewer: Viewer) -> None:
        self.name = name
        self._core = core
        self._viewer = viewer

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
            derived_from, supersedes: Keys of memories of this owner. It takes their subjects and strictest tier.
            request_key: A name for this request, so that sending it again keeps nothing twice.

        Returns:
            Its key, whether it was created now, its status, and the owner's revision.

        Raises:
            InvalidError: With every problem at once.
            KeyTakenError, RequestKeyTakenError: A name was used with other attributes.
            NotFoundError: What it derives from or supersedes is not there.
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
            KeyTakenError, RequestKeyTakenError, NotFoundError, StoreError
        """
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

    def _write(self, planner: Callable[..., Plan[A]], *request: Any, **options: Any) -> A:
        """Have *planner* plan for this owner and caller, with the clock read and the commit named once, and commit it."""
        core = self._core
        now, commit_id = core.clock.now(), core.identifiers.commit()
        fixed = {"viewer": self._viewer, "now": now, "actor": core.face.actor, "commit_id": commit_id}
        return core.write(lambda view: planner(view, self.name, *request, **options, **fixed), commit_id)

    def _keep(self, requests: list[Request], operation: str = "remember") -> tuple[Remembered, ...]:
        if not requests:
            return ()
        names = [self._core.identifiers.key() for _ in requests]
        return self._write(plan_remember, requests, names, operation=operation)

    def import_(self, lines: Iterable[bytes | str] | BinaryIO, *, stop: bool = False) -> Imported:
        """
        Keep records from JSONL: one JSON object a line, with the names of `remember`'s arguments (`docs/import.md`).

        Args:
            lines: An open binary file, or lines, as UTF-8 or text, with or without line ends.
            stop: Stop at the first bad line, keeping what came before; otherwise bad lines are skipped and reported.

        Returns:
            Counts, the bad lines by number, and which names of the records were ignored: owner, status and times of
            recording are never imported. Importing twice changes nothing.
        """
        readline = getattr(lines, "readline", None)
        lines = lines if readline is None else lines_of(readline)
        return import_lines(
            lines, self._read, lambda requests: self._keep(requests, "import"), self.revision, stop=stop
        )

    def revision(self) -> int:
        """How many commits this owner has made."""
        with self._core.store.view() as view:
            return view.head(self.name).revision

    def recall(self, query: str | None, **options: Any) -> Recalled:
        """
        Find memories, best first; the same store and query give the same order everywhere. Writes nothing.

        Args:
            query: Any text of at most 64 KiB; a blank one matches nothing. None lists what the filters admit, newest first.
            k: How many, 1 to 1,000 (default 8).
            audience: Only what the consents of all its subjects let this audience see.
            aspects, sources, basis: Lists; a memory needs one of each list.
            subject, episode: One name each.
            facets: Mapping of name to value or values; a memory needs one value of each name.
            min_confidence: In [0, 1].
            occurred_from, occurred_to, recorded_from, recorded_to, due_from, due_to: Half-open windows. ``occurred`` falls
                back on the time of recording.
            cursor: What an earlier answer gave for its next page, with the same query and options.
            explain: Whether to say what earned each score.

        Raises:
            InvalidError: With every problem at once.
            CursorExpiredError: An erasure or a consent came since the first page.
            StoreError: Never an empty answer instead.
        """
        return recall(self._core, self.name, self._viewer, read_question(query, options))

    def recent(self, k: int | None = None, **options: Any) -> Recalled:
        """
        The newest memories first, by when they happened, else by when they were recorded; then by key.

        Takes the options of `recall`.
        """
        return self.recall(None, k=k, **options)

    def why(self, key: str, depth: int = DEPTH, most: int = MOST) -> Why:
        """
        Tell where a memory came from and what became of it, whatever its status.

        Args:
            depth: How far to follow derivations, 1 to 1,000.
            most: How many lines a list of the answer may have, 1 to 10,000. It says when it is not complete.

        Raises:
            InvalidError, NotFoundError, StoreError
        """
        checks = Checks()
        name = checks.text("key", key)
        steps, lines = checks.count("depth", depth, 1, K), checks.count("most", most, 1, WALK)
        checks.finish()
        page = self._core.face.page
        with self._core.store.view() as view:
            while True:
                answer = explain(view, self.name, name, viewer=self._viewer, depth=steps, most=lines)
                if page is None or lines == 1 or page.measure(answer) <= page.most:
                    return answer
                lines = max(1, lines // 4)

    def forget(self, keys: str | Iterable[str], reason: str | None = None) -> Forgotten:
        """
        Take memories out of recall; their words are kept, and `reinstate` brings one back.

        Args:
            keys: One key, or up to 1,000.
            reason: At most 4 KiB, kept in the history.

        Returns:
            What went out, and which memories its going leaves superseded.

        Raises:
            InvalidError, NotFoundError, StatusError, StoreError
        """
        checks = Checks()
        names = checks.texts("keys", [keys] if isinstance(keys, str) else keys)
        if not names:
            checks.note("keys", "empty", "must name at least one")
        why = None if reason is None else checks.text("reason", reason)
        checks.finish()
        return self._write(plan_forget, names, reason=why)

    def reinstate(self, key: str) -> Reinstated:
        """
        Undo a forget, or bring back a memory whose superseder is gone, by the sameness rule of a write.

        Raises:
            InvalidError, NotFoundError, StatusError, StoreError
        """
        checks = Checks()
        name = checks.text("key", key)
        checks.finish()
        return self._write(plan_reinstate, name)

    def stats(self) -> Stats:
        """Counts of the memories that the caller may see, by status, tier and aspect."""
        with self._core.indexes.at(self.name) as (held, index, view):
            query = Query(terms=(), k=1, **seen_by(held, view, self._viewer))
            counts = count(index, query, self._core.face.aspects)
            revision = index.revision
        return Stats(
            self.name, revision, sum(counts.by_status.values()), counts.by_status, counts.by_tier, counts.by_aspect
        )
