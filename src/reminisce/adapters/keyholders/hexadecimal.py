"""Keys as text: 64 hexadecimal digits."""

from reminisce.errors import StoreUnreadableError
from reminisce.ports.cipher import KEY_BYTES

__all__ = ["key_of"]


def key_of(text: str, place: str) -> bytes:
    """
    The key that is written in *text*.

    Raises:
        StoreUnreadableError: None is.
    """
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise StoreUnreadableError(f"{place} holds no key of {2 * KEY_BYTES} hexadecimal digits")
    return key
