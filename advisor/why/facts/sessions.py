"""How many clients write, and in which states are the sessions in the sampled process lists?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from statistics import median
from typing import Any, Final, NamedTuple

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.model.evidence import Row, Scalar

# Threads of the server itself, of replication and of monitoring; what is left are clients.
_SERVER_COMMANDS: Final = ("daemon", "connect", "binlog dump", "binlog dump gtid", "group replicatio", "slave_sql",
                           "slave_io", "slave_worker", "delayed insert", "kill", "init db")  # fmt: skip
_SERVER_STATES: Final = ("relay log", "coordinator", "replica workers", "slave workers", "preceding transaction",
                         "dependent transaction", "group replication", "wsrep ap", "wsrep ab", "wsrep rollback",
                         "master", "source to send", "purge", "event scheduler", "empty queue")  # fmt: skip
_SYSTEM_USER: Final = "system user"
_MONITORING: Final = ("processlist", "information_schema", "performance_schema", "show ")
_READS_NOTHING: Final = ("user sleep", "user lock", "metadata lock", "global read lock")
_IDLE_WORKER: Final = ("event from coordinator", "work from sql thread", "wsrep applier idle")
_JUST_ASLEEP_SECONDS: Final = 1
_LISTS_TO_COUNT_ON: Final = 20
_SESSIONS_FOR_A_SHARE: Final = 20
_CERTIFYING: Final = ("waiting for certification", "wsrep in pre-commit", "wsrep: replicat", "wsrep: certif",
                      "wsrep: pre-commit", "wsrep: in pre-commit", "wsrep: initiating pre-commit")  # fmt: skip


@fact("clients")
def writing_clients(e: MemberFacts) -> float:
    """How many client sessions are active: as observed, else as counted in process lists, else Threads_running.

    A session asleep for at most a second is between two statements. The median of all process lists counts, because
    occasional monitoring sessions are in a few of them only.
    """
    observed = e.get("observed.clients", None)
    if isinstance(observed, int | float):
        return observed
    lists = e["fact.sessions_seen"]
    counts = [sum(seen.times for seen in sessions if seen.client) for sessions in lists]
    if counts and (any(counts) or any(seen.named for sessions in lists for seen in sessions)):
        return float(median(counts))  # zero counts only in complete lists, which name the users
    return float(e["fact.active_clients"])


@fact("clients")
def writing_clients_of_all(e: MemberFacts) -> float:
    """Active client sessions of all members together."""
    return sum(float(peer["fact.writing_clients"]) for peer in e.peers)


@fact("clients")
def most_clients(e: MemberFacts) -> float:
    """How many clients there may be: as observed or counted in process lists, else all connections but our own.

    Threads_running does not tell: of a hundred clients with little to do, one may be inside a statement.
    """
    if isinstance(e.get("observed.clients", None), int | float) or e["fact.sessions_seen"]:
        return float(e["fact.writing_clients"])
    return max(0.0, float(e["status.Threads_connected"]) - 1)


@fact()
def session_states(e: MemberFacts) -> dict[str, float]:
    """Share of the sampled sessions in each thread state, in lower case: as observed, else from process lists.

    Observed states are shares of the reported states only. One or two lists with a few sessions are not a sample:
    unknown.
    """
    observed = _observed_states(e)
    if not observed and (peers := {n: v for peer in e.peers for n, v in _observed_states(peer).items()}):
        observed = peers
    if observed:
        numbers = {state: float(n) for state, n in observed.items() if isinstance(n, int | float)}
        return _shares(numbers)
    counted: Counter[str] = Counter()
    for sessions in e["fact.sessions_seen"]:
        for seen in sessions:
            counted[seen.state] += seen.times
    if sum(counted.values()) < _SESSIONS_FOR_A_SHARE:
        raise NeedsError(Missing(("processlist",)))
    return _shares(counted)


@fact()
def client_states(e: MemberFacts) -> dict[str, float]:
    """Share of the client sessions in each thread state, from process lists."""
    counted: Counter[str] = Counter()
    for sessions in e["fact.sessions_seen"]:
        for seen in sessions:
            if seen.client:
                counted["idle" if seen.asleep else seen.state] += seen.times
    if not counted:
        raise NeedsError(Missing(("processlist",)))
    return _shares(counted)


@fact("share")
def sampled_idle_share(e: MemberFacts) -> float:
    """Share of the client sessions that were between two statements; unknown with fewer than 20 process lists."""
    lists = enough_lists(e)
    active = [sum(seen.times for seen in sessions if seen.client and not seen.asleep) for sessions in lists]
    clients = e["fact.writing_clients"]
    return max(0.0, 1.0 - sum(active) / len(active) / clients) if clients else 0.0


@fact("clients")
def clients_inside_statements(e: MemberFacts) -> float:
    """How many client sessions are inside a statement that may be reading rows, on average over the process lists."""
    lists = enough_lists(e)
    inside = [seen for sessions in lists for seen in sessions if seen.client and not seen.asleep]
    return float(
        sum(seen.times for seen in inside if not any(word in seen.state for word in _READS_NOTHING)) / len(lists)
    )


@fact("share")
def clients_in_certification_share(e: MemberFacts) -> float:
    """Share of the client sessions whose write set is being sent, ordered or certified (Galera), from process lists."""
    states: Mapping[str, float] = e["fact.client_states"]
    return sum(share for state, share in states.items() if any(word in state for word in _CERTIFYING))


@fact("workers")
def idle_workers(e: MemberFacts) -> float:
    """Applier workers without work, on average over the process lists."""
    lists = e["fact.sessions_seen"]
    if not lists:
        raise NeedsError(Missing(("processlist",)))
    idle = [seen for sessions in lists for seen in sessions if any(word in seen.state for word in _IDLE_WORKER)]
    return float(sum(seen.times for seen in idle) / len(lists))


def state_share(e: MemberFacts, *words: str) -> float:
    """Share of the sampled sessions whose state contains one of these words."""
    states: Mapping[str, float] = e["fact.session_states"]
    return sum(share for state, share in states.items() if any(word in state.lower() for word in words))


def enough_lists(e: MemberFacts) -> Any:
    """The sessions of every process list; NeedsError with fewer than 20 lists, too few to count on."""
    lists = e["fact.sessions_seen"]
    if len(lists) < _LISTS_TO_COUNT_ON:
        raise NeedsError(Missing(("processlist",)))
    return lists


def _observed_states(view: MemberFacts) -> dict[str, Any]:
    return {name[7:]: fact.value for name, fact in view.member.observed.items() if name.startswith("states.")}


class _Session(NamedTuple):
    """A row of a process list: the state in lower case (the command where there is none), and how many were alike.

    `named`: the list shows users. `client`: the session of a client that is active, or was a moment ago. `system`: a
    thread of replication, which has no client.
    """

    state: str
    named: bool
    client: bool
    asleep: bool
    times: int
    system: bool


@fact()
def sessions_seen(e: MemberFacts) -> tuple[tuple[_Session, ...], ...]:
    """The sessions of each process list that was read."""
    lists = [snapshot.rows for snapshot in e.member.tables if snapshot.table == "processlist"]
    lists = lists or ([e.member.processlist] if e.member.processlist else [])
    return tuple(tuple(map(_session, rows)) for rows in lists)


def _session(row: Row) -> _Session:
    """Rows of a bundle's list may be counted already (`count`). Our own lists have their columns in lower case."""
    if "command" not in row:
        row = {name.lower(): value for name, value in row.items()}
    seconds, count = row.get("time") or 0, row.get("count")
    just_asleep = isinstance(seconds, (int, float)) and seconds <= _JUST_ASLEEP_SECONDS
    times = count if type(count) is int else 1
    return _of(row.get("user"), row.get("command"), row.get("state"), row.get("info"), just_asleep, times)


@lru_cache(maxsize=1 << 13)  # the same few rows recur in every list
def _of(user: Scalar, command: Scalar, state: Scalar, info: Scalar, just_asleep: bool, times: int) -> _Session:
    words = tuple(str(word or "").strip().lower() for word in (user, command, state, info))
    asleep = words[1] == "sleep"
    client = _serves_client(*words) and (not asleep or just_asleep)
    return _Session(words[2] or words[1] or "no state", bool(words[0]), client, asleep, times, words[0] == _SYSTEM_USER)


def _serves_client(user: str, command: str, state: str, info: str) -> bool:
    if command in _SERVER_COMMANDS or user in (_SYSTEM_USER, "event_scheduler"):
        return False
    if any(word in state for word in _SERVER_STATES) or any(word in info for word in _MONITORING):
        return False
    return state != "filling schema table" and (state != "executing" or bool(info))


def _shares(counted: Mapping[str, float]) -> dict[str, float]:
    total = sum(counted.values())
    return {state: number / total for state, number in counted.items()} if total else {}
