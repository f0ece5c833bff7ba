"""Policies that a configuration names, loaded when they are first asked."""

import importlib
import threading
from typing import TYPE_CHECKING, Any

from reminisce.domain.memory import Memory
from reminisce.domain.policy import Verdict

if TYPE_CHECKING:
    from reminisce.ports.policy import Policy

__all__ = ["NamedPolicy"]


class NamedPolicy:
    """
    The policy at ``module:name``: an object with a ``check``, or a class or function that makes one when called bare.

    It is loaded at the first write, so that reading needs nothing of it; where it cannot be loaded, that write is refused.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._policy: Any = None

    def check(self, owner: str, memory: Memory, /) -> Verdict:
        with self._lock:
            if self._policy is None:
                module, _, name = self._name.partition(":")
                found = getattr(importlib.import_module(module), name)
                self._policy = found() if isinstance(found, type) or not hasattr(found, "check") else found
        verdict: Verdict = self._policy.check(owner, memory)
        return verdict


if TYPE_CHECKING:
    _check: type[Policy] = NamedPolicy
