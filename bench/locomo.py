"""
How often recall finds the turns that answer a question, on conversations of LoCoMo's form.

    python bench/locomo.py --data DIR [--json]

DIR holds one JSON file a conversation: ``sessions`` with a ``date_time`` and ``turns`` (``id``, ``speaker``, ``text``), and
``questions`` with their ``category`` and the ids of their ``evidence`` turns. The data is not part of the package.

Turn level: one owner a conversation; each turn is a memory ``speaker: text``, its session an episode, its time the session's
plus its place. For each question, the share of its evidence among the first 5 and 10; the mean over all questions. No model
judges anything.
"""

import argparse
import datetime as dt
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reminisce import Owner, open_memory

CATEGORIES = {1: "multi-hop", 2: "time", 3: "open-domain", 4: "single-hop", 5: "adversarial"}


def when(text: str) -> dt.datetime:
    """``1:56 pm on 8 May, 2023`` as a time in UTC."""
    return dt.datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=dt.UTC)


def records(conversation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A conversation's turns with the names of `remember`'s arguments."""
    for session in conversation["sessions"]:
        start = when(session["date_time"])
        for place, turn in enumerate(session["turns"]):
            yield {
                "content": f"{turn['speaker']}: {turn['text']}",
                "key": turn["id"],
                "episode": f"session {session['session']}",
                "occurred_at": (start + dt.timedelta(seconds=place)).isoformat(),
                "facets": {"speaker": turn["speaker"]},
            }


def ask(owner: Owner, question: dict[str, Any]) -> dict[str, float]:
    """The measures of one question."""
    evidence = set(question["evidence"])
    found = [hit.memory.key for hit in owner.recall(question["question"], k=10)]
    sessions = {key.split(":")[0] for key in evidence}
    ranked = list(dict.fromkeys(key.split(":")[0] for key in found))
    return {
        "recall_at_5": len(evidence.intersection(found[:5])) / len(evidence),
        "recall_at_10": len(evidence.intersection(found)) / len(evidence),
        "any_at_10": float(bool(evidence.intersection(found))),
        "all_at_10": float(evidence.issubset(found)),
        "session_recall_at_5": len(sessions.intersection(ranked[:5])) / len(sessions),
    }


def mean(rows: list[dict[str, float]]) -> dict[str, float]:
    """The mean of each measure, to four places."""
    return {name: round(sum(row[name] for row in rows) / len(rows), 4) for name in rows[0]} if rows else {}


def measure(folder: Path) -> dict[str, Any]:
    """All conversations of a folder, each in an owner of its own of one store in the process."""
    by_category: dict[int, list[dict[str, float]]] = {}
    memories_kept = 0
    with open_memory(":memory:") as memories:
        for path in sorted(folder.glob("*.json")):
            conversation = json.loads(path.read_text("utf-8"))
            owner = memories.owner(f"conversation:{path.stem}")
            memories_kept += len(owner.remember_many(records(conversation)).lines)
            for question in conversation["questions"]:
                if question["evidence"]:
                    by_category.setdefault(question["category"], []).append(ask(owner, question))
    everything = [row for rows in by_category.values() for row in rows]
    return {
        **mean(everything),
        "questions": len(everything),
        "memories": memories_kept,
        "by_category": {
            CATEGORIES.get(number, str(number)): {**mean(rows), "questions": len(rows)}
            for number, rows in sorted(by_category.items())
        },
    }


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Turn-level recall on conversations of LoCoMo's form.")
    parser.add_argument("--data", type=Path, required=True, help="the folder of conversations")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    result = measure(arguments.data)
    if not result["questions"]:
        sys.stderr.write("no conversations with questions in that folder\n")
        return 1
    if arguments.json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:20} {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
