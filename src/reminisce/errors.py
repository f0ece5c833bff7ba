"""
Everything reminisce raises on purpose.

::

    ReminisceError
    ├── InvalidError (also ValueError)      arguments break stated rules: all problems at once
    ├── NotFoundError                       no such memory that this caller may see
    ├── KeyTakenError                       the key names another memory
    ├── RequestKeyTakenError                the request key was used with other attributes
    ├── StatusError                         the memory's status does not allow this
    ├── SecretFoundError                    what is to be kept holds a secret
    ├── GuardFailedError                    the guard raised, hung or could not be loaded
    ├── PolicyRefusedError                  the host's policy does not want this kept
    ├── PolicyFailedError                   the host's policy raised, hung or could not be loaded
    ├── ReviewerError                       another reviewer was named, or none
    ├── SubjectWithdrawnError               a subject's words were withdrawn: nothing is written about it
    ├── ErasureIncompleteError              an erasure stopped on its way; running it again finishes it
    ├── ConsentNarrowedError                a subject took back a consent while the memory waited
    ├── CursorExpiredError                  an erasure or a consent came between two pages
    ├── OwnerIsFixedError                   a face serves one owner, and a call named one
    ├── ConfigurationError                  a setting or a missing extra
    ├── InternalError                       a fault of ours behind a face; names nothing
    ├── SealError                           something sealed cannot be opened
    │   ├── SealBrokenError                 wrong key or passphrase, or damaged
    │   ├── SealCutError                    it ends before its end
    │   ├── SealTooNewError                 made by a newer reminisce
    │   └── SealUnknownError                nothing that reminisce sealed
    ├── BackupError                         a backup cannot be brought in
    │   ├── BackupUnknownError              nothing that `backup` wrote
    │   ├── BackupTooNewError               written by a newer reminisce
    │   ├── BackupDamagedError              changed or cut since it was written
    │   └── OwnersThereError                the store holds some of its owners or subjects
    └── StoreError
        ├── StoreUnavailableError           busy or out of reach: trying again may work
        │   └── ConflictError               other writers kept winning
        ├── StoreClosedError                used after close
        ├── StoreMissingError               nothing is there, and nothing was asked to be made
        ├── StoreUnreadableError            the file cannot be opened, or is no store
        ├── StoreDamagedError               wrong key, or the file is damaged
        ├── StoreTooNewError                made by a newer reminisce
        ├── StoreHalfRestoredError          a restore into it has not ended
        ├── StoreFullError                  no room to write
        ├── KeyMissingError                 the store is there, its key is not
        ├── KeyringMissingError             there is no keyring where one was looked for
        └── RecoveryKeyMissingError         the keyring is there, the key it is sealed under is not

No message carries a memory's words or the caller's input; keys appear only where they name a memory that exists and that
the caller may see. `code` is the class in snake case without ``Error``, and is stable.
"""

import re
from typing import ClassVar

import attrs

__all__ = [
    "BackupDamagedError",
    "BackupError",
    "BackupTooNewError",
    "BackupUnknownError",
    "ConfigurationError",
    "ConflictError",
    "ConsentNarrowedError",
    "CursorExpiredError",
    "ErasureIncompleteError",
    "Finding",
    "GuardFailedError",
    "InternalError",
    "InvalidError",
    "KeyMissingError",
    "KeyTakenError",
    "KeyringMissingError",
    "NotFoundError",
    "OwnerIsFixedError",
    "OwnersThereError",
    "PolicyFailedError",
    "PolicyRefusedError",
    "Problem",
    "RecoveryKeyMissingError",
    "ReminisceError",
    "RequestKeyTakenError",
    "ReviewerError",
    "SealBrokenError",
    "SealCutError",
    "SealError",
    "SealTooNewError",
    "SealUnknownError",
    "SecretFoundError",
    "StatusError",
    "StoreClosedError",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "StoreHalfRestoredError",
    "StoreMissingError",
    "StoreTooNewError",
    "StoreUnavailableError",
    "StoreUnreadableError",
    "SubjectWithdrawnError",
]


@attrs.frozen
class Problem:
    """One broken rule: where, which, and what to do about it. Never the value itself."""

    field: str
    """The argument's name; in a batch ``[7].content`` for the eighth line, counted from 0."""

    code: str
    """Stable and short, such as ``too_large`` or ``naive_time``."""

    message: str
    """One sentence without a full stop, for people."""


@attrs.frozen
class Finding:
    """Where a secret stands. Never the secret itself."""

    rule: str
    """Which rule of the guard found it, such as ``github-pat`` (`docs/guard.md`)."""

    field: str
    """The argument's name, as in a `Problem`; facets are looked at as ``name=value``."""

    start: int
    """Its first letter, counted in code points from 0."""

    end: int
    """After its last letter."""


@attrs.define(eq=False)
class ReminisceError(Exception):
    """The root of all errors that are raised on purpose."""

    code: ClassVar[str] = "reminisce"

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.code = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", cls.__name__.removesuffix("Error")).lower()

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the arguments concerned. May be empty."""
        return ()


@attrs.define(eq=False)
class InvalidError(ReminisceError, ValueError):
    """Arguments break stated rules. Nothing was written."""

    problems: tuple[Problem, ...]
    """At least one, in the order of the arguments."""

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(problem.field for problem in self.problems))

    def __str__(self) -> str:
        return "; ".join(f"{problem.field}: {problem.message}" for problem in self.problems)

    @classmethod
    def of(cls, field: str, code: str, message: str) -> "InvalidError":
        """An error of a single problem."""
        return cls((Problem(field, code, message),))


@attrs.define(eq=False)
class NotFoundError(ReminisceError):
    """No such memory, or none that this caller may see: the two answer alike."""

    field: str = "key"

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def __str__(self) -> str:
        return f"{self.field}: no such memory for this owner"


@attrs.define(eq=False)
class KeyTakenError(ReminisceError):
    """The key names a memory with other attributes. Keys are never free again."""

    field: str = "key"

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def __str__(self) -> str:
        return f"{self.field}: another memory has this key; choose another, or use the attributes it was made with"


@attrs.define(eq=False)
class RequestKeyTakenError(ReminisceError):
    """The request key was used before, with other attributes."""

    field: str = "request_key"

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def __str__(self) -> str:
        return f"{self.field}: used before with other attributes; draw a new one for a new request"


@attrs.define(eq=False)
class StatusError(ReminisceError):
    """The memory is there, but its status does not allow the operation."""

    field: str
    status: str
    """What the memory is now."""

    needed: str
    """What would have to be true, as a clause for people."""

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def __str__(self) -> str:
        return f"{self.field}: the memory is {self.status}; {self.needed}"


@attrs.define(eq=False)
class SecretFoundError(ReminisceError):
    """What is to be kept holds a secret. Nothing was written."""

    findings: tuple[Finding, ...]
    """At least one, in the order of the arguments."""

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(finding.field for finding in self.findings))

    def __str__(self) -> str:
        told = dict.fromkeys(
            f"{finding.field}: holds what looks like a secret ({finding.rule})" for finding in self.findings
        )
        return "; ".join(told) + "; keep it in a vault, and here only where it is"


@attrs.define(eq=False)
class GuardFailedError(ReminisceError):
    """The guard against secrets raised, hung or could not be loaded. Nothing was written."""

    problem: str
    """Which of these, as a clause; never what it said."""

    def __str__(self) -> str:
        return f"the guard against secrets cannot look: {self.problem}; nothing was written"


@attrs.define(eq=False)
class PolicyRefusedError(ReminisceError):
    """The host's policy does not want this kept. Nothing was written."""

    policy_code: str
    """What the policy answered."""

    field: str = "content"

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def __str__(self) -> str:
        return f"{self.field}: the policy of this memory refuses to keep it: {self.policy_code}"


@attrs.define(eq=False)
class PolicyFailedError(ReminisceError):
    """The host's policy raised, hung, answered what is no verdict, or could not be loaded. Nothing was written."""

    problem: str
    """Which of these, as a clause; never what the policy said."""

    def __str__(self) -> str:
        return f"the policy of this memory cannot be asked: {self.problem}; nothing was written"


@attrs.define(eq=False)
class ReviewerError(ReminisceError):
    """A review needs somebody who answers for it: whom the memory names, else whom the face was started for."""

    @property
    def fields(self) -> tuple[str, ...]:
        return ("reviewer",)

    def __str__(self) -> str:
        return "reviewer: this memory names another, or this face was started for none"


@attrs.define(eq=False)
class ConsentNarrowedError(ReminisceError):
    """A subject has taken back a consent since the memory was held: approving it may not be what the subject wants."""

    @property
    def fields(self) -> tuple[str, ...]:
        return ("key",)

    def __str__(self) -> str:
        return "key: a subject has taken back a consent while the memory waited; reject it, or confirm the approval"


@attrs.define(eq=False)
class SubjectWithdrawnError(ReminisceError):
    """A subject's words were withdrawn, or are being. Nothing is written about it until a consent opens it again."""

    field: str = "subjects"

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)

    def __str__(self) -> str:
        return f"{self.field}: the words of a subject were withdrawn; a new consent, once that is done, opens it again"


@attrs.define(eq=False)
class ErasureIncompleteError(ReminisceError):
    """An erasure stopped on its way. What is done stays done; running it again finishes it."""

    done: int
    """Memories whose words this call erased."""

    cause: str
    """The `code` of what stopped it."""

    def __str__(self) -> str:
        return f"the erasure stopped after {self.done} memories ({self.cause}); run it again to finish it"


@attrs.define(eq=False)
class CursorExpiredError(ReminisceError):
    """What the earlier pages stood on has changed: an erasure, a consent or another store. Start anew."""

    @property
    def fields(self) -> tuple[str, ...]:
        return ("cursor",)

    def __str__(self) -> str:
        return "cursor: an erasure, a consent or the store itself changed since the first page; recall again without it"


@attrs.define(eq=False)
class OwnerIsFixedError(ReminisceError):
    """A face serves one owner, fixed when it starts; a call may not name one."""

    @property
    def fields(self) -> tuple[str, ...]:
        return ("owner",)

    def __str__(self) -> str:
        return "owner: fixed when this server was started; leave it out"


@attrs.define(eq=False)
class ConfigurationError(ReminisceError):
    """A setting cannot be used, or something it needs is not installed."""

    setting: str
    problem: str

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.setting,)

    def __str__(self) -> str:
        return f"{self.setting}: {self.problem}"


@attrs.define(eq=False)
class InternalError(ReminisceError):
    """A fault of ours. The face that met it goes on; details are in the log of the process, never in the answer."""

    def __str__(self) -> str:
        return "internal error: this is a fault in reminisce; the log of the process has the details"


@attrs.define(eq=False)
class SealError(ReminisceError):
    """Something sealed cannot be opened. Nothing of it may be used."""

    detail: str = ""
    """What was found and what to do, as a clause. May name a place, never content."""

    summary: ClassVar[str] = "this cannot be opened"

    def __str__(self) -> str:
        return f"{self.summary}: {self.detail}" if self.detail else self.summary


@attrs.define(eq=False)
class SealBrokenError(SealError):
    """Wrong key or passphrase, or damage: what is authenticated cannot tell the two apart."""

    summary: ClassVar[str] = "wrong key or passphrase, or it is damaged"


@attrs.define(eq=False)
class SealCutError(SealError):
    """It ends before its end."""

    summary: ClassVar[str] = "a part is missing at its end"


@attrs.define(eq=False)
class SealTooNewError(SealError):
    """It was sealed in a form that this version does not know. Nothing was tried."""

    summary: ClassVar[str] = "sealed by a newer reminisce"


@attrs.define(eq=False)
class SealUnknownError(SealError):
    """It does not begin as what reminisce seals does."""

    summary: ClassVar[str] = "not something that reminisce sealed"


@attrs.define(eq=False)
class BackupError(ReminisceError):
    """A backup cannot be brought in. Nothing of it was."""

    summary: ClassVar[str] = "this backup cannot be used"

    def __str__(self) -> str:
        return self.summary


@attrs.define(eq=False)
class BackupUnknownError(BackupError):
    """It does not begin as a backup does. A sealed one has to be unsealed."""

    summary: ClassVar[str] = "not a backup of reminisce; what was sealed is brought in by unseal"


@attrs.define(eq=False)
class BackupTooNewError(BackupError):
    """It was written in a format that this version does not know."""

    summary: ClassVar[str] = "written by a newer reminisce"


@attrs.define(eq=False)
class BackupDamagedError(BackupError):
    """It is not, byte for byte, what was written."""

    line: int
    """The first line that is not as it was, from 1. Where only the digest tells, the last."""

    def __str__(self) -> str:
        return f"the backup is damaged or cut: line {self.line} is not as it was written"


@attrs.define(eq=False)
class OwnersThereError(BackupError):
    """The store holds owners or subjects of this backup already: a restore would mix two lives."""

    summary: ClassVar[str] = (
        "the store holds owners or subjects of this backup already; restore into another, or import_ it"
    )


@attrs.define(eq=False)
class StoreError(ReminisceError):
    """The store could not do what was asked."""

    detail: str = ""
    """What was found and what to do, as a sentence. May name the store's place, never its content."""

    summary: ClassVar[str] = "the store could not do this"

    def __str__(self) -> str:
        return f"{self.summary}: {self.detail}" if self.detail else self.summary


@attrs.define(eq=False)
class StoreUnavailableError(StoreError):
    """Busy or out of reach. Trying again may work; the only family that says so."""

    summary: ClassVar[str] = "the store is busy or out of reach; try again"


@attrs.define(eq=False)
class ConflictError(StoreUnavailableError):
    """A fence moved between reading and writing, more often than the service was willing to try."""

    summary: ClassVar[str] = "other writers kept changing what this write stands on; try again"


@attrs.define(eq=False)
class StoreClosedError(StoreError):
    """The store was closed before this call: a programming mistake of the caller."""

    summary: ClassVar[str] = "the store is closed"


@attrs.define(eq=False)
class StoreMissingError(StoreError):
    """There is no store, and the call was not allowed to make one."""

    summary: ClassVar[str] = "there is no store here"


@attrs.define(eq=False)
class StoreUnreadableError(StoreError):
    """The file cannot be opened or is no store of ours. It was not changed."""

    summary: ClassVar[str] = "the store cannot be read"


@attrs.define(eq=False)
class StoreDamagedError(StoreError):
    """Wrong key, or damage: authenticated pages cannot tell the two apart on the first page. The file was not changed."""

    summary: ClassVar[str] = "wrong key, or the store is damaged"


@attrs.define(eq=False)
class StoreTooNewError(StoreError):
    """The store's format is newer than this version of reminisce. It was not changed."""

    summary: ClassVar[str] = "the store was made by a newer reminisce"


@attrs.define(eq=False)
class StoreHalfRestoredError(StoreError):
    """A restore or copy into the store has not ended. Until the same one is run again and ends, nothing else may use it."""

    summary: ClassVar[str] = "a restore into this store has not ended; run the same one again to finish it"


@attrs.define(eq=False)
class StoreFullError(StoreError):
    """No room on the device. The write did not happen."""

    summary: ClassVar[str] = "there is no room left for the store"


@attrs.define(eq=False)
class KeyMissingError(StoreError):
    """The store is there and encrypted, but its key is not. Nothing was made or changed."""

    summary: ClassVar[str] = "the store's key is missing"


_OF_ONE_FIELD = (
    NotFoundError, KeyTakenError, RequestKeyTakenError, StatusError, PolicyRefusedError, SubjectWithdrawnError,
)  # fmt: skip


@attrs.define(eq=False)
class KeyringMissingError(StoreError):
    """There is no keyring where one was looked for. None was made."""

    summary: ClassVar[str] = "the keyring is missing"


@attrs.define(eq=False)
class RecoveryKeyMissingError(StoreError):
    """The key that the keyring is sealed under is not there. None was made."""

    summary: ClassVar[str] = "the recovery key is missing"


def at_line(error: ReminisceError, line: int) -> ReminisceError:
    """
    The same refusal, its fields named as the batch's: ``[line].field``, *line* counted from 0.

    Errors without a `field` come back as they are.
    """
    if isinstance(error, InvalidError):
        return InvalidError(
            tuple(attrs.evolve(problem, field=f"[{line}].{problem.field}") for problem in error.problems)
        )
    if isinstance(error, SecretFoundError):
        return SecretFoundError(tuple(attrs.evolve(found, field=f"[{line}].{found.field}") for found in error.findings))
    if isinstance(error, _OF_ONE_FIELD):
        return attrs.evolve(error, field=f"[{line}].{error.field}")
    return error
