"""The three faces, each over a store of its own that the tests of one file share."""

from collections.abc import Iterator

import pytest

from tests.support.faces import CliFace, Face, Home, LibraryFace, McpFace


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A user's folder in which nothing has happened yet."""
    return Home(tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module", params=["library", "cli", "mcp"])
def face(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Face]:
    """Each face in turn. A test must use words that no other test of its file does."""
    home = Home(tmp_path_factory.mktemp(request.param))
    match request.param:
        case "library":
            with home.memories() as memories:
                yield LibraryFace(home, memories)
        case "cli":
            yield CliFace(home)
        case _:
            with home.session("--local", "--extended") as session:
                yield McpFace(session)
