"""How many transactions per second do so many clients reach, with these waits and this work for the processors?

Mean value analysis of a closed network: one station that is the processors, and time in which a client waits for
something else. Several processors are one as fast as all of them, and a fixed time for the rest (Seidmann's
approximation). https://en.wikipedia.org/wiki/Mean_value_analysis
"""

from __future__ import annotations

from typing import Final

from advisor.model.record import record

COLD: Final = 1.3
_ROUNDS: Final = 30


@record
class Work:
    """One transaction: processor time of all who work for it, and of its own session (ms), on busy processors.

    `waits_ms`: time in which its client waits for anything but processors. `unsteady_ms`: such time that is wake-ups
    and work in other places, which shrinks like processor time where all is busy.
    """

    processors_ms: float
    session_ms: float
    waits_ms: float
    unsteady_ms: float = 0.0


def cold_factor(busy: float) -> float:
    """How much longer a transaction runs where processors are busy for this share of the time only.

    Caches are cold and threads must be woken. Updates by key took 2.3 times the processor time at a twentieth of what
    two processors could do that they took when these were busy (MySQL 9.7: 0.46 and 0.20 ms, MariaDB 10.11: 0.30 and
    0.13 ms), 2.0 times at a quarter; in between it is about even.
    """
    return 1.0 + COLD * (1.0 - min(1.0, max(0.0, busy)))


def throughput(clients: float, processors: float, work: Work) -> float:
    """Transactions per second; the processor time of one follows from how busy the processors then are."""
    most = processors * 1000 / work.processors_ms if work.processors_ms else float("inf")
    rate = _rate(clients, processors, work, 1.0)
    for _ in range(_ROUNDS):
        rate = (rate + _rate(clients, processors, work, cold_factor(rate / most))) / 2
    return rate


def _rate(clients: float, processors: float, work: Work, cold: float) -> float:
    """The exact recursion over whole clients."""
    at_station = work.processors_ms * cold / processors
    elsewhere = work.waits_ms + cold * (work.unsteady_ms + work.session_ms * (1 - 1 / processors))
    waiting, rate = 0.0, 0.0
    for number in range(1, max(1, round(clients)) + 1):
        inside = at_station * (1 + waiting)
        rate = number / (elsewhere + inside) if elsewhere + inside else 0.0
        waiting = rate * inside
    return rate * 1000
