"""Keyholders: owner-only files, and the operating system's own keyring."""

from reminisce.adapters.keyholders.files import KeyFiles
from reminisce.adapters.keyholders.system import SystemKeyring

__all__ = ["KeyFiles", "SystemKeyring"]
