"""Options that several verbs share. Their names are those of the library's arguments."""

import datetime as dt
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Final

import attrs
from cyclopts import Group, Parameter, Token
from cyclopts.exceptions import CoercionError

from reminisce.app.cli.prompting import ask
from reminisce.app.cli.streams import path_of, text_of
from reminisce.app.config import Settings, read_settings
from reminisce.app.service.core import Face
from reminisce.app.service.memories import Memories
from reminisce.app.service.owner import Owner
from reminisce.app.wiring import assemble
from reminisce.errors import ConfigurationError

__all__ = ["COMMON", "Common", "Count", "Facets", "Length", "Moment", "given_of", "pairs_of"]

_EVERY_VERB: Final = Group("Options of every verb, also before it", sort_key=9)


def _whole(_kind: Any, tokens: Sequence[Token]) -> int:
    # cyclopts itself would round 1.5 and read 0x10.
    text = tokens[0].value
    if not (text.isascii() and text.removeprefix("-").isdigit()):
        raise CoercionError(token=tokens[0], target_type=int)
    return int(text)


def _named(_kind: Any, facets: Sequence[str] | None) -> None:
    if any("=" not in facet for facet in facets or ()):
        raise ValueError("must be name=value")


Count = Annotated[int | None, Parameter(converter=_whole)]
"""A whole number, written in digits."""


def _moment(_kind: Any, tokens: Sequence[Token]) -> int | str:
    text = tokens[0].value
    return int(text) if text.isascii() and text.isdigit() and len(text) < MOMENT else text


MOMENT: Final = 19
"""Digits from which on a number is no revision, as no owner makes so many commits."""

Moment = Annotated[int | str, Parameter(converter=_moment)]
"""A time such as 2026-11-30T18:15:00Z, or a revision in digits."""


def _length(_kind: Any, tokens: Sequence[Token]) -> float:
    found = _LENGTH.fullmatch(tokens[0].value)
    if found is None:
        raise CoercionError(token=tokens[0], target_type=dt.timedelta)
    return float(found["number"]) * _UNITS[found["unit"]]


_UNITS: Final = {"": 1, "s": 1, "m": 60, "h": 3_600, "d": 86_400}
"""Seconds."""

_LENGTH: Final = re.compile(r"(?P<number>-?[0-9]+(\.[0-9]+)?)(?P<unit>[smhd]?)")

Length = Annotated[float | None, Parameter(converter=_length)]
"""Seconds as the library takes them, written as a number, or as one with a unit such as 30d."""

Facets = Annotated[list[str] | None, Parameter(validator=_named)]
"""Pairs written ``name=value``, split at the first sign."""


def pairs_of(facets: list[str] | None) -> list[tuple[str, str]] | None:
    """Names and values."""
    if facets is None:
        return None
    return [(name, value) for name, _, value in (facet.partition("=") for facet in facets)]


def given_of(options: Any) -> dict[str, Any]:
    """What the caller said, by the library's names."""
    said = attrs.asdict(options, recurse=False)
    given = {name: value for name, value in said.items() if value is not None}
    if "facets" in given:
        given["facets"] = pairs_of(given["facets"])
    return given


@Parameter(name="*", group=_EVERY_VERB)
@attrs.frozen(kw_only=True)
class Common:
    """What every verb takes, before or after its name."""

    store: str | None = None
    """The store's file, instead of REMINISCE_STORE, the configuration or the user's data folder."""

    owner: str | None = None
    """Whose memories, KIND:ID, instead of REMINISCE_OWNER, the configuration or agent:default."""

    passphrase: Annotated[bool, Parameter(show_default=False)] = False
    """Ask for the store's passphrase on the terminal, instead of REMINISCE_KEY or a kept key."""

    json: Annotated[bool, Parameter(show_default=False)] = False
    """Print one JSON object, a refusal too."""

    def settings(self) -> Settings:
        """
        The settings of this run.

        Raises:
            ConfigurationError
            NoTerminalError, InvalidError: The passphrase could not be asked for.
        """
        settings = read_settings()
        # An empty one is one said, and refused, not one left out.
        store = settings.store if self.store is None else path_of(self.store)
        owner = text_of(settings.owner) if self.owner is None else self.owner
        if not store or "\0" in store:
            raise ConfigurationError("store", "must be a path")
        try:
            os.fsencode(store).decode()
        except UnicodeError:
            raise ConfigurationError("store", "must be a path of UTF-8, as SQLite's are") from None
        settings = attrs.evolve(settings, store=store, owner=owner)
        if not self.passphrase:
            return settings
        # Where the store is made of it, a slip would lock its owner out.
        secret = ask("passphrase", again=not os.path.lexists(os.path.expanduser(store)))  # noqa: PTH111 (may be no path)
        return attrs.evolve(settings, secret=secret, secret_from="passphrase")  # noqa: S106 (its name)

    def memories(self, settings: Settings, *, create: bool, face: Face | None = None) -> Memories:
        """The store. Reading verbs make none: a slip in a path should not look like an empty memory."""
        return assemble(settings, face=face or Face(actor="cli"), create=create)

    @contextmanager
    def whole(self, *, create: bool = False) -> Iterator[Memories]:
        """The store, for one verb that belongs to no owner. A slip in one is refused here as everywhere."""
        settings = self.settings()
        with self.memories(settings, create=create) as memories:
            memories.owner(settings.owner)
            yield memories

    @contextmanager
    def mine(self, *, create: bool = False) -> Iterator[Owner]:
        """The owner's memories, for one verb."""
        settings = self.settings()
        with self.memories(settings, create=create) as memories:
            yield memories.owner(settings.owner)


COMMON: Final = Common()
