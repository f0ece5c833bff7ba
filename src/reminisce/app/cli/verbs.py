"""The verbs and where they are. Their modules are imported when a verb is used, so that help starts fast."""

import sys
from importlib.metadata import version
from typing import Final, Literal

from cyclopts import App, Parameter

__all__ = ["VERBS", "build"]

VERBS: Final = {
    "init": "upkeep:init",
    "remember": "remembering:remember",
    "recall": "remembering:recall",
    "recent": "remembering:recent",
    "why": "remembering:why",
    "forget": "remembering:forget",
    "reinstate": "remembering:reinstate",
    "import": "upkeep:import_",
    "stats": "upkeep:stats",
    "doctor": "upkeep:doctor",
    "demo": "upkeep:demo",
    "mcp": "upkeep:mcp",
}

_HELP: Final = """\
Memory that people can trust, for AI agents.

Every verb takes --store PATH, --owner KIND:ID and --json, before or after its name; `reminisce VERB --help` tells the rest.
"""

_CODES: Final = "Exit codes: 0 done, 1 refused or failed, 2 usage, 3 busy or out of reach: try again."


def build() -> App:
    """The command's parser."""
    app = App(
        name="reminisce",
        help=_HELP,
        help_epilogue=_CODES,
        help_format="plaintext",
        version=lambda: version("reminisce-memory"),
        default_parameter=Parameter(negative=()),
        result_action="return_value",
        suppress_keyboard_interrupt=False,
    )
    for place, (name, where) in enumerate(VERBS.items()):
        app.command(f"reminisce.app.cli.{where}", name=name, sort_key=place)
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
