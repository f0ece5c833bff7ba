"""The one table of size caps, in UTF-8 bytes for text and in items for lists. Source: the contract's section 7."""

from typing import Final

__all__ = ["BATCH", "BATCH_BYTES", "BYTES", "ITEMS", "K"]

_NAME: Final = 256

BYTES: Final = {
    "content": 64 * 1024,
    "surface": 64 * 1024,
    "query": 64 * 1024,
    "reason": 4 * 1024,
    "facet value": 4 * 1024,
    "sources": 2 * 1024,
    "owner": _NAME,
    "key": _NAME,
    "new_key": _NAME,
    "a": _NAME,
    "b": _NAME,
    "name": _NAME,
    "keys": _NAME,
    "subject": _NAME,
    "subjects": _NAME,
    "audience": _NAME,
    "audiences": _NAME,
    "episode": _NAME,
    "request_key": _NAME,
    "derived_from": _NAME,
    "supersedes": _NAME,
    "fact": _NAME,
    "attribute": _NAME,
    "value": 4 * 1024,
    "reviewer": _NAME,
    "claim": _NAME,
    "facet name": 128,
    "kind": 64,
    "containing": 4 * 1024,
    "aspects": 64,
    "actor": _NAME,
    "mask_terms": _NAME,
}
"""Largest text of each field. A facet counts its name and its value apart."""

ITEMS: Final = {
    "facets": 64,
    "sources": 64,
    "subjects": 64,
    "audiences": 64,
    "derived_from": 256,
    # Our choice: as many as derivations, so that one summary may replace all it was made from.
    "supersedes": 256,
    "aspects": 16,
    "basis": 16,
    "keys": 1_000,
    # Our choice: as many as derivations. An association of more is a facet.
    "members": 256,
    # A memory, or the two ends of a derivation.
    "claim": 2,
    # Our choice: each is looked for in every redacted text.
    "mask_terms": 1_000,
}
"""Largest number of items of each list."""

K: Final = 1_000
"""Most memories that one page of an answer holds."""

BATCH: Final = 100_000
"""Most memories in one `remember_many`."""

BATCH_BYTES: Final = 64 * 1024 * 1024
"""Most bytes of text in one `remember_many`."""
