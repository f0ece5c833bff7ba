"""The keyring: the keys of subjects, and which of them are gone for good."""

import re
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, Final, Self

import attrs

__all__ = ["Keyring"]

KEY_BYTES: Final = 32

_NAME: Final = re.compile(r"[0-9a-f]{32}")

_MOST: Final = 2**63 - 1


def _named(_: object, attribute: "attrs.Attribute[Any]", names: Collection[str]) -> None:
    if not all(_NAME.fullmatch(name) for name in names):
        raise ValueError(f"{attribute.name}: ids are 32 hexadecimal digits in lower case")


def _one(_: object, attribute: "attrs.Attribute[Any]", name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{attribute.name}: must be 32 hexadecimal digits in lower case")


def _long_enough(_: object, attribute: "attrs.Attribute[Any]", keys: Mapping[str, bytes]) -> None:
    if not all(len(key) == KEY_BYTES for key in keys.values()):
        raise ValueError(f"{attribute.name}: a key has {KEY_BYTES} bytes")


def _counted(_: object, attribute: "attrs.Attribute[Any]", number: int) -> None:
    if not 0 <= number <= _MOST:
        raise ValueError(f"{attribute.name}: must be in [0, 2^63)")


def _frozen(keys: Mapping[str, bytes]) -> Mapping[str, bytes]:
    return MappingProxyType(dict(keys))


def _set(names: Collection[str]) -> frozenset[str]:
    return frozenset(names)


@attrs.frozen(kw_only=True)
class Keyring:
    """
    The keys of one store's subjects. What is destroyed stays so: no key of that id is ever held again.

    Raises:
        ValueError: An id or a key is not of its form.
    """

    store: str = attrs.field(validator=_one)
    """The store's id, 32 hexadecimal digits."""

    number: int = attrs.field(default=0, validator=_counted)
    """Grows by one with each change."""

    keys: Mapping[str, bytes] = attrs.field(
        factory=dict, converter=_frozen, validator=[_named, _long_enough], repr=False
    )
    """The keys in use, 32 bytes each, by their ids of 32 hexadecimal digits."""

    destroyed: frozenset[str] = attrs.field(default=frozenset(), converter=_set, validator=_named)
    """Ids of keys that are gone. An id given as both is gone."""

    def __attrs_post_init__(self) -> None:
        living = {name: key for name, key in self.keys.items() if name not in self.destroyed}
        object.__setattr__(self, "keys", MappingProxyType(living))

    def holding(self, keys: Mapping[str, bytes], /) -> Self:
        """
        This keyring and *keys*, but for those that are destroyed.

        Raises:
            ValueError: An id is held with another key.
        """
        return self._became(keys, ())

    def destroying(self, names: Collection[str], /) -> Self:
        """This keyring without the keys of these ids, held or not, which can then never be held again."""
        return self._became({}, names)

    def merged(self, other: "Keyring", /) -> Self:
        """
        What either knows. Destroyed in one is destroyed; the store is this one's, the number the larger or the next one.

        Raises:
            ValueError: They hold different keys of one id.
        """
        became = self._became(other.keys, other.destroyed)
        number = max(self.number, other.number)
        latest = [one for one in (self, other) if one.number == number]
        known = all((one.keys, one.destroyed) == (became.keys, became.destroyed) for one in latest)
        return attrs.evolve(became, number=number if known else number + 1)

    def _became(self, keys: Mapping[str, bytes], destroyed: Collection[str]) -> Self:
        if any(self.keys.get(name, key) != key for name, key in keys.items()):
            raise ValueError("keys: two keys of one id")
        became = attrs.evolve(self, keys={**keys, **self.keys}, destroyed=self.destroyed | set(destroyed))
        if (became.keys, became.destroyed) == (self.keys, self.destroyed):
            return self
        return attrs.evolve(became, number=self.number + 1)
