"""
What a store must do: an id for each sentence of the ports, as it stands there.

Ids are what tests of the suite name, and what a `StoreCase` names that lacks something.
"""

from types import ModuleType
from typing import Final, NamedTuple

from reminisce.domain import changes, snapshot, state
from reminisce.ports import store

__all__ = ["REQUIREMENTS", "Requirement"]


class Requirement(NamedTuple):
    """One promise."""

    sentence: str
    """Word for word as in the source, but for line ends."""

    source: ModuleType


REQUIREMENTS: Final = {
    "close.waits": Requirement("Let go of everything held. Waits for views that are open in other threads.", store),
    "commit.conflict": Requirement(
        "A fence stands elsewhere than the commit needs, or a name that must be free is taken.", store
    ),
    "commit.once": Requirement("The same id twice is the same commit once.", store),
    "commit.order": Requirement("In the order in which they take effect.", changes),
    "commit.survives": Requirement(
        "once it has returned it survives the death of the process (durable stores).", store
    ),
    "commit.whole": Requirement("A commit happens whole or not at all", store),
    "commit.within": Requirement("the commit stands when that view closes without an error.", store),
    "fences.exclusive": Requirement(
        "Two commits that advance the same fence cannot both succeed from the same value; any number may require one at"
        " once; none that requires a fence succeeds together with one that advances it.",
        store,
    ),
    "fields.set": Requirement("Change what is in force of a memory that is there.", changes),
    "keys.destroy": Requirement(
        "Remove the key of a subject, if it has one. Its id stays known as destroyed, without the subject.", changes
    ),
    "keys.put": Requirement("Add the key of a subject that has none. No key ever had its id.", changes),
    "links.drop": Requirement("Remove a link, in force or ended, as if it had never been.", changes),
    "links.end": Requirement("End a link that is in force. It stays, for the past's sake.", changes),
    "memory.erase": Requirement(
        "With the words go all that stores made of them: digest, request key, citations, facts, and the reasons in its"
        " history.",
        changes,
    ),
    "pieces.drop": Requirement(
        "Remove pieces of an owner's index: those of the given numbers, or all that are there when the commit happens.",
        changes,
    ),
    "snapshot.about": Requirement(
        "At most *limit* (owner, key) of memories about the subject, in that order, those after *after* only.", snapshot
    ),
    "snapshot.absent": Requirement(
        "What is absent is absent from the mapping, never None and never an error.", snapshot
    ),
    "snapshot.after": Requirement("those whose (revision, ordinal) is above *after* only.", snapshot),
    "snapshot.citing": Requirement(
        "For each source the keys of the owner's memories that cite it, in canonical order.", snapshot
    ),
    "snapshot.committed": Requirement("Whether a commit of that id is part of this state.", snapshot),
    "snapshot.covered": Requirement(
        "The owner's revision that its saved index reaches; 0 when nothing is saved.", snapshot
    ),
    "snapshot.facts_since": Requirement("With *since* those only that are active, or did not end before it.", snapshot),
    "snapshot.in_order": Requirement("As `records`, the memories alone.", snapshot),
    "snapshot.outlines": Requirement("As `memories`, what a walk reads of each.", snapshot),
    "snapshot.facts": Requirement(
        "The owner's memories with facts of the subject, whatever their status, in canonical order; those of one"
        " *attribute*, or of that and one folded *value*, only.",
        snapshot,
    ),
    "snapshot.fences": Requirement("Where each fence stands; 0 for one never advanced.", snapshot),
    "snapshot.head": Requirement("Where the owner stands.", snapshot),
    "snapshot.history": Requirement("For each key its events, oldest first.", snapshot),
    "snapshot.holders": Requirement(
        "For each digest the keys of all memories that hold it, whatever their status, in canonical order.", snapshot
    ),
    "snapshot.incarnation": Requirement("The store's random name for this life of it: 32 hexadecimal digits", snapshot),
    "snapshot.instant": Requirement("every answer comes from the same instant.", snapshot),
    "snapshot.keyring": Requirement(
        "Every key there is, by id; and the ids of those that were destroyed, sorted.", snapshot
    ),
    "snapshot.links": Requirement(
        "For each key the links it is a member of, ended ones too, by revision and then name; those of *kinds* only.",
        snapshot,
    ),
    "snapshot.log": Requirement("The owner's commits after revision *since*, in order.", snapshot),
    "snapshot.memories": Requirement("The owner's memories of those keys, whatever their status.", snapshot),
    "snapshot.nothing": Requirement("Asking for nothing answers nothing.", snapshot),
    "snapshot.owners": Requirement("Every owner that ever committed, sorted by UTF-8 bytes.", snapshot),
    "snapshot.pieces": Requirement("The owner's saved index, by number.", snapshot),
    "snapshot.records": Requirement(
        "The owner's memories in canonical order, memory bounded, whatever their status;", snapshot
    ),
    "snapshot.requests": Requirement("For each request key the key of the memory it made.", snapshot),
    "snapshot.revision-at": Requirement(
        "The owner's last revision whose commit time is not after *time*; 0 before the first.", snapshot
    ),
    "snapshot.subject-keys": Requirement("For each subject that has one, its key.", snapshot),
    "snapshot.all-links": Requirement(
        "The owner's links, ended ones too, by the bytes of their names, memory bounded.", snapshot
    ),
    "snapshot.all-subjects": Requirement("Every subject, by the bytes of its reference, memory bounded.", snapshot),
    "snapshot.subjects": Requirement("The subjects of those references.", snapshot),
    "snapshot.ties": Requirement(
        "For each key its links of *kind* between two roles in which it plays *role*, ended ones too, by the other key.",
        snapshot,
    ),
    "snapshot.twice": Requirement("Names asked for twice count once.", snapshot),
    "snapshot.valued": Requirement(
        "For each attribute that a fact of the owner uses, whether it holds many values.", snapshot
    ),
    "store.check": Requirement("What is wrong with the store, a sentence each; empty when nothing is.", store),
    "store.closed": Requirement(
        "After `close` every call raises `StoreClosedError`; closing twice closes once.", store
    ),
    "store.errors": Requirement(
        "Whatever fails is an error of the `StoreError` family, never an empty answer, and nothing of it was done.",
        store,
    ),
    "store.model": Requirement(
        "The in-memory store is this behind a lock, and every other store is tested against it.", state
    ),
    "store.remnants": Requirement(
        "What may be left of erased words until a `scrub`, a sentence each; empty where nothing ever is.", store
    ),
    "store.scrub": Requirement(
        "Leave nothing of erased words in anything the store keeps. Readers go on; writers wait.", store
    ),
    "store.setup": Requirement("Make the store ready, or check that it is. Setting up twice changes nothing.", store),
    "store.threads": Requirement(
        "Any number of threads may use one store; durable stores, any number of processes.", store
    ),
    "subjects.drop": Requirement("Remove a subject and its fence.", changes),
    "subjects.put": Requirement("Add a subject, or replace the one of that reference.", changes),
    "view.for-writing": Requirement(
        "Fences that nobody else may advance while the view is open, so that a commit given ``within`` it cannot lose a"
        " race.",
        store,
    ),
    "view.ordinary": Requirement("an ordinary view, which blocks nobody and is blocked by nobody.", store),
    "view.still": Requirement(
        "A view never changes while it is open, whatever others commit. A view opened after a commit returned shows it.",
        store,
    ),
}
