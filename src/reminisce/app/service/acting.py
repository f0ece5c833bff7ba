"""What every part of an owner's face builds on: one core, one owner, one viewer, one way to write."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from reminisce.app.service.core import Core
from reminisce.domain.checks import Checks
from reminisce.domain.guard.stored import Said
from reminisce.domain.planning.plan import Occasion, Plan
from reminisce.domain.policy import Draft, Hold, Rules, Unruled, Verdict
from reminisce.domain.requests import Request
from reminisce.domain.visibility import Viewer
from reminisce.errors import ConflictError

__all__ = ["Acting"]

A = TypeVar("A")

ROUNDS: Final = 16
"""How often the policy may be asked anew in one request because what a memory inherits keeps changing under it."""


class Acting:
    """An owner as one caller acts for it."""

    def __init__(self, core: Core, name: str, viewer: Viewer) -> None:
        self.name = name
        self._core = core
        self._viewer = viewer
        self._is_known = False

    def _beside(self) -> tuple[Said, ...]:
        """What is stored with everything this caller writes; once looked at it is known."""
        if self._is_known:
            return ()
        face = self._core.face
        names = (("owner", self.name), ("actor", face.actor), ("reviewer", face.reviewer))
        return tuple((field, name) for field, name in names if name is not None)

    def _guard(self, *said: tuple[str, str | None]) -> None:
        """
        Have the guard look at what is to be stored. First limits, then this, then the policy.

        Raises:
            SecretFoundError, GuardFailedError
        """
        self._core.guard.check((*self._beside(), *((field, text) for field, text in said if text is not None)))
        self._is_known = True

    def _guard_requests(self, *requests: Request) -> None:
        """`_guard` of memories that are to be kept."""
        self._core.guard.check_requests(requests, self._beside())
        self._is_known = True

    def _occasion(self, actor: str | None = None) -> Occasion:
        core = self._core
        return Occasion(
            now=core.clock.now(), actor=core.face.actor if actor is None else actor, commit_id=core.identifiers.commit()
        )

    def _write(
        self, planner: Callable[..., Plan[A]], *request: Any, occasion: Occasion | None = None, **options: Any
    ) -> A:
        """Have *planner* plan for this owner and caller, with the clock read and the commit named once, and commit it."""
        once = occasion or self._occasion()
        return self._core.write(
            lambda view: planner(view, self.name, *request, **options, viewer=self._viewer, occasion=once),
            once.commit_id,
        )

    def _write_new(self, planner: Callable[..., Plan[A]], *request: Any, **options: Any) -> A:
        """
        `_write` of what brings text: the policy is asked about every memory, as it would come into force, before it is kept.

        Raises:
            PolicyRefusedError, PolicyFailedError
            SecretFoundError, GuardFailedError: Of the reason for which the policy holds one.
        """
        core, occasion = self._core, self._occasion()
        verdicts: dict[Draft, Verdict] | None = None if core.judge is None else {}
        for _ in range(ROUNDS):
            rules = Rules(core.face.review_aspects, verdicts)
            try:
                return self._write(planner, *request, occasion=occasion, rules=rules, **options)
            except Unruled as unruled:
                assert core.judge is not None  # noqa: S101 (only a policy's verdicts can be missing)
                told = core.judge.rule(self.name, unruled.drafts)
                # What a policy writes into histories is text like any other.
                self._guard(*(("reason", verdict.reason) for verdict in told.values() if isinstance(verdict, Hold)))
                verdicts = {**(verdicts or {}), **told}
        raise ConflictError

    def _key(self, key: object, field: str = "key") -> str:
        checks = Checks()
        name = checks.text(field, key)
        checks.finish()
        return name
