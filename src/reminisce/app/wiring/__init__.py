"""The one place that chooses adapters."""

from reminisce.app.wiring.assembling import assemble, guard, looking, open_memory
from reminisce.app.wiring.keys import Secret, change_key, fresh_key, keep_fresh_key, read_keyring, rekey

__all__ = [
    "Secret",
    "assemble",
    "change_key",
    "fresh_key",
    "guard",
    "keep_fresh_key",
    "looking",
    "open_memory",
    "read_keyring",
    "rekey",
]
