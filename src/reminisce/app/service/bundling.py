"""The use case of a bundle: one view, one index, one look at what ranks first, and egress."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from reminisce.app.service.core import Core
from reminisce.app.service.recalling import looking, seen_by
from reminisce.domain.answers import Bundle, Item
from reminisce.domain.asking import FILTERS, Question, read_question
from reminisce.domain.checks import Checks
from reminisce.domain.egress import leaving
from reminisce.domain.index.query import Query
from reminisce.domain.index.search import search
from reminisce.domain.limits import K
from reminisce.domain.provenance import trusted
from reminisce.domain.visibility import Viewer
from reminisce.errors import InvalidError

__all__ = ["bundle", "read_bundle"]

BUDGET: Final = 2_000
"""Tokens when nothing is said. Our choice: some forty memories of a sentence or two, a small part of any model's context."""

MOST_BUDGET: Final = 2**62
"""Largest budget: more than any measure of any text."""

LOOK: Final = 4
"""
Memories looked at for each item that is asked for, within `LEAST_LOOK` and `limits.K`.

Our choice: what is dropped as a near-duplicate or as too large makes room for what ranks behind it, but not for what has
little to do with the query any more.
"""

LEAST_LOOK: Final = 64


def read_bundle(query: object, options: Mapping[str, Any], budget: object, measure: object) -> tuple[Question, int]:
    """
    Clean one caller's question for a bundle. An option of None is one not given.

    Raises:
        InvalidError: With every problem, each under its option's name.
    """
    checks = Checks()
    given = {name: value for name, value in options.items() if name in ("k", "audience", *FILTERS)}
    if len(given) < len(options):
        checks.note(
            "arguments", "unknown_name", "takes only query, k, budget, measure, audience, " + ", ".join(FILTERS)
        )
    room = BUDGET if budget is None else checks.count("budget", budget, 0, MOST_BUDGET)
    if measure is not None and not callable(measure):
        checks.note("measure", "wrong_type", "must be a function from an item to a whole number")
    question = Question(query=None)
    try:
        question = read_question(query, given)
    except InvalidError as error:
        checks.problems.extend(error.problems)
    checks.finish()
    return question, room


def _measured(measure: Callable[[Item], int]) -> Callable[[Item], int]:
    def measured(item: Item) -> int:
        size: object = measure(item)
        if isinstance(size, bool) or not isinstance(size, int) or size < 0:
            raise InvalidError.of("measure", "out_of_range", "must give a whole number of at least 0")
        return size

    return measured


def bundle(
    core: Core, owner: str, viewer: Viewer, question: Question, budget: int, measure: Callable[[Item], int]
) -> Bundle:
    """
    What of the answer to a question may be put before a model.

    Raises:
        InvalidError: The face's audience is another, or the measure gives what is none.
        StoreError
    """
    viewer = looking(viewer, question.audience)
    terms = None if question.query is None else tuple(core.analyser.terms(question.query))
    with core.indexes.at(owner) as (held, index, view):
        query = Query(
            terms=terms,
            k=min(max(LOOK * question.k, LEAST_LOOK), K),
            **seen_by(held, view, viewer),
            any_of=question.any_of,
            windows=question.windows,
        )
        found = search(index, query)
        memories = view.memories(owner, [match.key for match in found.matches])
        refs = {ref for memory in memories.values() for ref in memory.subjects}
        left = leaving(
            [memories[match.key] for match in found.matches],
            viewer=viewer,
            subjects={} if viewer.audience is None else view.subjects(refs),
            k=question.k,
            budget=budget,
            measure=_measured(measure),
            trust=lambda memory: trusted(view, owner, viewer, memory),
        )
        revision = index.revision
    return Bundle(
        items=left.items,
        used=left.used,
        budget=budget,
        dropped=left.dropped,
        considered=found.considered,
        more=found.more or left.looked_at < len(found.matches),
        revision=revision,
    )
