"""Which work does a thread of the server do: for a client, as an applier, as a receiver?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.model.server import Family

CLIENT, APPLIER, COORDINATOR = "client", "applier", "coordinator"
RECEIVER, DUMP, SYSTEM = "receiver", "dump", "system"
REPLICATION: Final = (APPLIER, COORDINATOR, RECEIVER)
_WORKERS: Final = {
    Family.MYSQL: ("replica_parallel_workers", "slave_parallel_workers"),
    Family.MARIADB: ("slave_parallel_threads",),
}
# The names of MySQL's threads since 8.0.26 and before.
_MYSQL: Final = {
    "one_connection": CLIENT,
    "replica_worker": APPLIER, "slave_worker": APPLIER,
    "replica_sql": COORDINATOR, "slave_sql": COORDINATOR,
    "replica_io": RECEIVER, "slave_io": RECEIVER,
}  # fmt: skip
_MARIADB: Final = {"slave_worker": APPLIER, "slave_sql": COORDINATOR, "slave_io": RECEIVER, "daemon": SYSTEM}
_GALERA_HELPERS: Final = ("wsrep aborter", "wsrep rollbacker", "wsrep rollback", "wsrep async")


def kind_of(family: Family, row: Mapping[str, object], variables: Mapping[str, str]) -> str:
    """The kind of a sampled thread. The thread that distributes work applies it itself where there are no workers."""
    command, user = str(row.get("Command") or "").lower(), str(row.get("User") or "").lower()
    if command.startswith("binlog dump"):
        return DUMP
    if family is Family.MYSQL:
        kind = _MYSQL.get(str(row.get("name") or "").rpartition("/")[2], SYSTEM)
    elif user == "system user":  # Galera's appliers have no command that names them
        helps = any(word in str(row.get("State") or "").lower() for word in _GALERA_HELPERS)
        kind = SYSTEM if helps else _MARIADB.get(command, APPLIER)
    else:
        kind = SYSTEM if user == "event_scheduler" or command == "daemon" else CLIENT
    if kind == COORDINATOR and not any(_number(variables.get(name)) for name in _WORKERS[family]):
        return APPLIER
    return kind


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
