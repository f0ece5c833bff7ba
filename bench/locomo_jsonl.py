"""
One conversation of LoCoMo's form as records for `reminisce import`.

    python bench/locomo_jsonl.py CONVERSATION.json > turns.jsonl
"""

import json
import sys
from pathlib import Path

from locomo import records


def main() -> int:
    """Convert the conversation named on the command line."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python bench/locomo_jsonl.py CONVERSATION.json\n")
        return 2
    conversation = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    for record in records(conversation):
        print(json.dumps(record, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
