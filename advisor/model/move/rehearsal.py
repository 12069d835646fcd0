"""What a move showed when it was rehearsed on real servers."""

from __future__ import annotations

from advisor.model.measurement import Interval
from advisor.model.record import record


@record
class LeftOut:
    """A line of the option files that the lab could not take as it is: its text, and why or what was taken instead."""

    text: str
    why: str


@record
class ReplicationTrial:
    """Whether the new release replicated from the old one.

    `transactions` were written on the old server; `alike` says whether both had the same rows afterwards, None where it
    did not come to that. `why` is what a server said, or why it was not tried.
    """

    tried: bool
    transactions: int = 0
    alike: bool | None = None
    seconds: float = 0.0
    why: str = ""


@record
class Rehearsal:
    """Two servers of the lab under the same load, in alternating runs.

    `old`, `new`: the programs ("mysql-9.7.4"). `rates_old`, `rates_new`: transactions per second of each run; `ratio`
    is new to old over the pairs, with its 95 % interval, None without runs. `variables`: (name, old, new) of what the
    servers show to differ in effect. `started`: whether both came up; `refusal` what the one said that did not.
    """

    old: str
    new: str
    started: bool
    workload: str = ""
    threads: int = 0
    seconds: float = 0.0
    rates_old: tuple[float, ...] = ()
    rates_new: tuple[float, ...] = ()
    ratio: Interval | None = None
    replication: ReplicationTrial | None = None
    variables: tuple[tuple[str, str, str], ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    refusal: str = ""
    notes: tuple[str, ...] = ()
