"""What is every session and replication thread doing at one moment, as the server and the kernel see it?

The server tells state, statement and, while instruments are on, the wait; InnoDB tells whose transaction waits for a
lock; the kernel tells whether the thread has a CPU and which system call it waits in. All are joined by thread. Our own
session is in the list, as in every process list: its statement tells it from clients.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from advisor.client import Session
from advisor.collect.member.kernel_threads import KernelThread, KernelThreads
from advisor.collect.member.thread_kinds import REPLICATION, kind_of
from advisor.errors import ServerError
from advisor.model.evidence import Row, Scalar
from advisor.model.server import Family

_MYSQL: Final = (
    "SELECT t.PROCESSLIST_ID AS Id, t.PROCESSLIST_USER AS User, t.PROCESSLIST_COMMAND AS Command,"
    " t.PROCESSLIST_TIME AS Time, t.PROCESSLIST_STATE AS State, LEFT(t.PROCESSLIST_INFO, 200) AS Info,"
    " t.NAME AS name, t.THREAD_OS_ID AS thread"
)
_WITHOUT_EVENTS: Final = f"{_MYSQL} FROM performance_schema.threads t WHERE t.PROCESSLIST_ID IS NOT NULL"
_WITH_EVENTS: Final = (
    f"{_MYSQL}, w.EVENT_NAME AS event"
    " FROM performance_schema.threads t LEFT JOIN performance_schema.events_waits_current w"
    " ON w.THREAD_ID = t.THREAD_ID AND w.END_EVENT_ID IS NULL"
    " WHERE t.PROCESSLIST_ID IS NOT NULL"
    " ORDER BY t.THREAD_ID, w.EVENT_ID"
)
_EVENTS_KEPT: Final = "SELECT ENABLED FROM performance_schema.setup_consumers WHERE NAME = 'events_waits_current'"
_MARIADB: Final = (
    "SELECT ID AS Id, USER AS User, COMMAND AS Command, TIME AS Time, STATE AS State, LEFT(INFO, 200) AS Info,"
    " TID AS thread FROM information_schema.PROCESSLIST"
)
_TRANSACTIONS: Final = (
    "SELECT trx_mysql_thread_id AS Id, trx_state AS state, trx_operation_state AS operation,"
    " TIMESTAMPDIFF(SECOND, trx_started, NOW()) AS seconds, trx_rows_modified AS modified, trx_rows_locked AS locked"
    " FROM information_schema.INNODB_TRX"
)
_BACKGROUND: Final = (
    "SELECT NAME AS name, THREAD_OS_ID AS thread FROM performance_schema.threads"
    " WHERE PROCESSLIST_ID IS NULL AND THREAD_OS_ID IS NOT NULL"
)
_REFUSED: Final = (1044, 1109, 1142, 1143, 1146, 1227)  # by privileges, or because there is no such table
_WAITING_CALLS: Final = ("fsync", "fdatasync", "pwrite", "write", "pread", "read", "ftruncate", "fallocate")


class SessionSampler:
    """Reads the sessions of one member; `variables` are its global ones, `kernel` None where it runs elsewhere.

    Construction reads the names of the server's background threads. What `rows` returns, `background` and
    `transactions` belong to one moment. `events`: read the waits too; where the server keeps none, the join only costs.
    """

    def __init__(
        self, session: Session, family: Family, variables: Mapping[str, str], kernel: KernelThreads | None
    ) -> None:
        self._session, self.family, self._variables, self._kernel = session, family, variables, kernel
        self.events = family is Family.MYSQL and self._keeps_events()
        self._names = self._background_names() if kernel else {}
        self._without_transactions = False
        self.background: list[Row] = []
        self.transactions: list[Row] = []

    def rows(self) -> list[dict[str, Scalar]]:
        """One row per session and replication thread, with the columns of SHOW PROCESSLIST and what else is known.

        ServerError when the account may not read them, or the server is gone.
        """
        threads = self._kernel.read() if self._kernel else {}
        by_session: dict[object, dict[str, Scalar]] = {row["Id"]: dict(row) for row in self._read()}
        waits = self._transactions()
        for row in by_session.values():
            self._add(row, threads, waits)
        known = {row.get("thread") for row in by_session.values()}
        self.background = self._idle_ones_left_out(threads, known)
        return list(by_session.values())

    def _read(self) -> Iterable[Mapping[str, Scalar]]:
        if self.family is not Family.MYSQL:
            return self._session.rows(_MARIADB)
        # Of nested waits the innermost comes last, and is kept.
        return self._session.rows(_WITH_EVENTS if self.events else _WITHOUT_EVENTS)

    def _keeps_events(self) -> bool:
        """Whether the server keeps its threads' current waits; True where we may not ask."""
        try:
            return self._session.value(_EVENTS_KEPT) != "NO"
        except ServerError as error:
            if error.number not in _REFUSED:
                raise
            return True

    def _add(self, row: dict[str, Scalar], threads: Mapping[int, KernelThread], waits: Mapping[object, str]) -> None:
        row["kind"] = kind_of(self.family, row, self._variables)
        if row["kind"] in REPLICATION:
            row["User"] = "system user"  # as SHOW PROCESSLIST has it; the table names the account of START REPLICA
        row["event"] = row.get("event") or ""
        row["trx"] = waits.get(row["Id"], "")
        thread = row.get("thread")
        seen = threads.get(thread) if isinstance(thread, int) else None
        if seen:
            row |= {"os": seen.state, "call": seen.call, "wchan": seen.wchan}

    def _transactions(self) -> dict[object, str]:
        """Session → "lock wait", what InnoDB does for its transaction, or "open" where that does nothing."""
        if self._without_transactions:
            return {}
        try:
            rows = self._session.rows(_TRANSACTIONS)
        except ServerError as error:
            if error.number not in _REFUSED:
                raise
            self._without_transactions = True
            return {}
        self.transactions = _summed(rows)
        return {row["Id"]: _wait(str(row["state"] or ""), str(row["operation"] or "")) for row in rows}

    def _background_names(self) -> dict[int, str]:
        if self.family is not Family.MYSQL:
            return {}
        rows = self._session.rows(_BACKGROUND)
        return {int(str(row["thread"])): str(row["name"]).rpartition("/")[2] for row in rows}

    def _idle_ones_left_out(self, threads: Mapping[int, KernelThread], known: Iterable[object]) -> list[Row]:
        """The background threads that run, or wait for a file."""
        sessions = set(known)
        counted = Counter(
            (self._names.get(thread, ""), seen.state, seen.call)
            for thread, seen in threads.items()
            if thread not in sessions and (seen.state != "S" or seen.call.startswith(_WAITING_CALLS))
        )
        return [
            {"name": name, "os": state, "call": call, "count": count}
            for (name, state, call), count in sorted(counted.items())
        ]


def _summed(rows: Sequence[Mapping[str, Scalar]]) -> list[Row]:
    """Open transactions in one row: how many, how many wait, the age of the oldest, and the most rows of one."""
    if not rows:
        return []
    most = {name: max(_number(row[name]) for row in rows) for name in ("seconds", "modified", "locked")}
    waiting = sum(row["state"] == "LOCK WAIT" for row in rows)
    return [
        {
            "open": len(rows),
            "waiting": waiting,
            "oldest_seconds": most["seconds"],
            "most_rows_modified": most["modified"],
            "most_rows_locked": most["locked"],
        }
    ]


def _number(value: Scalar) -> int:
    return int(value) if isinstance(value, int | float) else 0


def _wait(state: str, operation: str) -> str:
    if state == "LOCK WAIT":
        return "auto-inc lock wait" if "auto-inc" in operation else "lock wait"
    return operation.lower() or "open"
