"""The keyring of subjects' keys as a file, and the recovery key it is sealed under."""

from reminisce.adapters.keyrings.file import KeyringFile
from reminisce.adapters.keyrings.kept import KeptKeyrings
from reminisce.adapters.keyrings.recovery import RecoveryKeys, recovery_key

__all__ = ["KeptKeyrings", "KeyringFile", "RecoveryKeys", "recovery_key"]
