"""A persistent map: a changed copy costs about the square root of its size, and the old one stays as it was."""

from collections.abc import Hashable, Iterator
from typing import Generic, TypeVar

__all__ = ["Map", "MapBuilder"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
D = TypeVar("D")

FILL = 4
"""
Entries a bucket holds on average, as a multiple of the number of buckets, before the number of buckets is multiplied.

Our choice: buckets and the table of buckets are both copied on a change, so they should be of about one size; 4 keeps the
table small while a bucket is still copied in a microsecond.
"""


class Map(Generic[K, V]):
    """
    An immutable mapping. Order of iteration means nothing.

    Cost: `get` O(1); a `MapBuilder` of m changes to n entries O(m √n) at worst, O(m + n) for large m.
    """

    __slots__ = ("_buckets", "_size")

    def __init__(self, buckets: tuple[dict[K, V], ...] = ({},), size: int = 0) -> None:
        self._buckets = buckets
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __contains__(self, key: K) -> bool:
        return key in self._buckets[hash(key) % len(self._buckets)]

    def __iter__(self) -> Iterator[K]:
        for bucket in self._buckets:
            yield from bucket

    def get(self, key: K, default: D) -> V | D:
        """The value of *key*, or *default*."""
        return self._buckets[hash(key) % len(self._buckets)].get(key, default)

    def values(self) -> Iterator[V]:
        """Every value, once a key."""
        for bucket in self._buckets:
            yield from bucket.values()

    def with_(self, key: K, value: V) -> "Map[K, V]":
        """A map that also holds *key*."""
        builder = MapBuilder(self)
        builder.put(key, value)
        return builder.done()


class MapBuilder(Generic[K, V]):
    """Collects changes to a map; buckets are copied at their first change, so the origin never moves."""

    __slots__ = ("_buckets", "_fresh", "_size")

    def __init__(self, origin: Map[K, V]) -> None:
        self._buckets = list(origin._buckets)
        self._size = origin._size
        self._fresh: set[int] = set()

    def __contains__(self, key: K) -> bool:
        return key in self._buckets[hash(key) % len(self._buckets)]

    def _bucket(self, key: K) -> dict[K, V]:
        place = hash(key) % len(self._buckets)
        if place not in self._fresh:
            self._buckets[place] = dict(self._buckets[place])
            self._fresh.add(place)
        return self._buckets[place]

    def get(self, key: K, default: D) -> V | D:
        """The value of *key* as it stands in this builder, or *default*."""
        return self._buckets[hash(key) % len(self._buckets)].get(key, default)

    def put(self, key: K, value: V) -> None:
        """Set *key* to *value*."""
        bucket = self._bucket(key)
        before = len(bucket)
        bucket[key] = value
        self._size += len(bucket) - before
        if self._size > FILL * len(self._buckets) ** 2:
            self._grow()

    def drop(self, key: K) -> None:
        """Remove *key* if it is there."""
        bucket = self._bucket(key)
        before = len(bucket)
        bucket.pop(key, None)
        self._size += len(bucket) - before

    def _grow(self) -> None:
        # Fourfold, so that a growing map is laid out anew only every sixteenfold size.
        wider: list[dict[K, V]] = [{} for _ in range(4 * len(self._buckets))]
        for bucket in self._buckets:
            for key, value in bucket.items():
                wider[hash(key) % len(wider)][key] = value
        self._buckets = wider
        self._fresh = set(range(len(wider)))

    def done(self) -> Map[K, V]:
        """The map with all changes. The builder may go on; it then copies afresh."""
        self._fresh = set()
        return Map(tuple(self._buckets), self._size)
