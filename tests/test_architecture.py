"""What import contracts cannot see: who touches the world outside, and how large modules are."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "reminisce"

OUTSIDE = {"fcntl", "os", "pathlib", "shutil", "signal", "socket", "subprocess", "tempfile"}
"""Modules of the standard library through which files, processes and the network are reached."""

MAY_REACH_OUTSIDE = {
    "adapters/files.py": "writes files whole or not at all",
    "adapters/keyholders/files.py": "reads and makes key files",
    "adapters/keyrings/file.py": "reads and writes the keyring's file",
    "adapters/keyrings/kept.py": "names the folder of keyrings",
    "adapters/sqlite/files.py": "finds and makes the store's file",
    "adapters/sqlite/keys.py": "names the folder of key files",
    "adapters/sqlite/locks.py": "locks the store's file",
    "adapters/sqlite/migration.py": "names the file that it brings up",
    "adapters/sqlite/places.py": "names and looks at the store's file",
    "adapters/sqlite/process.py": "knows which files this process has open",
    "adapters/sqlite/rekeying.py": "names the file whose key it changes",
    "adapters/sqlite/replacing.py": "replaces the store's file",
    "adapters/sqlite/schema.py": "names the file to open",
    "adapters/sqlite/store.py": "names the file to open; knows its process",
    "adapters/disk.py": "reads and writes backups",
    "app/config.py": "reads the environment and the configuration file",
    "app/service/folders.py": "reads what is imported, writes what is exported",
    "app/service/indexes.py": "knows its process",
    "app/service/moving.py": "takes paths from the caller",
    "app/service/patience.py": "knows its process: threads do not live through a fork",
    "app/service/sources.py": "names the folder that is imported",
    "app/wiring/assembling.py": "takes paths from the caller",
    "app/wiring/keys.py": "takes paths from the caller",
}
"""The short list. The faces, which read and write the caller's own streams, are listed by folder below."""

FACES = ("app/cli/", "app/mcp/", "app/demo.py", "testing/", "__main__.py")

LONGEST = 300
"""Lines of a module. Longer ones are asked what they are really two of."""

EXCUSED = {"errors.py": "one tree, drawn once"}


def modules() -> Iterator[tuple[str, ast.Module, str]]:
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text("utf-8")
        yield path.relative_to(SOURCE).as_posix(), ast.parse(text), text


def imported(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return names


def test_only_listed_modules_reach_outside() -> None:
    reaching = {name for name, tree, _ in modules() if OUTSIDE & imported(tree)}

    assert {name for name in reaching if not name.startswith(FACES)} == set(MAY_REACH_OUTSIDE)


@pytest.mark.parametrize("layer", ["domain/", "ports/", "codec/", "adapters/inmemory.py"])
def test_pure_layers_open_and_print_nothing(layer: str) -> None:
    banned = {"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"}
    found = [
        (name, node.func.id)
        for name, tree, _ in modules()
        if name.startswith(layer)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in banned
    ]

    assert found == []


def test_modules_stay_small() -> None:
    long = {name: text.count("\n") for name, _, text in modules() if text.count("\n") > LONGEST}

    assert set(long) <= set(EXCUSED), long


def test_nothing_inside_imports_from_the_front() -> None:
    fronts = [
        name
        for name, tree, _ in modules()
        if not name.startswith("testing/")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "reminisce"
    ]

    assert fronts == []
