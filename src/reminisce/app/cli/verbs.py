"""The verbs and where they are. Their modules are imported when a verb is used, so that help starts fast."""

import sys
from typing import Final, Literal

from cyclopts import App, Parameter

__all__ = ["GROUPS", "VERBS", "build"]

VERBS: Final = {
    "init": ("upkeep:init", "Make the store, or check that it is there and opens."),
    "remember": ("remembering:remember", "Keep a memory."),
    "recall": ("remembering:recall", "Find memories, best first."),
    "bundle": ("remembering:bundle", "Put together what may be put before a model."),
    "recent": ("remembering:recent", "List memories, newest first."),
    "as-of": ("remembering:as_of", "List the memories as they stood at an earlier moment."),
    "why": ("remembering:why", "Tell where a memory came from and what became of it."),
    "edit": ("editing:edit", "Correct a memory's text in an editor, $VISUAL or $EDITOR."),
    "correct": ("remembering:correct", "Put a memory with changed attributes in the place of another."),
    "forget": ("ending:forget", "Take memories out of recall; their words are kept."),
    "reinstate": ("ending:reinstate", "Undo a forget."),
    "believe": ("believing:believe", "Hold something true of a subject, from --valid-from on or from now."),
    "beliefs": ("believing:beliefs", "Tell what is believed of a subject now."),
    "disbelieve": (
        "believing:disbelieve",
        "Forget what is believed of a subject; earlier beliefs stay in its history.",
    ),
    "contradict": ("believing:contradict", "Record that two memories contradict one another; both stay in force."),
    "resolve": ("believing:resolve", "End every contradiction between two memories; it stays in their past."),
    "associate": ("believing:associate", "Associate two or more memories."),
    "dissociate": ("believing:dissociate", "End the associations of a kind between exactly these memories."),
    "review": ("", "List what waits for review, approve it or reject it."),
    "reclassify": ("ending:reclassify", "Set how far a memory's text may travel: the only way to a less strict tier."),
    "consent": ("ending:consent", "Say who may see what is about a subject, in every owner's memories."),
    "erase": ("erasing:erase", "Erase the words of memories, whatever their status."),
    "withdraw": ("erasing:withdraw", "Erase everything that was said about a subject, in every owner's memories."),
    "purge": ("erasing:purge", "Withdraw a subject, then remove it."),
    "scrub": ("erasing:scrub", "Leave nothing of erased words in any byte of the store's files."),
    "reinforce": ("fading:reinforce", "Count a use of a memory."),
    "consolidate": ("fading:consolidate", "Bring every memory's salience up to date: faded by time, raised by uses."),
    "prune": ("fading:prune", "Forget the memories whose salience time has left below a threshold."),
    "import": ("moving:import_", "Keep what a file or a folder holds: records, notes, documents."),
    "export": ("moving:export", "Write memories as a file of records, or a folder of notes."),
    "guard": ("guarding:guard", "Look for secrets in files, as every write does."),
    "backup": ("backups:backup", "Write all that the store holds to a file."),
    "restore": ("backups:restore", "Bring a backup into a store that holds none of its owners and subjects."),
    "seal": ("backups:seal", "Write all that the store holds to a file that a passphrase encrypts."),
    "unseal": ("backups:unseal", "Bring what reminisce seal wrote into a store, as restore does."),
    "copy": ("backups:copy", "Bring all that the store holds into another store."),
    "stats": ("upkeep:stats", "Count memories by status, tier and aspect, and live beliefs."),
    "doctor": ("upkeep:doctor", "Look for trouble in the store, and explain it."),
    "keygen": ("keys:keygen", "Print a fresh random key, or write it to a file."),
    "rekey": ("keys:rekey", "Change the store's key."),
    "demo": ("upkeep:demo", "Show what this is on a temporary store, and fail if a guarantee does."),
    "mcp": ("upkeep:mcp", "Serve one owner's memories to an MCP client over stdio."),
}
"""Each verb with its function, and its line in the list of verbs, which is shown without importing the function."""

GROUPS: Final = {
    "review": {
        "list": ("ending:review_list", "List what waits for review, newest first."),
        "approve": ("ending:review_approve", "Put a memory that waits in force."),
        "reject": ("ending:review_reject", "Reject a memory that waits."),
    }
}
"""The verbs that are followed by a second one, and those."""

_HELP: Final = """\
Memory that people can trust, for AI agents.

Every verb takes --store PATH, --owner KIND:ID and --json, before or after its name; `reminisce VERB --help` tells the rest.
"""

_EPILOGUES: Final = {
    "review": "A review is made in the name that the setting `reviewer` in config.toml gives, or REMINISCE_REVIEWER."
}

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
        if name in GROUPS:
            app.command(_group(name, line, place))
        else:
            app.command(f"reminisce.app.cli.{where}", name=name, help=line, sort_key=place)
    app.command(_completion, name="--completion")
    return app


def _group(name: str, line: str, place: int) -> App:
    group = App(name=name, help=line, help_epilogue=f"{_EPILOGUES[name]}\n\n{_CODES}", sort_key=place)
    for next_to, (second, (where, told)) in enumerate(GROUPS[name].items()):
        group.command(f"reminisce.app.cli.{where}", name=second, help=told, sort_key=next_to)
    return group


def _completion(shell: Literal["bash", "fish", "zsh"], /) -> None:
    """
    Print the completion script of a shell; `eval "$(reminisce --completion bash)"` turns it on.

    Args:
        shell: Which.
    """
    # Printed rather than installed: a memory has no business in the start-up files of a shell.
    sys.stdout.write(build().generate_completion(shell=shell))
