"""
How fast the guard is, how linear, how right.

    python bench/guard.py                   speed over 1 MiB, and hostile texts eight times as long
    python bench/guard.py --lines DIR…      findings in files that should have none
    python bench/guard.py --samples FILE    JSON lines with text, kind and note; `reversed` texts are turned round
"""

import argparse
import json
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from reminisce.domain.guard.literals import LiteralScan
from reminisce.domain.guard.rule import screens_of
from reminisce.domain.guard.rules import RULES
from reminisce.domain.guard.scan import Scanner

MIB = 1024 * 1024
PIECE = 64 * 1024
"""Letters of the shorter hostile text: what one memory may hold. The longer one has eight times as many."""

MALFORMED = tuple(
    f"near miss: {why}" for why in ("one short", "one long", "wrong prefix", "wrong character", "header only")
)

HOSTILE = {
    "a mark": "eyJ",
    "marks": "sk-ant-api03-",
    "names": "adobe ",
    "names and signs": "password: ",
    "keys": "-----BEGIN PRIVATE KEY-----",
    "one letter": "a",
    "base64": "QUJD",
    "hex": "41",
    "percent": "%41",
    "escapes": "\\u0041",
    "full width": "ａ",
    "invisible": "a\u200b",
    "broken lines": "ghp_abcdefgh1\n",
    "addresses": "https://a:b@",
    "lookalikes": "аb1",
    "near secrets": "key=a1b2c3d4e5",
    "curl": "curl -u a:b ",
    "dots": "a.b.",
}


def scanners() -> dict[str, Scanner]:
    """One with Python alone, and one with RE2 where it is installed."""
    screens = screens_of(RULES)
    plain = LiteralScan(screens)
    made = {"re": Scanner(RULES, plain.present, plain.runs)}
    try:
        from reminisce.adapters.matchers import Re2Matcher
    except ImportError:
        return made
    fast = Re2Matcher(screens)
    return {**made, "re2": Scanner(RULES, fast.present, fast.runs)}


def cost_ms(scanner: Scanner, text: str, times: int = 5) -> float:
    """Median of processor time, after one look that warms up."""
    scanner.find(text)
    costs = []
    for _ in range(times):
        start = time.process_time()
        scanner.find(text)
        costs.append(time.process_time() - start)
    return median(costs) * 1_000


def texts() -> dict[str, str]:
    """A mebibyte each of code and of what people write, and one short memory."""
    code = "".join(path.read_text("utf-8") for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")))
    said = "Dana said that the deploy on Tuesday went well; the notes are in the shared folder, page 12; Ravi calls.\n"
    return {"code": code[:MIB], "prose": (said * (MIB // len(said) + 1))[:MIB], "one short memory": said}


def speed() -> None:
    for name, scanner in scanners().items():
        for what, text in texts().items():
            print(f"{name:4} {what:18} {len(text):8} letters {cost_ms(scanner, text):9.3f} ms")


def linear() -> int:
    """How many hostile texts cost more than ten times as much when they are eight times as long."""
    slow = 0
    for name, scanner in scanners().items():
        for what, unit in HOSTILE.items():
            small, large = (cost_ms(scanner, (unit * size)[:size], 3) for size in (PIECE, 8 * PIECE))
            over = large > 10 * small and large > 10
            slow += over
            print(
                f"{name:4} {what:18} {small:9.2f} ms {large:9.2f} ms  x{large / small:5.1f}{'  TOO SLOW' if over else ''}"
            )
    return slow


def files_in(places: list[str]) -> Iterator[tuple[Path, str]]:
    """Text files below *places*."""
    for place in map(Path, places):
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file():
                text = path.read_bytes().decode("utf-8", "replace")
                if "\0" not in text and text.count("\ufffd") < 10:
                    yield path, text


def lines(places: list[str]) -> None:
    """Each finding by rule and place; never what was found."""
    scanner, seen, count = list(scanners().values())[-1], Counter[str](), 0
    for path, text in files_in(places):
        count += text.count("\n") + 1
        for start in range(0, len(text), MIB):
            piece = text[start : start + MIB]
            for match in scanner.find(piece):
                seen[match.rule] += 1
                print(f"{match.rule:28} {path}:{text.count(chr(10), 0, start + match.start) + 1}")
    print(f"{sum(seen.values())} findings in {count} lines: {dict(seen)}")


def samples(file: str) -> int:
    """How many of the samples were judged wrongly, malformed near misses apart."""
    scanner, judged = list(scanners().values())[-1], Counter[str]()
    for line in Path(file).read_text("utf-8").splitlines():
        sample = json.loads(line)
        text = sample["text"][::-1] if sample.get("reversed") else sample["text"]
        malformed = sample["note"].startswith(MALFORMED)
        kind = "positive" if sample["kind"] == "positive" else "malformed" if malformed else "harmless"
        found = bool(scanner.find(text))
        judged[f"{kind}, {'refused' if found else 'let through'}"] += 1
        if found != (kind == "positive"):
            print(f"{kind}: {sample['rule']}: {sample['note']}")
    print(dict(judged))
    return judged["positive, let through"] + judged["harmless, refused"]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", nargs="+", metavar="DIR")
    parser.add_argument("--samples", metavar="FILE")
    asked = parser.parse_args()
    if asked.samples:
        return int(samples(asked.samples) > 0)
    if asked.lines:
        lines(asked.lines)
        return 0
    speed()
    return int(linear() > 0)


if __name__ == "__main__":
    sys.exit(main())
