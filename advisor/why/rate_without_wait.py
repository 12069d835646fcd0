"""At which rate would these clients commit without the wait that a cause makes? From the wait profile and CPU times.

What is left of a transaction is its other waits, and CPU time that queues for the CPUs as the rate rises. Whether the
CPU time that is used now goes with the cause is not known: a table that is being copied uses much, a network none. So
there are two rates: one where all of it stays, one where only that of the clients' own sessions does.
"""

from __future__ import annotations

from typing import Final

from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Threads
from advisor.why.explained_time import ExplainedTime
from advisor.why.profile.profiles import known_profiles
from advisor.why.queueing import Work, throughput

_LEAST: Final = 0.1  # of the time: less, and removing it changes nothing that could be measured
_LEAST_REST: Final = 0.02  # of the time that is left: a share is not known more exactly
_CPU: Final = ("on_cpu", "ready")
_BETWEEN: Final = "client_time"
_NAMES: Final = (
    *("processor_ms_per_transaction", "session_ms_per_transaction", "processors_to_be_had", "writing_clients"),
    *("cold_processors_factor", "observed_or_measured_per_second", "client_ms"),
)


def rates_without(view: MemberFacts, time: ExplainedTime) -> tuple[float, float] | None:
    """The lower and the higher rate per second; None where they are not known, or little of the time is explained."""
    profile = next((each for each in known_profiles(view) if each.group is Threads.WRITERS), None)
    known = [_number(view, f"fact.{name}") for name in _NAMES]
    if profile is None or time.group is not Threads.WRITERS or time.share < _LEAST or not all(known):
        return None
    cpu_ms, session_ms, cpus, clients, cold, rate, client_ms = (value or 0.0 for value in known)
    between = profile.share(_BETWEEN)
    waits = max(_LEAST_REST, 1.0 - time.share - between - sum(profile.share(name) for name in _CPU))
    own_ms = profile.share(_CPU[0]) * client_ms / cold  # of sessions that do not make the wait themselves
    rates = [
        throughput(clients, cpus, Work(each, min(each, own), waits * client_ms, between * client_ms / cold, cold))
        for each, own in ((cpu_ms, session_ms), (own_ms * cpu_ms / max(session_ms, own_ms), own_ms))
    ]
    return max(rate, min(rates)), max(rates)


def _number(view: MemberFacts, name: str) -> float | None:
    value = view.value(name)
    return float(value) if not isinstance(value, Missing) and isinstance(value, int | float) else None
