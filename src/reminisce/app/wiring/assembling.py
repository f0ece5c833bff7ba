"""A service put together."""

import functools
import os
from collections.abc import Iterable
from pathlib import Path

import attrs

from reminisce.app.config import IN_MEMORY, Settings, mask_terms_of, review_aspects_of, words_of
from reminisce.app.service.backups import Tools
from reminisce.app.service.core import Face
from reminisce.app.service.guarding import Guard, Looking, plainly
from reminisce.app.service.memories import Memories
from reminisce.app.wiring.keys import Secret, keyrings_of, keys_of, settings_of
from reminisce.domain.checks import Checks
from reminisce.domain.guard import EDITION
from reminisce.domain.masking import Masks, Span
from reminisce.domain.retention import Decay, retention
from reminisce.domain.values import Destination
from reminisce.errors import ConfigurationError, Finding
from reminisce.ports.matcher import Matcher
from reminisce.ports.policy import Policy
from reminisce.ports.store import Store

__all__ = ["assemble", "guard", "looking", "open_memory"]


def _store(settings: Settings, *, create: bool) -> Store:
    if settings.store == IN_MEMORY:
        from reminisce.adapters.identifiers import RandomIdentifiers
        from reminisce.adapters.inmemory import InMemoryStore

        return InMemoryStore(RandomIdentifiers().commit())
    from reminisce.adapters.sqlite import SQLiteStore

    return SQLiteStore(Path(settings.store).expanduser(), keys_of(settings), create=create)


@functools.cache
def looking() -> Looking:
    """The guard's rules with the fastest matcher that is installed. Made once in a process: nothing of it changes."""
    try:
        from reminisce.adapters.matchers import Re2Matcher
    except ImportError:
        return plainly()
    from reminisce.domain.guard.rule import screens_of
    from reminisce.domain.guard.rules import RULES
    from reminisce.domain.guard.scan import Scanner

    matcher: Matcher = Re2Matcher(screens_of(RULES))
    return Scanner(RULES, matcher.present, matcher.runs)


def _secrets(text: str) -> Iterable[Span]:
    # Only when a text has to be masked: nothing is loaded for a store that has none.
    return looking().find(text)


def guard(text: str) -> tuple[Finding, ...]:
    """
    Look for secrets in a text, as every write does. Opens nothing, writes nothing.

    Args:
        text: Any text, of any length. NUL parts it: no secret reaches across one.

    Returns:
        What was found, in the order of the text; field is ``text``. Empty: nothing that looks like a secret.

    Raises:
        TypeError: It is no text.

    Cost:
        Linear in the text: 1 MiB takes about 20 ms with the extra ``guard``, 150 ms without.
    """
    if not isinstance(text, str):
        raise TypeError("must be text")
    return tuple(Finding(match.rule, "text", match.start, match.end) for match in looking().find(text))


def assemble(
    settings: Settings,
    *,
    face: Face | None = None,
    create: bool = True,
    policy: Policy | None = None,
    decay: Decay = retention,
) -> Memories:
    """
    Put a service together.

    Args:
        face: What is fixed for this start. Aspects, reviewer and masks come from *settings*.
        create: Whether a store that certainly does not exist may be made.
        policy: The host's own, instead of the one that *settings* name.
        decay: What is left of a salience in time.

    Raises:
        ConfigurationError, StoreError
    """
    from reminisce.adapters.analysers import DefaultAnalyser
    from reminisce.adapters.clocks import SystemClock
    from reminisce.adapters.identifiers import RandomIdentifiers
    from reminisce.adapters.policies import NamedPolicy

    if policy is None and settings.policy is not None:
        policy = NamedPolicy(settings.policy)
    analyser = DefaultAnalyser(languages=settings.languages)
    face = attrs.evolve(
        face or Face(),
        aspects=settings.aspects,
        reviewer=settings.reviewer,
        masks=Masks(find=_secrets, rules=EDITION, terms=settings.mask_terms),
        review_aspects=frozenset(settings.review_aspects),
    )
    _check(face)
    if settings.admit_private_secrets and settings.store == IN_MEMORY:
        raise ConfigurationError("admit_private_secrets", "needs an encrypted store: a file")
    return Memories(
        _store(settings, create=create),
        analyser=analyser,
        clock=SystemClock(),
        identifiers=RandomIdentifiers(),
        guard=Guard(looking, admit_private=settings.admit_private_secrets),
        face=face,
        policy=policy,
        decay=decay,
        tools=_tools,
        keyrings=None if settings.store == IN_MEMORY else functools.partial(keyrings_of, settings),
    )


def _tools() -> Tools:
    from reminisce.adapters.ciphers import SodiumCipher
    from reminisce.adapters.disk import LocalFiles

    return Tools(SodiumCipher(), LocalFiles())


def _check(face: Face) -> None:
    """
    Look at the names that a face was started with.

    Raises:
        InvalidError
    """
    checks = Checks()
    for field in ("actor", "reviewer", "audience"):
        value = getattr(face, field)
        if value is not None:
            checks.text(field, value)
    checks.finish()


def open_memory(
    store: str | os.PathLike[str] | None = None,
    *,
    keys: str | os.PathLike[str] | None = None,
    secret: Secret | None = None,
    aspects: tuple[str, ...] | None = None,
    audience: str | None = None,
    destination: str = "local",
    actor: str = "library",
    reviewer: str | None = None,
    review_aspects: tuple[str, ...] | None = None,
    policy: Policy | None = None,
    mask_terms: tuple[str, ...] | None = None,
    decay: Decay = retention,
    admit_private_secrets: bool | None = None,
    create: bool = True,
) -> Memories:
    """
    Open a memory: one encrypted file, made on first use.

    Args:
        store: Its path; ``":memory:"`` for one that lives in the process. Left out: ``REMINISCE_STORE``, the configuration
            file, or the user's data folder.
        keys: The folder of key files. Left out: beside the configuration.
        secret: A passphrase of at least 12 characters, or a key of 64 hexadecimal digits; or a function that asks for one,
            called once. Instead of ``REMINISCE_KEY``, which is instead of a key file. It is never shown or logged.
        aspects: What memories may be, instead of the configured ones.
        audience: See only what this audience may. Fixed for as long as it is open.
        destination: ``local``, or ``remote`` when what is recalled goes to a model elsewhere: then private memories stay
            unseen and redacted ones show their surface.
        actor: What histories call this face.
        reviewer: Who answers for reviews made through it, instead of ``REMINISCE_REVIEWER`` or the configured one.
        review_aspects: Memories with one of these wait for review, instead of the configured ones.
        policy: Judges every memory before it is kept, instead of the configured one.
        mask_terms: Literal terms, instead of the configured ones. Where text leaves, a redacted memory that was given no
            surface shows as its content without them; one that holds none of them does not show. A saved index goes by
            them: give every process that opens the store the same.
        decay: What is left of a salience in time, instead of `retention`: of age, half-life and thousandths to thousandths.
        admit_private_secrets: Let a memory hold secrets whose tier is given as ``private``, instead of what is configured
            (default: no). Only in an encrypted store.
        create: Whether to make a store where certainly none is.

    Raises:
        ConfigurationError, StoreMissingError, StoreUnreadableError, StoreDamagedError, StoreTooNewError, KeyMissingError
    """
    settings = settings_of(store, keys, secret)
    if aspects is not None:
        settings = attrs.evolve(settings, aspects=words_of("aspects", aspects))
    if review_aspects is not None:
        settings = attrs.evolve(settings, review_aspects=review_aspects_of(review_aspects, settings.aspects))
    if mask_terms is not None:
        settings = attrs.evolve(settings, mask_terms=mask_terms_of(mask_terms))
    if reviewer is not None:
        settings = attrs.evolve(settings, reviewer=reviewer)
    if admit_private_secrets is not None:
        settings = attrs.evolve(settings, admit_private_secrets=admit_private_secrets)
    try:
        going = Destination(destination)
    except ValueError:
        raise ConfigurationError("destination", "must be local or remote") from None
    face = Face(actor=actor, audience=audience, destination=going)
    return assemble(settings, face=face, create=create, policy=policy, decay=decay)
