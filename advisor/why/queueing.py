"""How many transactions per second do so many clients reach, with these waits and this work for the processors?

A closed network: one station that is the processors, and time in which a client waits for something else. Mean value
analysis takes the work of a transaction for as uneven as chance makes it; were it always the same, nobody would wait
before all processors are busy. The truth lies between, and the middle is told. Several processors are one as fast as
all of them, and a fixed time for the rest (Seidmann's approximation).
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
    """One transaction: processor time of all who work for it, and of its own session (ms), on busy processors.

    `waits_ms`: time in which its client waits for anything but processors. `unsteady_ms`: such time that is wake-ups
    and work in other places, which shrinks like processor time where all is busy. `coldest`: the factor that cold
    processors cost it now, and no more when there is more to do.
    """

    processors_ms: float
    session_ms: float
    waits_ms: float
    unsteady_ms: float = 0.0
    coldest: float = COLDEST


def cold_factor(busy: float) -> float:
    """How much longer a transaction runs where the processors its clients can use are busy for this share of the time.

    Caches are cold and threads must be woken, the more so the longer a processor did something else or nothing: half as
    long again for each e-fold of it. Sessions that update by key (8 measured states, two processors) took 1.7 times as
    long at a share of 0.21 and 0.26, 2.3 to 2.8 times at 0.08 to 0.12, and 2.8 times at 0.02 and 0.01.
    """
    return min(COLDEST, 1.0 - COLD * log(min(1.0, max(busy, _HARDLY))))


def throughput(clients: float, processors: float, work: Work) -> float:
    """Transactions per second; the processor time of one follows from how busy the processors then are."""
    return (_settled(_uneven, clients, processors, work) + _settled(_even, clients, processors, work)) / 2


def _settled(rate_of: _Rate, clients: float, processors: float, work: Work) -> float:
    """Between the rate on warm processors and that at which they are as busy as its own cost of a transaction supposes.

    Few clients that wait for nothing else stay cold or get warm by little, so neither alone is likely.
    """
    used = min(processors, max(1.0, clients))  # one client keeps one warm
    rate = warm = rate_of(clients, processors, work, 1.0)
    for _ in range(_ROUNDS):
        busy = rate * work.processors_ms / 1000 / used
        rate = (rate + rate_of(clients, processors, work, min(work.coldest, cold_factor(busy)))) / 2
    return (rate + warm) / 2


def _uneven(clients: float, processors: float, work: Work, cold: float) -> float:
    """Mean value analysis: the exact recursion over whole clients."""
    at_station, elsewhere = _times(processors, work, cold)
    waiting, rate = 0.0, 0.0
    for number in range(1, max(1, round(clients)) + 1):
        inside = at_station * (1 + waiting)
        rate = number / (elsewhere + inside) if elsewhere + inside else 0.0
        waiting = rate * inside
    return rate * 1000


def _even(clients: float, processors: float, work: Work, cold: float) -> float:
    """The asymptotic bounds: either nobody waits for a processor, or all processors are busy."""
    at_station, elsewhere = _times(processors, work, cold)
    alone = elsewhere + at_station
    return 1000 * min(max(1.0, clients) / alone, 1 / at_station if at_station else float("inf")) if alone else 0.0


def _times(processors: float, work: Work, cold: float) -> tuple[float, float]:
    """Milliseconds of one transaction at the station, and elsewhere."""
    elsewhere = work.waits_ms + cold * (work.unsteady_ms + work.session_ms * (1 - 1 / processors))
    return work.processors_ms * cold / processors, elsewhere
