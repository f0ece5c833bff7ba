"""The one place that chooses adapters."""

import os
from pathlib import Path

import attrs

from reminisce.app.config import IN_MEMORY, Settings, read_settings, review_aspects_of, words_of
from reminisce.app.service.backups import Tools
from reminisce.app.service.core import Face
from reminisce.app.service.memories import Memories
from reminisce.domain.checks import Checks
from reminisce.domain.retention import Decay, retention
from reminisce.domain.values import Destination
from reminisce.errors import ConfigurationError
from reminisce.ports.policy import Policy
from reminisce.ports.store import Store

__all__ = ["assemble", "open_memory"]


def _store(settings: Settings, *, create: bool) -> Store:
    if settings.store == IN_MEMORY:
        from reminisce.adapters.identifiers import RandomIdentifiers
        from reminisce.adapters.inmemory import InMemoryStore

        return InMemoryStore(RandomIdentifiers().commit())
    from reminisce.adapters.sqlite import KeySource, SQLiteStore

    path = Path(settings.store).expanduser()
    return SQLiteStore(path, KeySource(settings.keys, settings.secret), create=create)


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
        face: What is fixed for this start. Aspects and reviewer come from *settings*.
        create: Whether a store that certainly does not exist may be made.
        policy: The host's own, instead of the one that *settings* name.
        decay: What is left of a salience in time.

    Raises:
        ConfigurationError, StoreError
    """
    from reminisce.adapters.analysers import DefaultAnalyser
    from reminisce.adapters.ciphers import SodiumCipher
    from reminisce.adapters.clocks import SystemClock
    from reminisce.adapters.disk import LocalFiles
    from reminisce.adapters.identifiers import RandomIdentifiers
    from reminisce.adapters.policies import NamedPolicy

    if policy is None and settings.policy is not None:
        policy = NamedPolicy(settings.policy)
    analyser = DefaultAnalyser(languages=settings.languages)
    face = attrs.evolve(
        face or Face(),
        aspects=settings.aspects,
        reviewer=settings.reviewer,
        review_aspects=frozenset(settings.review_aspects),
    )
    _check(face)
    return Memories(
        _store(settings, create=create),
        analyser=analyser,
        clock=SystemClock(),
        identifiers=RandomIdentifiers(),
        face=face,
        policy=policy,
        decay=decay,
        tools=Tools(SodiumCipher(), LocalFiles()),
    )


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
    aspects: tuple[str, ...] | None = None,
    audience: str | None = None,
    destination: str = "local",
    actor: str = "library",
    reviewer: str | None = None,
    review_aspects: tuple[str, ...] | None = None,
    policy: Policy | None = None,
    decay: Decay = retention,
    create: bool = True,
) -> Memories:
    """
    Open a memory: one encrypted file, made on first use.

    Args:
        store: Its path; ``":memory:"`` for one that lives in the process. Left out: ``REMINISCE_STORE``, the configuration
            file, or the user's data folder.
        keys: The folder of key files. Left out: beside the configuration.
        aspects: What memories may be, instead of the configured ones.
        audience: See only what this audience may. Fixed for as long as it is open.
        destination: ``local``, or ``remote`` when what is recalled goes to a model elsewhere: then private memories stay
            unseen and redacted ones show their surface.
        actor: What histories call this face.
        reviewer: Who answers for reviews made through it, instead of ``REMINISCE_REVIEWER`` or the configured one.
        review_aspects: Memories with one of these wait for review, instead of the configured ones.
        policy: Judges every memory before it is kept, instead of the configured one.
        decay: What is left of a salience in time, instead of `retention`: of age, half-life and thousandths to thousandths.
        create: Whether to make a store where certainly none is.

    Raises:
        ConfigurationError, StoreMissingError, StoreUnreadableError, StoreDamagedError, StoreTooNewError, KeyMissingError
    """
    settings = read_settings(store=None if store is None else os.fspath(store))
    if keys is not None:
        settings = attrs.evolve(settings, keys=Path(keys))
    if aspects is not None:
        settings = attrs.evolve(settings, aspects=words_of("aspects", aspects))
    if review_aspects is not None:
        settings = attrs.evolve(settings, review_aspects=review_aspects_of(review_aspects, settings.aspects))
    if reviewer is not None:
        settings = attrs.evolve(settings, reviewer=reviewer)
    try:
        going = Destination(destination)
    except ValueError:
        raise ConfigurationError("destination", "must be local or remote") from None
    face = Face(actor=actor, audience=audience, destination=going)
    return assemble(settings, face=face, create=create, policy=policy, decay=decay)
