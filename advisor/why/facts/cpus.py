"""How much CPU time does a transaction take, and which rate would the CPUs permit?

On a machine that several members share, the CPU time of all of them counts, and so does that of other processes that
are not nice: the clients' programs also work for each transaction. The advisor itself does not count.
"""

from __future__ import annotations

from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import UNKNOWN
from advisor.model.server import Family, Role
from advisor.why.queueing import Work, cold_factor, throughput


@fact("CPUs")
def processors_at_work(e: MemberFacts) -> float:
    """CPUs that the members on this machine and their clients' programs keep busy for transactions.

    What an idle server uses is not counted.
    """
    if _is_limited(e):
        return max(0.0, float(e["host.server_cpus"]) - idle_server_cpus(e))
    return float(sum(max(0.0, p["host.server_cpus"] - idle_server_cpus(p)) for p in _servers_here(e)) + _of_clients(e))


@fact("CPUs")
def processors_to_be_had(e: MemberFacts) -> float:
    """CPUs that transactions could use: all but those that other processes, unless nice, use on the machine.

    When all CPUs are busy, the others get at most one equal share, as each server and the clients do.
    """
    if _is_limited(e):
        return float(e["host.cpus"])
    share = e["host.cpus"] / (len(_servers_here(e)) + 2)
    return float(e["host.cpus"] - min(_others(e) - _of_clients(e), share))


def _of_clients(e: MemberFacts) -> float:
    """The most CPUs that the clients' programs can use on this machine.

    They work between statements, and a quarter as long as the sessions they talk to (sysbench on busy CPUs: 0.22 of it
    with MySQL 9.7, 0.26 with MariaDB 10.11): what others use beyond either is not theirs.
    """
    clients = e["fact.writing_clients"]
    if not clients:
        return 0.0
    between = e["fact.idle_time_share"] * clients
    return float(min(_others(e), between, _CLIENTS_PER_SESSION * e["host.threads_running"]))


def _others(e: MemberFacts) -> float:
    """Busy CPUs on this machine that neither a member, nor the advisor, nor a nice process uses."""
    servers = sum(p["host.server_cpus"] for p in _servers_here(e))
    known = servers + e.get("host.reader_cpus", 0) + e.get("host.nice_cpus", 0)
    return max(0.0, float(e["host.cpu_util"] * e["host.cpus"] - known))


def _is_limited(e: MemberFacts) -> bool:
    """Whether the server may use only part of its machine, so that the load of others is not known."""
    return isinstance(e.get("host.machine.cpus", None), int | float)


def _servers_here(e: MemberFacts) -> list[MemberFacts]:
    servers = [p for p in members_here(e) if isinstance(p.get("host.server_cpus", None), int | float)]
    if not servers:
        raise NeedsError(Missing(("host.server_cpus",)))
    return servers


def idle_server_cpus(e: MemberFacts) -> float:
    """CPUs that an idle server uses, which only the advisor reads; as measured."""
    if e.get("fact.is_group_member", False) is True:
        return _IDLE_GROUP_MEMBER
    return _IDLE_SERVER[e.release.family]


@fact("share")
def processors_at_work_share(e: MemberFacts) -> float:
    """The same as a share of the CPUs these clients can use: at most one each."""
    return min(1.0, float(e["fact.processors_at_work"] / min(e["host.cpus"], max(1.0, e["fact.writing_clients"]))))


@fact("share")
def processors_busy_share(e: MemberFacts) -> float:
    """Share of CPU time used by processes that are not nice."""
    nice = e.get("host.nice_cpus", None)
    given_up = nice / e["host.cpus"] if isinstance(nice, int | float) and not _is_limited(e) else 0.0
    return max(0.0, float(e["host.cpu_util"] - given_up))


@fact("share")
def servers_processor_share(e: MemberFacts) -> float:
    """CPUs that the members on this machine keep busy / CPUs they may use. Other processes do not count."""
    servers = [e] if _is_limited(e) else _servers_here(e)
    return float(sum(p["host.server_cpus"] for p in servers) / e["host.cpus"])


@fact()
def cold_processors_factor(e: MemberFacts) -> float:
    """How much longer a transaction runs than on busy CPUs, because of cold caches and wake-ups.

    Sessions that wait for a CPU far longer than they run come in bursts and find it warm.
    """
    return _cold(e, e["host.threads_running"], e["host.threads_starved"])


@fact("ms")
def processor_ms_per_transaction(e: MemberFacts) -> Any:
    """CPU time of everything that works for one transaction, as it would be on busy CPUs.

    Writers do not wait for a replica: one that gets no CPU falls behind. Two replicas next to a busy source (MySQL 9.7)
    applied 0.40 to 0.47 of what was committed, so half of the appliers' CPU time counts.
    """
    rate = e["fact.observed_or_measured_per_second"]
    if not rate:
        return UNKNOWN
    if _is_limited(e):
        return e["fact.processors_at_work"] / rate * 1000 / e["fact.cold_processors_factor"]
    of_members = sum(_warm(e, member) for member in _servers_here(e))
    return (of_members + _of_clients(e) / e["fact.cold_processors_factor"]) / rate * 1000


def _warm(e: MemberFacts, member: MemberFacts) -> float:
    """CPUs that a member on the writer's machine needs for the same work when all are busy."""
    kind = "threads" if member is e else "appliers"
    running, starved = (member.get(f"host.{kind}_{what}", None) for what in ("running", "starved"))
    known = isinstance(running, int | float) and isinstance(starved, int | float)
    factor = _cold(e, running, starved) if known else e["fact.cold_processors_factor"]
    work = max(0.0, member["host.server_cpus"] - idle_server_cpus(member))
    late = _APPLIERS_COUNTED * running if known and member.member.role is Role.REPLICA else 0.0
    return float(max(0.0, work - late) / factor)


def _cold(e: MemberFacts, running: float, starved: float) -> float:
    """How much longer threads run, given how many run and how many wait for a CPU at a time."""
    alone = min(1.0, running / starved) if starved else 1.0
    return 1.0 + (cold_factor(e["fact.processors_at_work_share"]) - 1.0) * alone


_APPLIERS_COUNTED: Final = 0.5


@fact("ms")
def session_ms_per_transaction(e: MemberFacts) -> Any:
    """CPU time of a transaction's own session, as it would be on busy CPUs."""
    rate = e["fact.observed_or_measured_per_second"]
    return e["host.threads_running"] / rate * 1000 / e["fact.cold_processors_factor"] if rate else UNKNOWN


@fact("per_second")
def permitted_by_processors_per_second(e: MemberFacts) -> Any:
    """CPUs / CPU time of one transaction. Not applicable where transactions use hardly any CPU time.

    Without CPU time per thread: throughput / share of the CPUs in use.
    """
    own = e.get("host.server_cpus", None)
    if isinstance(own, int | float) and own < _WORTH_SCALING * e["host.cpus"]:
        return NOT_HERE
    each = e.get("fact.processor_ms_per_transaction", None)
    if isinstance(each, int | float) and each:
        return e["fact.processors_to_be_had"] * 1000 / each
    used = e["host.cpu_util"]
    return e["fact.observed_or_measured_per_second"] / used if used else NOT_HERE


_WORTH_SCALING: Final = 0.2


def rate_with(
    e: MemberFacts, waits: tuple[str, ...], unsteady: tuple[str, ...], more: float = 0.0, saved: float = 0.0
) -> float:
    """The rate of a writer's clients with nothing but their CPU time and these shares of their time.

    `unsteady` shares shrink when CPUs are busy, and so does `more`, a share that has no fact. `saved`: CPUs that no
    longer read, write or sync files. NeedsError where CPU time is not measured.
    """
    client_ms, rate = e["fact.client_ms"], e["fact.observed_or_measured_per_second"]
    saved_ms = saved / rate * 1000 / e["fact.cold_processors_factor"] if rate else 0.0
    work = Work(
        cpu_ms=_less(e["fact.processor_ms_per_transaction"], saved_ms),
        session_ms=_less(e["fact.session_ms_per_transaction"], saved_ms),
        waits_ms=_sum(e, waits) * client_ms,
        unsteady_ms=(_sum(e, unsteady) + more) * client_ms / e["fact.cold_processors_factor"],
        coldest=e["fact.cold_processors_factor"],
    )
    return throughput(e["fact.writing_clients"], e["fact.processors_to_be_had"], work)


def _less(whole: float, part: float) -> float:
    """The difference, at least a fifth of the whole: the cost of file access is known for one machine only."""
    return max(whole - part, whole / 5)


def _sum(e: MemberFacts, shares: tuple[str, ...]) -> float:
    known = (e.get(f"fact.{name}", None) for name in shares)
    return sum(float(share) for share in known if isinstance(share, int | float))


# Milliseconds of CPU time to read a page into the buffer pool or write it out, with the pages in the system's cache.
# MySQL 9.7: 0.08 and 0.09, from two loads with a pool of 8 and of 256 MB; MariaDB 10.11: 0.056 from one.
PAGE_MS: Final = {Family.MYSQL: 0.085, Family.MARIADB: 0.056}
_CLIENTS_PER_SESSION: Final = 0.25
SYNC_MS: Final = 0.07  # of CPU time: 600 bytes written and synced in a loop; 0.10 with pauses in between
# CPUs of idle servers, read ten times a second: MySQL 9.7 0.011 to 0.012, in a group 0.018 to 0.020, MariaDB 10.11
# 0.003 to 0.005.
_IDLE_SERVER: Final = {Family.MYSQL: 0.011, Family.MARIADB: 0.004}
_IDLE_GROUP_MEMBER: Final = 0.019


def members_here(e: MemberFacts) -> list[MemberFacts]:
    """The members on this member's machine, itself included."""
    name = e.get("hostname", None)
    return [p for p in e.peers if p is e or (name and p.get("hostname", None) == name)]
