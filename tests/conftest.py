"""How hard Hypothesis tries, and that no test touches what belongs to the user."""

import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("dev", max_examples=25, deadline=None)
settings.register_profile("ci", max_examples=50, deadline=None, derandomize=True, database=None, print_blob=True)
settings.register_profile("nightly", max_examples=2_000, deadline=None, print_blob=True)
# `pytest --hypothesis-profile nightly` wins over this.
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session", autouse=True)
def _nothing_of_the_users(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Session scope: Hypothesis refuses fixtures that are made anew for each test."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("KEY", "NEW_KEY", "RECOVERY_KEY", "STORE", "OWNER", "LOCAL"):
            patch.delenv(f"REMINISCE_{name}", raising=False)
        patch.setenv("REMINISCE_CONFIG", str(tmp_path_factory.mktemp("config")))
        yield


class NetworkUsedError(AssertionError):
    """Something tried to reach beyond this machine."""


@pytest.fixture(scope="session", autouse=True)
def _nothing_phones_home() -> Iterator[None]:
    """Sockets of this process reach nobody: neither a host by name nor one by number."""

    def refuse(*_: Any, **__: Any) -> None:
        raise NetworkUsedError

    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex", "sendto"):
            patch.setattr(socket.socket, name, refuse)
        patch.setattr(socket, "getaddrinfo", refuse)
        yield
