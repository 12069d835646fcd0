"""What is a class of waits made of? The records that the files of rules/waits/ become."""

from __future__ import annotations

from advisor.model.diagnosis import Threads, WaitGroup
from advisor.model.record import field, record


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
    thread does says more than that it uses a CPU for it. `unexplained`: counts as not explained. `queue`: who waits
    here waits for a thread of the same group, whose time shows what the wait is made of.
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
    queue: bool = False
    file: str = ""
