"""How many transactions per second do so many clients reach, given their waits and the CPU time of a transaction?

A closed queueing network: one station for the CPUs, and time in which a client waits for something else. Mean value
analysis assumes exponentially distributed CPU times; with constant ones nobody would wait before all CPUs are busy.
The truth lies between, so the result is the mean of both. Several CPUs are treated as one that is as fast as all of
them, plus a fixed delay (Seidmann's approximation).
https://en.wikipedia.org/wiki/Mean_value_analysis
"""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Final

from advisor.model.record import record

COLD: Final = 0.5
COLDEST: Final = 3.0
_HARDLY: Final = 1e-3
_ROUNDS: Final = 30
_Rate = Callable[[float, float, "Work", float], float]


@record
class Work:
    """One transaction: the CPU time of everything that works for it, and of its own session (ms), on busy CPUs.

    `waits_ms`: time in which its client waits for anything but a CPU. `unsteady_ms`: such time that is wake-ups and
    work elsewhere, and shrinks like CPU time when the CPUs are busy. `coldest`: the factor that cold CPUs cost it now;
    more load does not raise it.
    """

    cpu_ms: float
    session_ms: float
    waits_ms: float
    unsteady_ms: float = 0.0
    coldest: float = COLDEST


def cold_factor(busy: float) -> float:
    """How much longer a transaction runs when the CPUs that its clients can use are busy for this share of the time.

    Caches are cold and threads must be woken up, the more so the longer a CPU was idle or did something else: half as
    long again for each factor e. Sessions that update by key (8 measured states, two CPUs) took 1.7 times as long at a
    share of 0.21 and 0.26, 2.3 to 2.8 times at 0.08 to 0.12, and 2.8 times at 0.02 and 0.01.
    """
    return min(COLDEST, 1.0 - COLD * log(min(1.0, max(busy, _HARDLY))))


def throughput(clients: float, cpus: float, work: Work) -> float:
    """Transactions per second; the CPU time of one depends on how busy the CPUs then are."""
    return (_at_equilibrium(_uneven, clients, cpus, work) + _at_equilibrium(_even, clients, cpus, work)) / 2


def _at_equilibrium(rate_of: _Rate, clients: float, cpus: float, work: Work) -> float:
    """The mean of the rate on warm CPUs and of the rate at which the CPUs are as cold as that rate leaves them.

    A few clients that wait for nothing else may keep the CPUs cold or warm them up, so neither alone is likely.
    """
    used = min(cpus, max(1.0, clients))  # one client keeps one CPU warm
    rate = warm = rate_of(clients, cpus, work, 1.0)
    for _ in range(_ROUNDS):
        busy = rate * work.cpu_ms / 1000 / used
        rate = (rate + rate_of(clients, cpus, work, min(work.coldest, cold_factor(busy)))) / 2
    return (rate + warm) / 2


def _uneven(clients: float, cpus: float, work: Work, cold: float) -> float:
    """Mean value analysis: the exact recursion over whole clients."""
    at_station, elsewhere = _times(cpus, work, cold)
    waiting, rate = 0.0, 0.0
    for number in range(1, max(1, round(clients)) + 1):
        inside = at_station * (1 + waiting)
        rate = number / (elsewhere + inside) if elsewhere + inside else 0.0
        waiting = rate * inside
    return rate * 1000


def _even(clients: float, cpus: float, work: Work, cold: float) -> float:
    """The asymptotic bounds: either nobody waits for a CPU, or all CPUs are busy."""
    at_station, elsewhere = _times(cpus, work, cold)
    alone = elsewhere + at_station
    return 1000 * min(max(1.0, clients) / alone, 1 / at_station if at_station else float("inf")) if alone else 0.0


def _times(cpus: float, work: Work, cold: float) -> tuple[float, float]:
    """Milliseconds of one transaction at the station, and elsewhere."""
    elsewhere = work.waits_ms + cold * (work.unsteady_ms + work.session_ms * (1 - 1 / cpus))
    return work.cpu_ms * cold / cpus, elsewhere
