"""The command as tests run it: in their own process."""

import json
from collections.abc import Callable
from typing import Any

import attrs

__all__ = ["DONE", "INTERRUPTED", "REFUSED", "UNAVAILABLE", "USAGE", "Ran", "Run"]

DONE, REFUSED, USAGE, UNAVAILABLE, INTERRUPTED = 0, 1, 2, 3, 130


@attrs.frozen
class Ran:
    """What one run left behind."""

    code: int
    out: str
    err: str

    @property
    def plain(self) -> dict[str, Any]:
        """The one JSON object on stdout."""
        plain: dict[str, Any] = json.loads(self.out)
        return plain

    @property
    def problems(self) -> set[tuple[str, str]]:
        return {(problem["field"], problem["code"]) for problem in self.plain["error"]["problems"]}

    @property
    def refusal(self) -> tuple[int, str, list[str]]:
        """The exit code, the code of the refusal and its fields."""
        error = self.plain["error"]
        return self.code, error["code"], error["fields"]


Run = Callable[..., Ran]
