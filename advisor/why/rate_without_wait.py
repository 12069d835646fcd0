"""At which rate would these clients commit without the wait that a cause makes? From the wait profile and CPU times.

What is left of a transaction is its other waits, and CPU time that queues for the CPUs as the rate rises. Who only
waits uses no CPU time, so that it all stays, but for that of sessions that are no clients of this load: a report that
holds locks, a table that is being copied. Whether the server's background threads work for these is not known, so there
are two rates.

Where threads that run are a part of what the cause explains, it is not known which of their CPU time goes with it: one
rate is that where all of it stays, one where only that of sessions that were seen to run does.

A cause that makes statements read more than they need takes CPU time itself. Its file says which share stays, which is
known to within a factor of four: so there are three rates.
"""

from __future__ import annotations

from typing import Final

from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.diagnosis import Threads, WaitGroup
from advisor.model.record import record, replace
from advisor.why.explained_time import ExplainedTime
from advisor.why.facts.cpus import idle_server_cpus, members_here
from advisor.why.profile.other_sessions import OtherSessions, Sightings, other_sessions, runs_per_transaction
from advisor.why.profile.profiles import known_profiles
from advisor.why.queueing import Work, throughput

_LEAST: Final = 0.1  # of the time: less, and removing it changes nothing that could be measured
_LEAST_REST: Final = 0.02  # of the time that is left: a share is not known more exactly
LEFT_WITHIN: Final = 4.0  # the factor to within which a share of CPU time that stays is known
_CPU: Final = ("on_cpu", "ready")
_BETWEEN: Final = "client_time"
_NAMES: Final = (
    *("processor_ms_per_transaction", "session_ms_per_transaction", "processors_to_be_had", "writing_clients"),
    *("cold_processors_factor", "observed_or_measured_per_second", "client_ms"),
)


@record
class _Rest:
    """What is known of a transaction: CPU time of all that work for it, and of its own session; and the time waited.

    `own_ms`: CPU time of sessions that do not make the wait themselves. `waits_ms`: waits that stay, of them
    `logs_ms` for durable logs.
    """

    rate: float
    clients: float
    cpus: float
    cold: float
    cpu_ms: float
    session_ms: float
    own_ms: float
    waits_ms: float
    logs_ms: float
    between_ms: float

    def throughput(self, cpu_ms: float, session_ms: float) -> float:
        """The rate at which these clients commit, given the CPU time of a transaction."""
        work = Work(cpu_ms, min(cpu_ms, session_ms), self.waits_ms, self.between_ms / self.cold, self.cold)
        return throughput(self.clients, self.cpus, work)

    def with_cpu_left(self, share: float) -> float:
        """The rate when this share of the CPU time stays, and of all waits but those for durable logs.

        Beside long statements every wake-up waits for a CPU, for as long as these run.
        """
        waits_ms = self.logs_ms + (self.waits_ms - self.logs_ms) * share
        less = replace(self, waits_ms=waits_ms, between_ms=self.between_ms * share)
        return less.throughput(self.cpu_ms * share, self.session_ms * share)


def rates_without(view: MemberFacts, time: ExplainedTime) -> tuple[float, float] | None:
    """The lower and the higher rate per second; None where they are not known, or little of the time is explained."""
    rest = _rest(view, time, time.share)
    if rest is None:
        return None
    if is_pure_wait(time) and (alone := _of_clients_alone(rest, view, time)):
        return max(rest.rate, min(alone)), max(alone)
    of_sessions = rest.own_ms * rest.cpu_ms / max(rest.session_ms, rest.own_ms)
    rates = rest.throughput(rest.cpu_ms, rest.session_ms), rest.throughput(of_sessions, rest.own_ms)
    return max(rest.rate, min(rates)), max(rates)


def is_pure_wait(time: ExplainedTime) -> bool:
    """Whether the cause explains nothing but waits, no time in which threads run or queue for a CPU."""
    return not any(each.wait_class in _CPU for each in time.classes)


def _of_clients_alone(rest: _Rest, view: MemberFacts, time: ExplainedTime) -> tuple[float, ...]:
    """The rates of the clients when the wait and all sessions that are no clients of this load are gone; () if unknown.

    In the first one the background threads of their server go on as now, in the second one as much as sessions do.
    """
    profile = next(each for each in known_profiles(view) if each.group is Threads.WRITERS)
    gone = {each.wait_class for each in time.classes}
    others = _other_sessions(view, view, rest)
    clients = rest.clients - others.threads
    if clients < 1:
        return ()
    waiting = {
        each.wait_class: each.share * profile.threads - others.waiting.get(each.wait_class, 0.0)
        for each in profile.shares
        if each.wait_class not in {*gone, *_CPU, _BETWEEN}
    }
    waits = sum(max(0.0, threads) for threads in waiting.values())
    own = replace(
        rest, clients=clients, waits_ms=waits / rest.rate * 1000, between_ms=others.between / rest.rate * 1000,
        session_ms=rest.session_ms * (1 - others.cpu_share),
    )  # fmt: skip
    return tuple(own.throughput(rest.cpu_ms * left, own.session_ms) for left in _cpu_left(rest, view))


def _cpu_left(rest: _Rest, view: MemberFacts) -> tuple[float, float]:
    """The shares of the CPU time of all members that stay without the other sessions, as above."""
    before = goes_on = goes_too = 0.0
    for member in members_here(view):
        cpus, sessions, appliers = (
            float(value) if isinstance(value := member.get(f"host.{name}", None), int | float) else 0.0
            for name in ("server_cpus", "threads_running", "appliers_running")
        )
        cpus = max(0.0, cpus - idle_server_cpus(member))
        others = _other_sessions(member, view, rest)
        theirs = min(cpus, sessions * others.cpu_share + appliers * others.applied_cpu_share)
        before += cpus
        goes_on += cpus - theirs
        known = sessions + appliers if member is view else cpus
        goes_too += cpus * (1 - min(1.0, theirs / known)) if known else 0.0
    return (goes_on / before, goes_too / before) if before else (1.0, 1.0)


def _other_sessions(member: MemberFacts, writer: MemberFacts, rest: _Rest) -> OtherSessions:
    seen = member.value("fact.thread_sightings")
    seen = seen if isinstance(seen, Sightings) else Sightings({}, 0.0)
    runs = runs_per_transaction(writer.peers, {each.verb for each in seen.threads}, rest.rate)
    return other_sessions(seen, runs, rest.clients / rest.rate * 1000)


def rates_with_less_cpu(view: MemberFacts, time: ExplainedTime, left: float) -> tuple[float, float, float] | None:
    """The rates per second when four times the share `left` of the CPU time stays, this share, and a quarter of it."""
    waits = sum(each.share for each in time.classes if each.wait_class not in _CPU)
    rest = _rest(view, time, waits)
    if rest is None:
        return None
    low = rest.throughput(rest.cpu_ms * (most := min(1.0, left * LEFT_WITHIN)), rest.session_ms * most)
    high = replace(rest, logs_ms=0.0).with_cpu_left(left / LEFT_WITHIN)  # threads that sync wait for CPUs, too
    return max(rest.rate, low), rest.with_cpu_left(left), high


def _rest(view: MemberFacts, time: ExplainedTime, gone: float) -> _Rest | None:
    """What stays when waits of the share `gone` go; None as above."""
    profile = next((each for each in known_profiles(view) if each.group is Threads.WRITERS), None)
    known = [_number(view, f"fact.{name}") for name in _NAMES]
    if profile is None or time.group is not Threads.WRITERS or time.share < _LEAST or not all(known):
        return None
    cpu_ms, session_ms, cpus, clients, cold, rate, client_ms = (value or 0.0 for value in known)
    between = profile.share(_BETWEEN)
    waits = max(_LEAST_REST, 1.0 - gone - between - sum(profile.share(name) for name in _CPU))
    own_ms = profile.share(_CPU[0]) * client_ms / cold
    durable = view.value("fact.commit_is_durable") is True
    logs = min(waits, sum(each.share for each in profile.shares if durable and each.about is WaitGroup.LOG))
    shares_ms = (share * client_ms for share in (waits, logs, between))
    return _Rest(rate, clients, cpus, cold, cpu_ms, session_ms, own_ms, *shares_ms)


def _number(view: MemberFacts, name: str) -> float | None:
    value = view.value(name)
    return float(value) if not isinstance(value, Missing) and isinstance(value, int | float) else None
