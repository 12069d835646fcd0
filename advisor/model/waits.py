"""What may a thread of the server wait for? The classes of waits, and where the time of a group of threads went."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from advisor.model.record import field, record

UNEXPLAINED: Final = "unexplained"  # the class of what no other class claims


class WaitGroup(StrEnum):
    """What kind of thing a class of waits is about."""

    CPU = "cpu"
    LOCK = "lock"
    ENGINE = "engine"
    LOG = "log"
    REPLICATION = "replication"
    NETWORK = "network"
    CLIENT = "client"
    APPLIER = "applier"
    UNEXPLAINED = "unexplained"


class Threads(StrEnum):
    """A group of threads of one member whose time is looked at together."""

    WRITERS = "writers"  # sessions of clients, on a member that takes writes
    CLIENTS = "clients"  # sessions of clients elsewhere
    APPLIERS = "appliers"  # workers, or the one thread that applies
    COORDINATOR = "coordinator"  # hands transactions to workers
    RECEIVER = "receiver"
    DUMP = "dump"  # sends the binary log to a replica


@record
class Signature:
    """By what a thread in a class is recognised: how one of these words begins, in lower case.

    `trx` words may stand anywhere in InnoDB's word. Only threads of these `kinds` and in these `statements` (of all,
    when empty), only in a coarse class (`inside`), and only where the condition `when` holds; its tree is `tree`.
    """

    commands: tuple[str, ...] = ()
    trx: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    os: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    wchan: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    inside: str = ""
    when: str = ""
    tree: list[object] = field(default_factory=list)


@record
class Measured:
    """A fact that measures a class's share of the time of the threads `of`, and the coarse classes that it hides in."""

    fact: str
    of: Threads
    hides_in: tuple[str, ...]


@record
class WaitClass:
    """One thing that takes a thread's time. Classes exclude each other.

    `coarse`: the state says where a thread is, not what it waits for; better evidence comes first. `follows`: who waits
    here waits for another thread's step, the leader's; `leads`: a step that others wait for. `before_cpu`: what a
    thread does says more than that it uses a CPU for it. `unexplained`: counts as not explained.
    """

    id: str
    title: str
    group: WaitGroup
    signatures: tuple[Signature, ...]
    source: tuple[str, ...]
    measured: tuple[Measured, ...] = ()
    coarse: bool = False
    follows: bool = False
    leads: bool = False
    before_cpu: bool = False
    unexplained: bool = False
    file: str = ""


@record
class ClassShare:
    """The share of a group's time in one class, and the words in which it was seen most often."""

    wait_class: str
    title: str
    share: float
    words: tuple[str, ...] = ()


@record
class ThreadProfile:
    """Where the wall time of a group of threads of one member went.

    `threads`: their number on average; `samples`: how often they were looked at. The shares are in descending order and
    sum to 1; `unexplained` is the part of them that no evidence explains.
    """

    member: str
    group: Threads
    threads: float
    samples: int
    shares: tuple[ClassShare, ...]
    unexplained: float

    def share(self, wait_class: str) -> float:
        """The share of one class; 0 where it was not seen."""
        return sum(each.share for each in self.shares if each.wait_class == wait_class)
