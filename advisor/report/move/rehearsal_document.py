"""What does the JSON report of `advisor move` say of servers on which the move was rehearsed?"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.model.move.rehearsal import Rehearsal


@dataclass(frozen=True, slots=True)
class RehearsedRate:
    """Transactions per second of each run, and new to old with its 95 % interval; None where it is not known."""

    workload: str
    threads: int
    seconds: float
    old: list[float]
    new: list[float]
    ratio: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class RehearsedReplication:
    """Whether the new release replicated from the old one; `alike` None: it did not come to that."""

    tried: bool
    transactions: int
    alike: bool | None
    seconds: float
    why: str


@dataclass(frozen=True, slots=True)
class DifferingVariable:
    """A variable that both servers show, differently."""

    name: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class LineLeftOut:
    """A line that the lab could not take as it is."""

    line: str
    why: str


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """Both releases in the lab. `refusal`: why one did not start, "" if both did."""

    old: str
    new: str
    started: bool
    refusal: str
    rate: RehearsedRate | None
    replication: RehearsedReplication | None
    variables: list[DifferingVariable]
    left_out: list[LineLeftOut]
    notes: list[str]


def rehearsal_document(done: Rehearsal) -> Rehearsed:
    """The rehearsal as the JSON report has it."""
    trial, ratio = done.replication, done.ratio
    rate = None
    if ratio is not None:
        old, new = list(done.rates_old), list(done.rates_new)
        rate = RehearsedRate(done.workload, done.threads, done.seconds, old, new, ratio.mid, ratio.low, ratio.high)
    replication = None
    if trial is not None:
        replication = RehearsedReplication(trial.tried, trial.transactions, trial.alike, trial.seconds, trial.why)
    return Rehearsed(
        old=done.old,
        new=done.new,
        started=done.started,
        refusal=done.refusal,
        rate=rate,
        replication=replication,
        variables=[DifferingVariable(*found) for found in done.variables],
        left_out=[LineLeftOut(each.text, each.why) for each in done.left_out],
        notes=list(done.notes),
    )
