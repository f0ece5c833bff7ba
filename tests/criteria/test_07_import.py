"""
What was imported is found: two sets of invented records, twenty questions each, every answer among the first eight.

The questions were written first, then the record that answers each, which shares stems with it but not the sentence, then
the records around them, which share words with many of the questions and answer none.
"""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reminisce import Imported, Owner, open_memory

K = 8


def pairs_of(text: str) -> dict[str, str]:
    """Questions, each with its record below it."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return dict(zip(lines[::2], lines[1::2], strict=True))


CLUB = pairs_of("""
When do we meet to scrape the hulls?
    Hull scraping is on the second Saturday of April; everybody meets at seven by the slipway.
Who keeps the spare key to the boathouse?
    Marit has the boathouse's spare keys in a tin behind her kitchen clock.
How deep must the harbour be for the Heron to moor?
    Heron draws two metres ten, so mooring her in shallower harbours grounds her.
What did the insurer say about the torn mainsail?
    The insurance pays for a mainsail only if it tore in more than force eight.
Which paint peeled off last winter?
    Never again Grundol: by February its paints were peeling from all three dinghies.
Where are the life jackets for children stored?
    Children's jackets are on the low hooks, store room two, left of the stove.
Who may sign for diesel at the pump?
    Only Ole and the treasurer have signing rights for diesel; the pump asks for a card.
How long does the ferry to Lund take with a stop?
    Stopping at the island, ferries need two hours and forty to Lund.
What is wrong with the winch on the port side?
    The portside winch slips under load since its pawls wore down.
When is the regatta's deadline for juniors?
    Juniors enter the regatta until the last day of May, a week before adults.
How do I switch off the alarm at the gate?
    Gate alarms fall silent when the grey switch is held for five seconds.
Why did we stop renting canoes?
    Canoe rental ended because the council wanted a lifeguard present at each of them.
What does the swan's nest mean for the jetty?
    While swans are nesting the outer jetty stays closed, usually until June.
Which radio channel does the lock keeper listen to?
    Locks are called on channel eighteen; keepers do not listen elsewhere.
How much did members pay for berths in 2019?
    A berth came to 310 crowns per member and metre in the 2019 season.
What should be done with rainwater in the tender?
    Bail the tender after heavy rain, since water over the thwart drowns its engine.
Who knows how to splice wire?
    Splicing of wires was learned by Tuva in Bergen; nobody else knows it.
Where did the anchor of the Petrel get lost?
    Petrel lost her anchor off the north cape, in forty metres, on a wreck.
Does the crane lift eight tonnes?
    Above six tonnes the crane's lifting arm bends: heavier hulls go by trailer.
What do newcomers have to learn before sailing alone?
    To sail without company a newcomer shows three knots and a man-overboard turn.
""")

SHOP = pairs_of("""
How do we roll back a failed migration?
    Failing migrations are rolled back by the tool itself when run with --undo-last.
Who is paged when the queue grows too long?
    A growing queue pages whoever leads billing, after nine minutes.
What limits the size of uploads?
    The proxy, not the application, sets an upload's limit: 48 megabytes.
Why is the search index rebuilt on Sundays?
    Index rebuilding for search waits for Sunday since shops are closed then.
Which certificate expires in March?
    In March the certificates of the partner gateway expire, all others in autumn.
Where are the logs of the old cluster archived?
    Old cluster's log archive is the bucket named cellar-7.
How often does the cache evict sessions?
    Sessions leave by eviction when the cache passes ninety percent, about hourly.
What broke the nightly export in June?
    June's nightly exports broke on an umlaut in a customer's street.
Can contractors deploy to staging?
    Staging deployments are open for contractors who passed the fire drill.
Which flag turns on the new checkout?
    New checkouts are behind the flag plum-basket, off by default.
How are refunds reconciled with the bank?
    Reconciliation of a refund happens against the bank file of the following noon.
What timeout does the tax service need?
    Tax lookups want a timeout of eleven seconds; the service is slow in Brazil.
When was the password policy last changed?
    Policies for passwords changed last when rotation was dropped, in 2022.
Who approves changes to the firewall?
    Firewall changes carry two approvals: the network's and the auditor's.
Why do emails to students bounce?
    Student mail bounced because universities greylist our emailing address.
How is the load test started?
    Load testing starts with make thunder, never against production.
Which dashboard shows the conversion of visitors?
    Visitor conversions are shown on the third dashboard, Lantern.
What do we do when the printer label jams?
    Jammed labels: open the printer's belly, pull towards you, reprint the last two.
Where does the feature store keep embeddings?
    Embeddings of the store for features are kept beside the orders, in schema quill.
How do we delete a customer on request?
    Customers who request deletion go through the form; deleting by hand misses invoices.
""")


def around(pairs: dict[str, str], places: tuple[str, ...]) -> Iterator[str]:
    """Records that share two words with an answer each, and answer nothing."""
    for answer, place in itertools.product(pairs.values(), places):
        words = [word.strip(".,:;'’") for word in answer.split() if len(word) > 5]
        yield f"{place}: somebody said something of {words[0].lower()}, then of {words[-1].lower()}, and left."


def as_records(folder: Path, texts: list[str]) -> Path:
    path = folder / "records.jsonl"
    path.write_bytes(b"".join(json.dumps({"content": text}).encode() + b"\n" for text in texts))
    return path


def as_document(folder: Path, texts: list[str]) -> Path:
    path = folder / "handbook.md"
    path.write_text("".join(f"## Entry {number}\n\n{text}\n\n" for number, text in enumerate(texts)), "utf-8")
    return path


def as_notes(folder: Path, texts: list[str]) -> Path:
    path = folder / "notes"
    path.mkdir()
    for number, text in enumerate(texts):
        (path / f"{number:03}.md").write_text(f"---\nkey: n{number}\n---\n{text}\n", "utf-8")
    return path


SETS = {
    "club": (CLUB, ("At the bar", "In the car", "On a walk")),
    "shop": (SHOP, ("In stand-up", "Over lunch", "By the lift")),
}


@pytest.fixture
def owner() -> Iterator[Owner]:
    with open_memory(":memory:") as memories:
        yield memories.owner("agent:alice")


@pytest.mark.parametrize("written", [as_records, as_document, as_notes])
@pytest.mark.parametrize("name", SETS)
def test_every_question_finds_its_record_among_the_first_eight(
    owner: Owner, tmp_path: Path, name: str, written: Callable[[Path, list[str]], Path]
) -> None:
    pairs, places = SETS[name]
    texts = [*pairs.values(), *around(pairs, places)]
    path = written(tmp_path, texts)

    report: Imported = owner.import_(path)

    found = {question: [hit.memory.content for hit in owner.recall(question, k=K)] for question in pairs}
    missed = [
        question for question, answer in pairs.items() if not any(answer in content for content in found[question])
    ]
    assert (report.created, report.bad) == (len(texts), ())
    assert missed == []
    assert owner.import_(path).unchanged == len(texts)


@pytest.mark.parametrize("name", SETS)
def test_the_pairs_are_paraphrases(name: str) -> None:
    pairs, _ = SETS[name]

    for question, answer in pairs.items():
        asked, told = ([word.strip(".,:;?!'’").lower() for word in text.split()] for text in (question, answer))
        runs = {tuple(told[place : place + 4]) for place in range(len(told) - 3)}
        assert not any(tuple(asked[place : place + 4]) in runs for place in range(len(asked) - 3))
    assert len(pairs) == 20
