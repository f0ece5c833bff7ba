"""Settings: from the call, else the environment, else the configuration file, else the platform's customs."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from reminisce.domain.checks import Checks
from reminisce.domain.limits import ITEMS
from reminisce.domain.values import DEFAULT_ASPECTS
from reminisce.errors import ConfigurationError, InvalidError

__all__ = ["FILES", "IN_MEMORY", "KEYRING", "Settings", "read_settings", "review_aspects_of", "words_of"]

IN_MEMORY: Final = ":memory:"
"""A store path that asks for a store in the process, gone with it. SQLite's own word for that."""

DEFAULT_OWNER: Final = "agent:default"

FILES: Final = "files"
KEYRING: Final = "keyring"
"""Where keys are kept: in files beside the configuration, or in the operating system's keyring."""

_FILE: Final = "config.toml"

_NAMES: Final = ("store", "owner", "aspects", "languages", "reviewer", "review_aspects", "policy", "key_from")
"""What the file may set."""

_TRUE: Final = frozenset({"1", "true", "yes", "on"})
"""What turns a switch in the environment on. Anything else leaves it off, so that a slip never opens anything."""


@attrs.frozen(kw_only=True)
class Settings:
    """What a start of reminisce is configured with."""

    store: str
    """A path, or `IN_MEMORY`."""

    owner: str = DEFAULT_OWNER
    keys: Path
    """Where key files are: beside the configuration."""

    secret: str | None = attrs.field(default=None, repr=False)
    """A key of 64 hexadecimal digits or a passphrase: from ``REMINISCE_KEY``, a prompt or the library's caller."""

    secret_from: str = "REMINISCE_KEY"  # noqa: S105 (its name)
    """What the secret is called where it is refused."""

    key_from: str = FILES
    """Where a store's key is kept when no secret is given: `FILES` or `KEYRING`."""

    recovery: str | None = attrs.field(default=None, repr=False)
    """The recovery key of the keyring, from ``REMINISCE_RECOVERY_KEY``; None: one that is kept."""

    aspects: tuple[str, ...] = DEFAULT_ASPECTS
    languages: tuple[str, ...] = ("english", "russian")
    reviewer: str | None = None
    """Who answers for reviews made by this face."""

    review_aspects: tuple[str, ...] = ()
    """Memories with one of these wait for review."""

    policy: str | None = None
    """The host's policy, ``module:name``."""

    local: bool = False
    """Whether an MCP server may give out what stays on this machine."""


def _folder(environ: Mapping[str, str]) -> tuple[Path, Path]:
    """The configuration's folder and file."""
    named = environ.get("REMINISCE_CONFIG")
    if not named:
        import platformdirs  # here, so that importing reminisce needs attrs alone, as in a browser

        folder = platformdirs.user_config_path("reminisce", appauthor=False)
        return folder, folder / _FILE
    path = Path(named).expanduser()
    return (path.parent, path) if path.suffix == ".toml" else (path, path / _FILE)


def _default_store() -> str:
    import platformdirs

    return str(platformdirs.user_data_path("reminisce", appauthor=False) / "memory.db")


def words_of(name: str, value: object) -> tuple[str, ...]:
    """
    A list of words from a setting.

    Raises:
        ConfigurationError: It is none, or too long, or empty.
    """
    checks = Checks()
    words = checks.texts("aspects", value)
    try:
        checks.finish()
    except InvalidError as error:
        raise ConfigurationError(name, f"must be a list of at most {ITEMS['aspects']} words") from error
    if not words:
        raise ConfigurationError(name, "must name at least one")
    return words


def _words(table: Mapping[str, Any], name: str, default: tuple[str, ...]) -> tuple[str, ...]:
    return words_of(name, table[name]) if name in table else default


def _text(table: Mapping[str, Any], name: str) -> str | None:
    value = table.get(name)
    if value is not None and not isinstance(value, str):
        raise ConfigurationError(name, "must be text")
    return value


def review_aspects_of(value: object, aspects: tuple[str, ...]) -> tuple[str, ...]:
    """
    The aspects of which memories wait for review.

    Raises:
        ConfigurationError: One is not among *aspects*.
    """
    named = words_of("review_aspects", value) if value else ()
    if not set(named).issubset(aspects):
        raise ConfigurationError("review_aspects", "must be among " + ", ".join(aspects))
    return named


def _key_from(name: str | None) -> str:
    if name not in (None, FILES, KEYRING):
        raise ConfigurationError("key_from", f"must be {FILES} or {KEYRING}")
    return name or FILES


def _policy(name: str | None) -> str | None:
    module, colon, attribute = (name or "").partition(":")
    if name is not None and not (module and colon and attribute):
        raise ConfigurationError("policy", "must be module:name")
    return name


def read_settings(
    *, store: str | None = None, owner: str | None = None, environ: Mapping[str, str] | None = None
) -> Settings:
    """
    Gather the settings.

    Args:
        store: Overrides ``REMINISCE_STORE`` and the file.
        owner: Overrides ``REMINISCE_OWNER`` and the file.
        environ: The environment; the process's own when left out.

    Raises:
        ConfigurationError: The file cannot be read, or holds something it should not.
    """
    environ = os.environ if environ is None else environ
    folder, path = _folder(environ)
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        table = {}
    except (OSError, ValueError) as error:
        raise ConfigurationError("config", f"{path} cannot be read: {type(error).__name__}") from error
    if not set(table).issubset(_NAMES):
        raise ConfigurationError("config", f"{path} may set only {', '.join(_NAMES)}")
    aspects = _words(table, "aspects", DEFAULT_ASPECTS)
    return Settings(
        store=store or environ.get("REMINISCE_STORE") or _text(table, "store") or _default_store(),
        owner=owner or environ.get("REMINISCE_OWNER") or _text(table, "owner") or DEFAULT_OWNER,
        keys=folder / "keys",
        secret=environ.get("REMINISCE_KEY") or None,
        key_from=_key_from(_text(table, "key_from")),
        recovery=environ.get("REMINISCE_RECOVERY_KEY") or None,
        aspects=aspects,
        languages=_words(table, "languages", ("english", "russian")),
        reviewer=environ.get("REMINISCE_REVIEWER") or _text(table, "reviewer"),
        review_aspects=review_aspects_of(_words(table, "review_aspects", ()), aspects),
        policy=_policy(_text(table, "policy")),
        local=environ.get("REMINISCE_LOCAL", "").strip().lower() in _TRUE,
    )
