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
from reminisce.app.wiring import open_memory
from reminisce.domain.answers import Diagnosis, Explanation, Hit, Imported, Line, Recalled, RememberedMany, Stats
from reminisce.domain.memory import Attributes, Memory
from reminisce.domain.planning.consent import Consented
from reminisce.domain.planning.forget import Forgotten, Reinstated
from reminisce.domain.planning.remember import Remembered
from reminisce.domain.provenance import Ancestor, Why
from reminisce.domain.records import Event
from reminisce.domain.values import Basis, Destination, Status, Tier
from reminisce.errors import (
    ConfigurationError,
    ConflictError,
    CursorExpiredError,
    InternalError,
    InvalidError,
    KeyMissingError,
    KeyTakenError,
    NotFoundError,
    OwnerIsFixedError,
    Problem,
    ReminisceError,
    RequestKeyTakenError,
    StatusError,
    StoreClosedError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreMissingError,
    StoreTooNewError,
    StoreUnavailableError,
    StoreUnreadableError,
)
from reminisce.ports.analyser import Analyser
from reminisce.ports.clock import Clock
from reminisce.ports.identifiers import Identifiers
from reminisce.ports.store import Store, View

__version__ = "0.1.0"

__all__ = [
    "Analyser",
    "Ancestor",
    "Attributes",
    "Basis",
    "Clock",
    "ConfigurationError",
    "ConflictError",
    "Consented",
    "CursorExpiredError",
    "Destination",
    "Diagnosis",
    "Event",
    "Explanation",
    "Face",
    "Forgotten",
    "Hit",
    "Identifiers",
    "Imported",
    "InternalError",
    "InvalidError",
    "KeyMissingError",
    "KeyTakenError",
    "Line",
    "Memories",
    "Memory",
    "NotFoundError",
    "Owner",
    "OwnerIsFixedError",
    "Problem",
    "Recalled",
    "Reinstated",
    "Remembered",
    "RememberedMany",
    "ReminisceError",
    "RequestKeyTakenError",
    "Stats",
    "Status",
    "StatusError",
    "Store",
    "StoreClosedError",
    "StoreDamagedError",
    "StoreError",
    "StoreFullError",
    "StoreMissingError",
    "StoreTooNewError",
    "StoreUnavailableError",
    "StoreUnreadableError",
    "Tier",
    "View",
    "Why",
    "open_memory",
]
