"""The tools as plain data and functions. No MCP library here, so that replacing it is one file."""

from reminisce.app.mcp import answers, schemas
from reminisce.app.mcp.calling import Tool
from reminisce.app.service.asking import MOST
from reminisce.app.service.fading import HALF_LIFE
from reminisce.domain.provenance import DEPTH, WALK

__all__ = ["tools"]


def _core(aspects: tuple[str, ...]) -> list[Tool]:
    return [
        Tool(
            name="memory_remember",
            title="Remember",
            description=(
                "Keep one memory. The same attributes again answer the memory that is there already. One that is held is"
                " not recalled until a person has approved it."
            ),
            arguments=schemas.remember_arguments(aspects),
            answer=answers.REMEMBERED,
            run=lambda owner, given: owner.remember(**given),
        ),
        Tool(
            name="memory_recall",
            title="Recall",
            description=(
                "Find memories by words, best first, or list them newest first when no query is given. Answers come in"
                " pages: a cursor in the answer asks for the next one."
            ),
            arguments=schemas.recall_options(aspects, query=True),
            answer=answers.RECALLED,
            run=lambda owner, given: owner.recall(given.pop("query", None), **given),
            reads_only=True,
        ),
        Tool(
            name="memory_forget",
            title="Forget",
            description="Take memories out of recall. Their words are kept, and a person can bring them back.",
            arguments=schemas.arguments(
                {
                    "keys": schemas.texts("keys", "The memories' keys") | {"minItems": 1},
                    "reason": schemas.text("reason", "Why, for the memory's history"),
                    "dry_run": schemas.flag("Only tell what would happen (default false)"),
                },
                "keys",
            ),
            answer=answers.FORGOTTEN,
            run=lambda owner, given: owner.forget(**given),
            destroys=True,
        ),
        Tool(
            name="memory_why",
            title="Why",
            description=(
                "Tell where a memory came from and what became of it: sources, what it was derived from, what replaced"
                " it, what contradicts it, its history, how far to trust it."
            ),
            arguments=schemas.arguments(
                {
                    "key": schemas.text("key", "The memory's key"),
                    "depth": schemas.count(WALK, f"How far to follow derivations (default {DEPTH})"),
                    "most": schemas.count(WALK, f"How many lines a list of the answer may have (default {MOST})"),
                    "as_of": schemas.moment("As it could have been told then"),
                },
                "key",
            ),
            answer=answers.WHY,
            run=lambda owner, given: owner.why(**given),
            reads_only=True,
        ),
    ]


def _believing(aspects: tuple[str, ...]) -> list[Tool]:
    return [
        Tool(
            name="memory_believe",
            title="Believe",
            description=(
                "Hold true that an attribute of a subject has a value. A new value of a one-valued attribute ends the"
                " old one, which stays in its history; the same value again is counted. Held: a person has to approve it."
            ),
            arguments=schemas.believe_arguments(aspects),
            answer=answers.BELIEVED,
            run=lambda owner, given: owner.believe(**given),
            idempotent=False,
        ),
        Tool(
            name="memory_beliefs",
            title="Beliefs",
            description="List what is believed of a subject: now, at another time, or ever.",
            arguments=schemas.arguments(
                {
                    "subject": schemas.text("subject", "A pseudonym"),
                    "attribute": schemas.text("attribute", "Only of this attribute"),
                    "valid_at": schemas.time("What held at that time, superseded by now or not"),
                    "history": schemas.flag("All there ever was (default false). Not together with valid_at"),
                    "as_of": schemas.moment("As it was believed then"),
                },
                "subject",
            ),
            answer=answers.BELIEFS,
            run=lambda owner, given: owner.beliefs(**given),
            reads_only=True,
        ),
        Tool(
            name="memory_disbelieve",
            title="Disbelieve",
            description=(
                "Forget what is believed of a subject now, of one attribute or of all. Earlier beliefs stay in its"
                " history, and a person can bring back what was forgotten."
            ),
            arguments=schemas.arguments(
                {
                    "subject": schemas.text("subject", "A pseudonym"),
                    "attribute": schemas.text("attribute", "Only of this attribute. Left out: of all"),
                    "reason": schemas.text("reason", "Why, for the history"),
                },
                "subject",
            ),
            answer=answers.DISBELIEVED,
            run=lambda owner, given: owner.disbelieve(**given),
            destroys=True,
        ),
    ]


def _passing() -> list[Tool]:
    return [
        Tool(
            name="memory_reinforce",
            title="Reinforce",
            description="Count a use of a memory: call it once when a recalled memory turned out to help.",
            arguments=schemas.arguments({"key": schemas.text("key", "The memory's key")}, "key"),
            answer=answers.REINFORCED,
            run=lambda owner, given: owner.reinforce(**given),
            idempotent=False,
        ),
        Tool(
            name="memory_prune",
            title="Prune",
            description=(
                "List the memories whose salience has faded below a threshold; with dry_run false, forget them. A"
                " person can bring them back."
            ),
            arguments=schemas.arguments(
                {
                    "half_life": schemas.seconds(
                        f"How long until half of a salience is gone, 0 for never (default {HALF_LIFE.days} days)"
                    ),
                    "threshold": schemas.share("What falls strictly below it has faded (default 0.05)"),
                    "dry_run": schemas.flag("Only list what would be forgotten (default true)"),
                }
            ),
            answer=answers.PRUNED,
            # A model looks before it leaps.
            run=lambda owner, given: owner.prune(**{"dry_run": True, **given}),
            destroys=True,
        ),
    ]


def _extended(aspects: tuple[str, ...]) -> list[Tool]:
    return [
        Tool(
            name="memory_recent",
            title="Recent",
            description="List the newest memories first. A cursor in the answer asks for the next page.",
            arguments=schemas.recall_options(aspects, query=False),
            answer=answers.RECALLED,
            run=lambda owner, given: owner.recent(**given),
            reads_only=True,
        ),
        *_believing(aspects),
        *_passing(),
        Tool(
            name="memory_stats",
            title="Stats",
            description="Count memories by status, tier and aspect, and what is believed now.",
            arguments=schemas.arguments({}),
            answer=answers.STATS,
            run=lambda owner, given: owner.stats(**given),
            reads_only=True,
        ),
    ]


def tools(aspects: tuple[str, ...], *, extended: bool) -> dict[str, Tool]:
    """
    The tools by name.

    Args:
        aspects: What the store is configured with.
        extended: Whether to offer more than the four core tools.
    """
    offered = _core(aspects) + (_extended(aspects) if extended else [])
    return {tool.name: tool for tool in offered}
