"""How much work for the processors is a transaction, and which rate would they permit?

On a machine that several members share, the work of all of them counts, and that of whoever else works there without
giving way: the clients' program, which works for each transaction too. This program itself does not count.
"""

from __future__ import annotations

from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.view import NeedsError, View
from advisor.model.evidence import UNKNOWN
from advisor.model.server import Family, Role
from advisor.why.queueing import Work, cold_factor, throughput


@fact("processors")
def processors_at_work(e: View) -> float:
    """Processors that members on this machine, and their clients' programs, keep busy for transactions.

    What a server uses when nobody asks for anything is no work for transactions.
    """
    if _has_a_part(e):
        return max(0.0, float(e["host.server_cpus"]) - itself(e))
    return float(sum(max(0.0, p["host.server_cpus"] - itself(p)) for p in _servers_here(e)) + _of_clients(e))


@fact("processors")
def processors_to_be_had(e: View) -> float:
    """Processors that transactions could use: all but what others on the machine take that are not nice.

    Where all are busy, others take one share beside those of the servers and of the clients at most: each program has a
    claim to as much.
    """
    if _has_a_part(e):
        return float(e["host.cpus"])
    share = e["host.cpus"] / (len(_servers_here(e)) + 2)
    return float(e["host.cpus"] - min(_others(e) - _of_clients(e), share))


def _of_clients(e: View) -> float:
    """Processors that the clients' programs use here, at most.

    They work between statements, and a quarter as long as the sessions they talk to (sysbench on busy processors: 0.22
    of it with MySQL 9.7, 0.26 with MariaDB 10.11): what others use beyond either is none of theirs.
    """
    clients = e["fact.writing_clients"]
    if not clients:
        return 0.0
    between = e["fact.idle_time_share"] * clients
    return float(min(_others(e), between, _OF_CLIENTS * e["host.threads_running"]))


def _others(e: View) -> float:
    """Processors that are busy here with neither a member nor this program, nor a nice one, which serves no clients."""
    servers = sum(p["host.server_cpus"] for p in _servers_here(e))
    known = servers + e.get("host.reader_cpus", 0) + e.get("host.nice_cpus", 0)
    return max(0.0, float(e["host.cpu_util"] * e["host.cpus"] - known))


def _has_a_part(e: View) -> bool:
    """Whether the server is held to a part of its machine, so that what others do there is not known."""
    return isinstance(e.get("host.machine.cpus", None), int | float)


def _servers_here(e: View) -> list[View]:
    found = [p for p in members_here(e) if isinstance(p.get("host.server_cpus", None), int | float)]
    if not found:
        raise NeedsError(Missing(("host.server_cpus",)))
    return found


def itself(e: View) -> float:
    """Processors that a server uses which is asked for nothing but by us; as measured."""
    if e.get("fact.is_group_member", False) is True:
        return _OF_A_GROUP_MEMBER
    return _OF_A_SERVER[e.release.family]


@fact("share")
def processors_at_work_share(e: View) -> float:
    """The same as a share of the processors these clients can use: at most one for each of them."""
    return min(1.0, float(e["fact.processors_at_work"] / min(e["host.cpus"], max(1.0, e["fact.writing_clients"]))))


@fact("share")
def processors_busy_share(e: View) -> float:
    """Share of the processors' time that was work of processes that do not give way to others."""
    nice = e.get("host.nice_cpus", None)
    given_up = nice / e["host.cpus"] if isinstance(nice, int | float) and not _has_a_part(e) else 0.0
    return max(0.0, float(e["host.cpu_util"] - given_up))


@fact("share")
def servers_processor_share(e: View) -> float:
    """Processors that the members on this machine keep busy / those they may use. Others' work does not count."""
    servers = [e] if _has_a_part(e) else _servers_here(e)
    return float(sum(p["host.server_cpus"] for p in servers) / e["host.cpus"])


@fact()
def cold_processors_factor(e: View) -> float:
    """How much longer a transaction runs than on busy processors, for cold caches and wake-ups.

    Where sessions wait for a processor far longer than they run, they come in bursts, and find it warm.
    """
    return _cold(e, e["host.threads_running"], e["host.threads_starved"])


@fact("ms")
def processor_ms_per_transaction(e: View) -> Any:
    """Processor time of all who work for one transaction, as it would be on busy processors.

    Nothing holds writers back for a replica: one that finds no processor falls behind. Two of them beside a busy
    source (MySQL 9.7) applied 0.40 to 0.47 of what was committed, so half of what appliers do counts.
    """
    rate = e["fact.observed_or_measured_per_second"]
    if not rate:
        return UNKNOWN
    if _has_a_part(e):
        return e["fact.processors_at_work"] / rate * 1000 / e["fact.cold_processors_factor"]
    of_members = sum(_warm(e, member) for member in _servers_here(e))
    return (of_members + _of_clients(e) / e["fact.cold_processors_factor"]) / rate * 1000


def _warm(e: View, member: View) -> float:
    """Processors that a member beside this writer needs for the same work where all are busy."""
    kind = "threads" if member is e else "appliers"
    running, starved = (member.get(f"host.{kind}_{what}", None) for what in ("running", "starved"))
    known = isinstance(running, int | float) and isinstance(starved, int | float)
    factor = _cold(e, running, starved) if known else e["fact.cold_processors_factor"]
    work = max(0.0, member["host.server_cpus"] - itself(member))
    late = _LATE * running if known and member.member.role is Role.REPLICA else 0.0
    return float(max(0.0, work - late) / factor)


def _cold(e: View, running: float, starved: float) -> float:
    """How much longer threads run that are on processors, and wait for one, so many at a time."""
    alone = min(1.0, running / starved) if starved else 1.0
    return 1.0 + (cold_factor(e["fact.processors_at_work_share"]) - 1.0) * alone


_LATE: Final = 0.5


@fact("ms")
def session_ms_per_transaction(e: View) -> Any:
    """Processor time of a transaction's own session, as it would be on busy processors."""
    rate = e["fact.observed_or_measured_per_second"]
    return e["host.threads_running"] / rate * 1000 / e["fact.cold_processors_factor"] if rate else UNKNOWN


@fact("per_second")
def permitted_by_processors_per_second(e: View) -> Any:
    """Processors / processor time of one transaction. Makes no sense where hardly any is used for transactions.

    Where threads are not told apart: throughput / share of the processors in use.
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
    e: View, waits: tuple[str, ...], unsteady: tuple[str, ...], more: float = 0.0, saved: float = 0.0
) -> float:
    """The rate of a writer's clients when nothing is left but their work and these shares of their time.

    `unsteady` shrink where processors are busy, as does `more`, which is a share without a name. `saved`: processors
    that no longer read, write or sync files, as things are. NeedsError where the time on processors is not measured.
    """
    taken, rate = e["fact.client_ms"], e["fact.observed_or_measured_per_second"]
    saved_ms = saved / rate * 1000 / e["fact.cold_processors_factor"] if rate else 0.0
    work = Work(
        processors_ms=_less(e["fact.processor_ms_per_transaction"], saved_ms),
        session_ms=_less(e["fact.session_ms_per_transaction"], saved_ms),
        waits_ms=_sum(e, waits) * taken,
        unsteady_ms=(_sum(e, unsteady) + more) * taken / e["fact.cold_processors_factor"],
        coldest=e["fact.cold_processors_factor"],
    )
    return throughput(e["fact.writing_clients"], e["fact.processors_to_be_had"], work)


def _less(whole: float, part: float) -> float:
    """What is left, at least a fifth: what a file costs is known of one machine only."""
    return max(whole - part, whole / 5)


def _sum(e: View, shares: tuple[str, ...]) -> float:
    known = (e.get(f"fact.{name}", None) for name in shares)
    return sum(float(share) for share in known if isinstance(share, int | float))


# Milliseconds of processor time for a page read into the buffer pool or written out of it, pages being in the system's
# cache. MySQL 9.7: 0.08 and 0.09, from two loads with a pool of 8 and of 256 MB; MariaDB 10.11: 0.056 from one.
PAGE_MS: Final = {Family.MYSQL: 0.085, Family.MARIADB: 0.056}
_OF_CLIENTS: Final = 0.25
SYNC_MS: Final = 0.07  # of processor time; 600 bytes written and synced in a loop took it, 0.10 with pauses between
# Idle servers that were read ten times a second: MySQL 9.7 0.011 to 0.012, in a group 0.018 to 0.020, MariaDB 10.11
# 0.003 to 0.005.
_OF_A_SERVER: Final = {Family.MYSQL: 0.011, Family.MARIADB: 0.004}
_OF_A_GROUP_MEMBER: Final = 0.019


def members_here(e: View) -> list[View]:
    """The members on this member's machine, itself included."""
    name = e.get("hostname", None)
    return [p for p in e.peers if p is e or (name and p.get("hostname", None) == name)]
