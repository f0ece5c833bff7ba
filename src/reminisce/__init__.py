"""
A memory that people can trust, for AI agents.

    >>> from reminisce import open_memory
    >>> with open_memory(":memory:") as memories:
    ...     alice = memories.owner("agent:alice")
    ...     kept = alice.remember("The deploy key rotates on the first Monday of the month.", sources=["doc:runbook"])
    ...     [hit.memory.content for hit in alice.recall("when does the key rotate")]
    ['The deploy key rotates on the first Monday of the month.']
"""

from reminisce.app.service.core import Face
from reminisce.app.service.memories import Memories
from reminisce.app.service.owner import Owner
from reminisce.app.wiring import guard, open_memory, rekey
from reminisce.domain.answers import (
    Bundle,
    Cleared,
    Diagnosis,
    Dropped,
    Explanation,
    Hit,
    Item,
    Line,
    Noted,
    Queue,
    Recalled,
    Rekeyed,
    RememberedMany,
    Stats,
    Waiting,
)
from reminisce.domain.backups import BackedUp, Copied, Restored
from reminisce.domain.beliefs import Outcome
from reminisce.domain.believed import Belief, Beliefs
from reminisce.domain.keyring import Keyring
from reminisce.domain.memory import Attributes, Cause, Erased, Fact, Memory
from reminisce.domain.moved import Bad, Exported, Imported
from reminisce.domain.planning.believe import Believed, Disbelieved
from reminisce.domain.planning.consent import Consented
from reminisce.domain.planning.fading import Consolidated, Pruned
from reminisce.domain.planning.forget import Forgotten, Reinstated
from reminisce.domain.planning.linking import Linked, Resolved
from reminisce.domain.planning.reclassify import Reclassified
from reminisce.domain.planning.reinforce import Reinforced
from reminisce.domain.planning.remember import Remembered
from reminisce.domain.planning.review import Reviewed
from reminisce.domain.policy import Allow, Hold, Refuse
from reminisce.domain.provenance import Ancestor, Association, Contradiction, Why
from reminisce.domain.receipts import Receipt, Scrubbed
from reminisce.domain.records import Event
from reminisce.domain.retention import retention
from reminisce.domain.values import Basis, Destination, Status, Tier
from reminisce.errors import (
    BackupDamagedError,
    BackupError,
    BackupTooNewError,
    BackupUnknownError,
    ConfigurationError,
    ConflictError,
    ConsentNarrowedError,
    CursorExpiredError,
    ErasureIncompleteError,
    Finding,
    GuardFailedError,
    InternalError,
    InvalidError,
    KeyMissingError,
    KeyringMissingError,
    KeyTakenError,
    NotFoundError,
    OwnerIsFixedError,
    OwnersThereError,
    PolicyFailedError,
    PolicyRefusedError,
    Problem,
    RecoveryKeyMissingError,
    ReminisceError,
    RequestKeyTakenError,
    ReviewerError,
    SealBrokenError,
    SealCutError,
    SealError,
    SealTooNewError,
    SealUnknownError,
    SecretFoundError,
    StatusError,
    StoreClosedError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreHalfRestoredError,
    StoreMissingError,
    StoreTooNewError,
    StoreUnavailableError,
    StoreUnreadableError,
    SubjectWithdrawnError,
)
from reminisce.ports.analyser import Analyser
from reminisce.ports.cipher import Cipher
from reminisce.ports.clock import Clock
from reminisce.ports.files import Files
from reminisce.ports.identifiers import Identifiers
from reminisce.ports.policy import Policy
from reminisce.ports.store import Store, View

__version__ = "0.1.0"

__all__ = [
    "Allow",
    "Analyser",
    "Ancestor",
    "Association",
    "Attributes",
    "BackedUp",
    "BackupDamagedError",
    "BackupError",
    "BackupTooNewError",
    "BackupUnknownError",
    "Bad",
    "Basis",
    "Belief",
    "Beliefs",
    "Believed",
    "Bundle",
    "Cause",
    "Cipher",
    "Cleared",
    "Clock",
    "ConfigurationError",
    "ConflictError",
    "ConsentNarrowedError",
    "Consented",
    "Consolidated",
    "Contradiction",
    "Copied",
    "CursorExpiredError",
    "Destination",
    "Diagnosis",
    "Disbelieved",
    "Dropped",
    "Erased",
    "ErasureIncompleteError",
    "Event",
    "Explanation",
    "Exported",
    "Face",
    "Fact",
    "Files",
    "Finding",
    "Forgotten",
    "GuardFailedError",
    "Hit",
    "Hold",
    "Identifiers",
    "Imported",
    "InternalError",
    "InvalidError",
    "Item",
    "KeyMissingError",
    "KeyTakenError",
    "Keyring",
    "KeyringMissingError",
    "Line",
    "Linked",
    "Memories",
    "Memory",
    "NotFoundError",
    "Noted",
    "Outcome",
    "Owner",
    "OwnerIsFixedError",
    "OwnersThereError",
    "Policy",
    "PolicyFailedError",
    "PolicyRefusedError",
    "Problem",
    "Pruned",
    "Queue",
    "Recalled",
    "Receipt",
    "Reclassified",
    "RecoveryKeyMissingError",
    "Refuse",
    "Reinforced",
    "Reinstated",
    "Rekeyed",
    "Remembered",
    "RememberedMany",
    "ReminisceError",
    "RequestKeyTakenError",
    "Resolved",
    "Restored",
    "Reviewed",
    "ReviewerError",
    "Scrubbed",
    "SealBrokenError",
    "SealCutError",
    "SealError",
    "SealTooNewError",
    "SealUnknownError",
    "SecretFoundError",
    "Stats",
    "Status",
    "StatusError",
    "Store",
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
    "Tier",
    "View",
    "Waiting",
    "Why",
    "guard",
    "open_memory",
    "rekey",
    "retention",
]
