"""How many clients write, and in which state are they when somebody looks?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from statistics import median
from typing import Any, Final

from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.view import NeedsError, View
from advisor.model.evidence import Row, Scalar

# Threads of the server itself, of replication and of whoever looks; what is left are clients.
_SERVER_COMMANDS: Final = ("daemon", "connect", "binlog dump", "binlog dump gtid", "group replicatio", "slave_sql",
                           "slave_io", "slave_worker", "delayed insert", "kill", "init db")  # fmt: skip
_SERVER_STATES: Final = ("relay log", "coordinator", "replica workers", "slave workers", "preceding transaction",
                         "dependent transaction", "group replication", "wsrep ap", "wsrep ab", "wsrep rollback",
                         "master", "source to send", "purge", "event scheduler", "empty queue")  # fmt: skip
_LOOKING: Final = ("processlist", "information_schema", "performance_schema", "show ")
_WITHOUT_WORK: Final = ("event from coordinator", "work from sql thread", "wsrep applier idle")
_JUST_ASLEEP_SECONDS: Final = 1
_LISTS_TO_COUNT_ON: Final = 20
_CERTIFYING: Final = ("waiting for certification", "wsrep in pre-commit", "wsrep: replicat", "wsrep: certif",
                      "wsrep: pre-commit", "wsrep: in pre-commit", "wsrep: initiating pre-commit")  # fmt: skip


@fact("clients")
def writing_clients(e: View) -> float:
    """How many client sessions are at work: as observed, else as counted in process lists, else Threads_running.

    A session asleep for at most a second is one between two statements. The median of all process lists counts: who
    looks at the server now and then is in a few of them.
    """
    told = e.get("observed.clients", None)
    if isinstance(told, int | float):
        return told
    lists = [snapshot.rows for snapshot in e.member.tables if snapshot.table == "processlist"]
    counts = [sum(_times(row) for row in rows if _is_client(row)) for rows in lists]
    if counts and (any(counts) or any(_column(row, "user") for rows in lists for row in rows)):
        return float(median(counts))  # none at all counts only in whole lists, which name the users
    return float(e["fact.active_clients"])


@fact()
def session_states(e: View) -> dict[str, float]:
    """Share of the sampled sessions in each thread state, in small letters: as observed, else from process lists.

    An observed state is told without what else the sessions did, so its share is of the states told.
    """
    told = {name[7:]: fact.value for name, fact in e.member.observed.items() if name.startswith("states.")}
    if not told and (peers := {n: v for peer in e.peers for n, v in _told_states(peer).items()}):
        told = peers
    if told:
        numbers = {state: float(n) for state, n in told.items() if isinstance(n, int | float)}
        return _shares(numbers)
    counted: Counter[str] = Counter()
    for rows in _lists(e):
        for row in rows:
            counted[_state(row)] += _times(row)
    if not counted:
        raise NeedsError(Missing(("processlist",)))
    return _shares(counted)


@fact()
def client_states(e: View) -> dict[str, float]:
    """Share of the client sessions in each thread state, from process lists."""
    counted: Counter[str] = Counter()
    for rows in _lists(e):
        for row in rows:
            if _is_client(row):
                counted["idle" if _asleep(row) else _state(row)] += _times(row)
    if not counted:
        raise NeedsError(Missing(("processlist",)))
    return _shares(counted)


@fact("share")
def sampled_idle_share(e: View) -> float:
    """Share of the client sessions that were between two statements; unknown with fewer than 20 process lists."""
    if len(list(_lists(e))) < _LISTS_TO_COUNT_ON:
        raise NeedsError(Missing(("processlist",)))
    at_work = [sum(_times(row) for row in rows if _is_client(row) and not _asleep(row)) for rows in _lists(e)]
    clients = e["fact.writing_clients"]
    return max(0.0, 1.0 - sum(at_work) / len(at_work) / clients) if clients else 0.0


@fact("share")
def clients_in_certification_share(e: View) -> float:
    """Share of the client sessions whose write set is on its way, ordered or certified (Galera), from process lists."""
    states: Mapping[str, float] = e["fact.client_states"]
    return sum(share for state, share in states.items() if any(word in state for word in _CERTIFYING))


@fact("workers")
def idle_workers(e: View) -> float:
    """Workers of the applier that had nothing to do, on average over the process lists."""
    lists = list(_lists(e))
    if not lists:
        raise NeedsError(Missing(("processlist",)))
    idle = sum(_times(row) for rows in lists for row in rows if any(word in _state(row) for word in _WITHOUT_WORK))
    return idle / len(lists)


def state_share(e: View, *words: str) -> float:
    """Share of the sampled sessions whose state contains one of these words."""
    states: Mapping[str, float] = e["fact.session_states"]
    return sum(share for state, share in states.items() if any(word in state.lower() for word in words))


def _told_states(view: View) -> dict[str, Any]:
    return {name[7:]: fact.value for name, fact in view.member.observed.items() if name.startswith("states.")}


def _lists(e: View) -> Iterator[Sequence[Row]]:
    """Each process list that was taken."""
    lists = [snapshot.rows for snapshot in e.member.tables if snapshot.table == "processlist"]
    yield from lists or ([e.member.processlist] if e.member.processlist else [])


def _is_client(row: Row) -> bool:
    seconds = _cell(row, "time") or 0
    just_asleep = isinstance(seconds, int | float) and seconds <= _JUST_ASLEEP_SECONDS
    words = (_column(row, name) for name in ("user", "command", "state", "info"))
    return _serves_client(*words, just_asleep)


@lru_cache(maxsize=1 << 12)  # the same few rows come again in every list
def _serves_client(user: str, command: str, state: str, info: str, just_asleep: bool) -> bool:
    if command in _SERVER_COMMANDS or user in ("system user", "event_scheduler"):
        return False
    if any(word in state for word in _SERVER_STATES) or any(word in info for word in _LOOKING):
        return False
    if state == "filling schema table" or (state == "executing" and not info):
        return False
    return command != "sleep" or just_asleep


def _asleep(row: Row) -> bool:
    return _column(row, "command") == "sleep"


def _state(row: Row) -> str:
    return _column(row, "state") or _column(row, "command") or "no state"


def _column(row: Row, name: str) -> str:
    return _plain(_cell(row, name))


@lru_cache(maxsize=1 << 12)
def _plain(value: Scalar) -> str:
    return str(value or "").strip().lower()


def _cell(row: Row, name: str) -> Scalar:
    """A column's value, whatever the case of its name; our own lists have them in small letters."""
    if name in row:
        return row[name]
    return next((value for key, value in row.items() if key.lower() == name), None)


def _times(row: Row) -> int:
    """A list of a bundle may have been counted already."""
    count = _cell(row, "count")
    return count if isinstance(count, int) and not isinstance(count, bool) else 1


def _shares(counted: Mapping[str, float]) -> dict[str, float]:
    total = sum(counted.values())
    return {state: number / total for state, number in counted.items()} if total else {}
