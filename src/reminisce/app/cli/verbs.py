"""The verbs and where they are. Their modules are imported when a verb is used, so that help starts fast."""

import sys
from typing import Final, Literal

from cyclopts import App, Parameter

__all__ = ["VERBS", "build"]

VERBS: Final = {
    "init": ("upkeep:init", "Make the store, or check that it is there and opens."),
    "remember": ("remembering:remember", "Keep a memory."),
    "recall": ("remembering:recall", "Find memories, best first."),
    "recent": ("remembering:recent", "List memories, newest first."),
    "why": ("remembering:why", "Tell where a memory came from and what became of it."),
    "forget": ("remembering:forget", "Take memories out of recall; their words are kept."),
    "reinstate": ("remembering:reinstate", "Undo a forget."),
    "import": ("upkeep:import_", "Keep memories from JSONL, one object a line."),
    "stats": ("upkeep:stats", "Count memories by status, tier and aspect."),
    "doctor": ("upkeep:doctor", "Look for trouble in the store, and explain it."),
    "demo": ("upkeep:demo", "Show what this is on a temporary store, and fail if a guarantee does."),
    "mcp": ("upkeep:mcp", "Serve one owner's memories to an MCP client over stdio."),
}
"""Each verb with its function, and its line in the list of verbs, which is shown without importing the function."""

_HELP: Final = """\
Memory that people can trust, for AI agents.

Every verb takes --store PATH, --owner KIND:ID and --json, before or after its name; `reminisce VERB --help` tells the rest.
"""

_CODES: Final = "Exit codes: 0 done, 1 refused or failed, 2 usage, 3 busy or out of reach: try again."


def _version() -> str:
    from importlib.metadata import version  # costs 10 ms

    return version("reminisce-memory")


def build() -> App:
    """The command's parser."""
    app = App(
        name="reminisce",
        help=_HELP,
        help_epilogue=_CODES,
        help_format="plaintext",
        version=_version,
        default_parameter=Parameter(negative=()),
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    for place, (name, (where, line)) in enumerate(VERBS.items()):
        app.command(f"reminisce.app.cli.{where}", name=name, help=line, sort_key=place)
    app.command(_completion, name="--completion")
    return app


def _completion(shell: Literal["bash", "fish", "zsh"], /) -> None:
    """
    Print the completion script of a shell; `eval "$(reminisce --completion bash)"` turns it on.

    Args:
        shell: Which.
    """
    # Printed rather than installed: a memory has no business in the start-up files of a shell.
    sys.stdout.write(build().generate_completion(shell=shell))
