"""Who is this sampled thread: a client's session, an applier, a receiver? One row of a process list as a record."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from advisor.model.evidence import Row, Scalar

JUST_ASLEEP_SECONDS: Final = 1  # asleep for longer: an idle session, not one between two statements

_COLUMNS: Final = ("user", "command", "state", "info", "kind", "os", "call", "wchan", "event", "trx")
_SERVER_USERS: Final = ("event_scheduler", "mysql.session", "mysql.sys", "mysql.infoschema")
_SERVER_COMMANDS: Final = ("daemon", "group replicatio", "delayed insert", "init db", "error", "table dump",
                           "slave_background", "shutdown")  # fmt: skip
_MONITORING: Final = ("processlist", "information_schema", "performance_schema", "show ")
_RECEIVER: Final = ("queueing ", "waiting for source to send", "waiting for master to send",
                    "waiting for source update", "waiting for master update",
                    "waiting for the replica sql thread to free", "waiting for the slave sql thread to free",
                    "connecting to ", "reconnecting after", "waiting to reconnect", "requesting binlog dump",
                    "registering ", "checking source version", "checking master version",
                    "flushing relay log and")  # fmt: skip
_COORDINATOR: Final = ("replica has read all relay log", "slave has read all relay log", "has read all relay log",
                       "reading event from the relay log", "waiting for replica worker", "waiting for slave worker",
                       "waiting for the next event in relay log", "waiting for room in worker",
                       "waiting for worker threads", "waiting for workers",
                       "waiting for dependent transaction")  # fmt: skip
_SYSTEM: Final = ("wsrep aborter", "wsrep rollback", "wsrep abort", "reading semi-sync ack", "waiting on empty queue",
                  "connection delegated")  # fmt: skip


class Thread(NamedTuple):
    """What is known of a thread at one moment, all in lower case; "" is unknown.

    `kind`: client, applier, coordinator, receiver, dump or system. `event` keeps its capitals for people to read.
    """

    kind: str
    command: str
    state: str
    verb: str
    os: str
    call: str
    wchan: str
    event: str
    trx: str


def threads_of(rows: Iterable[Row]) -> list[tuple[Thread, int]]:
    """The threads of one process list that belong to a group, and how many were alike.

    Left out: the server's own threads, who reads the server's tables (monitoring, we ourselves), and sessions that have
    been asleep for long.
    """
    seen = []
    for row in rows:
        if "command" not in row:
            row = {name.lower(): value for name, value in row.items()}
        get = row.get
        seconds, count = get("time") or 0, get("count")
        just_asleep = isinstance(seconds, int | float) and seconds <= JUST_ASLEEP_SECONDS
        thread = _thread(tuple(map(get, _COLUMNS)), just_asleep)
        if thread is not None:
            seen.append((thread, count if type(count) is int else 1))
    return seen


@lru_cache(maxsize=1 << 14)  # the same few rows recur in every list
def _thread(cells: tuple[Scalar, ...], just_asleep: bool) -> Thread | None:
    written = [str(cell or "").strip() for cell in cells]
    user, command, state, info, kind, os, call, wchan, event, trx = map(str.lower, written)
    if not kind or _is_system(user, command, state):
        kind = kind_of(user, command, state, info)
    if kind == "system" or (kind == "client" and _left_out(command, info, just_asleep)):
        return None
    first = info.lstrip("( ").split(None, 1)[:1]
    verb = first[0].rstrip(";") if first else ""
    return Thread(kind, command, state, verb, os, call, wchan, written[_COLUMNS.index("event")] if event else "", trx)


def kind_of(user: str, command: str, state: str, info: str) -> str:
    """The kind of a thread by its words, where the collector did not ask the server for it."""
    if command.startswith("binlog dump"):
        return "dump"
    if command in ("slave_io", "slave_sql", "slave_worker"):
        return {"slave_io": "receiver", "slave_sql": "coordinator", "slave_worker": "applier"}[command]
    if _is_system(user, command, state):
        return "system"
    if state.startswith(_RECEIVER):
        return "receiver"
    if state.startswith(_COORDINATOR):
        return "coordinator" if "dependent" not in state or not info else "applier"
    if user == "system user":
        return "system" if info.startswith("group") else "applier"  # "Group replication applier module": certifies
    return "client"


def _is_system(user: str, command: str, state: str) -> bool:
    """Whether it is one of the server's own, whatever table its thread stands in."""
    return user in _SERVER_USERS or command.startswith(_SERVER_COMMANDS) or state.startswith(_SYSTEM)


def _left_out(command: str, info: str, just_asleep: bool) -> bool:
    if any(word in info for word in _MONITORING):
        return True
    return (command == "sleep" and not just_asleep) or command == "kill"


def coordinators_apply(lists: Iterable[Iterable[tuple[Thread, int]]]) -> bool:
    """Whether the thread that would hand out work applies it itself: nowhere does a worker stand beside it."""
    return not any({"coordinator", "applier"} <= {thread.kind for thread, _ in moment} for moment in lists)


def as_applier(thread: Thread) -> Thread:
    """The one thread of a serial applier, as an applier."""
    return thread._replace(kind="applier") if thread.kind == "coordinator" else thread
