"""Who waits for whose lock? Waiting and holding sessions joined, with what the holder does meanwhile.

Row locks come from InnoDB, metadata and global locks from MySQL's metadata_locks; MariaDB shows the latter only with
the plugin METADATA_LOCK_INFO. A holder that waits itself is a row of its own as a waiter, so chains can be followed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from advisor.client import Session
from advisor.collect.member.process_list import outline
from advisor.errors import ServerError
from advisor.model.evidence import Row, Scalar
from advisor.model.server import Family

_MOST: Final = 200  # pairs per moment: a queue of n sessions at one row has n² / 2 of them
_ROW_LOCKS: Final = {
    Family.MYSQL: (
        "SELECT rt.PROCESSLIST_ID AS waiter, bt.PROCESSLIST_ID AS blocker, l.LOCK_TYPE AS type, l.LOCK_MODE AS mode,"
        " CONCAT(l.OBJECT_SCHEMA, '.', l.OBJECT_NAME) AS object FROM performance_schema.data_lock_waits w"
        " JOIN performance_schema.threads rt ON rt.THREAD_ID = w.REQUESTING_THREAD_ID"
        " JOIN performance_schema.threads bt ON bt.THREAD_ID = w.BLOCKING_THREAD_ID"
        " JOIN performance_schema.data_locks l ON l.ENGINE_LOCK_ID = w.REQUESTING_ENGINE_LOCK_ID"
        f" LIMIT {_MOST}"
    ),
    Family.MARIADB: (
        "SELECT r.trx_mysql_thread_id AS waiter, b.trx_mysql_thread_id AS blocker, l.lock_type AS type,"
        " l.lock_mode AS mode, l.lock_table AS object FROM information_schema.INNODB_LOCK_WAITS w"
        " JOIN information_schema.INNODB_TRX r ON r.trx_id = w.requesting_trx_id"
        " JOIN information_schema.INNODB_TRX b ON b.trx_id = w.blocking_trx_id"
        " JOIN information_schema.INNODB_LOCKS l ON l.lock_id = w.requested_lock_id"
        f" LIMIT {_MOST}"
    ),
}
_METADATA: Final = (
    "SELECT OBJECT_TYPE, OBJECT_SCHEMA, OBJECT_NAME, LOCK_TYPE, LOCK_STATUS, PROCESSLIST_ID AS session"
    " FROM performance_schema.metadata_locks m JOIN performance_schema.threads t ON t.THREAD_ID = m.OWNER_THREAD_ID"
    " WHERE OBJECT_TYPE IN ('TABLE', 'GLOBAL', 'COMMIT', 'BACKUP LOCK', 'SCHEMA')"
)
_REFUSED: Final = (1044, 1109, 1142, 1146, 1227)
# What a session must hold to stop others that only read or change rows: sql/mdl.cc, m_granted_incompatible.
_STOPS_ROWS: Final = frozenset(("EXCLUSIVE", "SHARED_NO_READ_WRITE", "SHARED_NO_WRITE", "SHARED_READ_ONLY", "SHARED"))


def lock_waits(session: Session, family: Family, sessions: Iterable[Mapping[str, Scalar]]) -> list[Row]:
    """Each kind of pair with its `count`; [] where nothing waits, or the account may not look.

    A session is described by its kind, command, state, statement and seconds; `blocker_trx` is InnoDB's word for its
    transaction.
    """
    by_id = {row["Id"]: row for row in sessions}
    if not any(_waits(row) for row in by_id.values()):
        return []
    pairs = [*_row_locks(session, family), *(_metadata_locks(session) if family is Family.MYSQL else ())]
    counted = Counter(_described(lock, table, by_id.get(waiter, {}), by_id.get(blocker, {}))
                      for lock, table, waiter, blocker in pairs)  # fmt: skip
    return [{**dict(zip(_COLUMNS, cells, strict=True)), "count": count} for cells, count in sorted(counted.items())]


_Pair = tuple[str, str, Scalar, Scalar]  # kind of lock, object, waiting session, holding session
_COLUMNS: Final = (
    *("lock", "object", "waiter", "blocker", "blocker_command", "blocker_state", "blocker_info", "blocker_trx"),
    "blocker_seconds",
)


def _waits(row: Mapping[str, Scalar]) -> bool:
    state = str(row.get("State") or "").lower()
    return "lock" in str(row.get("trx") or "") or ("waiting for" in state and ("lock" in state or "flush" in state))


def _row_locks(session: Session, family: Family) -> list[_Pair]:
    return [
        (
            "auto_inc" if "AUTO_INC" in str(row["mode"]).upper() else
            "row" if str(row["type"]).upper() == "RECORD" else "table",
            str(row["object"] or "").replace("`", ""), row["waiter"], row["blocker"],
        )
        for row in _ask(session, _ROW_LOCKS[family])
    ]  # fmt: skip


def _metadata_locks(session: Session) -> list[_Pair]:
    """Every pending lock with those that hold, or ask for before it, a lock on the same object that excludes it."""
    by_object: dict[tuple[str, str, str], list[Mapping[str, Scalar]]] = {}
    for row in _ask(session, _METADATA):
        key = (str(row["OBJECT_TYPE"]), str(row["OBJECT_SCHEMA"] or ""), str(row["OBJECT_NAME"] or ""))
        by_object.setdefault(key, []).append(row)
    pairs: list[_Pair] = []
    for (kind, schema, name), locks in by_object.items():
        for pending in (lock for lock in locks if lock["LOCK_STATUS"] == "PENDING"):
            table = f"{schema}.{name}" if name else schema
            lock = "metadata" if kind in ("TABLE", "SCHEMA") else "global"
            pairs += [(lock, table, pending["session"], each["session"]) for each in _holders(pending, locks)]
    return pairs[:_MOST]


def _holders(pending: Mapping[str, Scalar], locks: Sequence[Mapping[str, Scalar]]) -> list[Mapping[str, Scalar]]:
    others = [lock for lock in locks if lock["session"] != pending["session"]]
    granted = [lock for lock in others if lock["LOCK_STATUS"] == "GRANTED"]
    if str(pending["LOCK_TYPE"]) in ("EXCLUSIVE", "SHARED_NO_READ_WRITE", "SHARED_NO_WRITE", "SHARED"):
        return granted  # a writer of metadata waits for everybody
    strong = [lock for lock in granted if lock["LOCK_TYPE"] in _STOPS_ROWS]
    return strong or [lock for lock in others if lock["LOCK_STATUS"] == "PENDING" and lock["LOCK_TYPE"] in _STOPS_ROWS]


def _described(
    lock: str, table: str, waiter: Mapping[str, Scalar], blocker: Mapping[str, Scalar]
) -> tuple[str | int, ...]:
    seconds = blocker.get("Time")
    return (
        lock, table, _word(waiter, "kind"), _word(blocker, "kind"), _word(blocker, "Command"), _word(blocker, "State"),
        outline(_word(blocker, "Info")), _word(blocker, "trx"), seconds if isinstance(seconds, int) else 0,
    )  # fmt: skip


def _word(row: Mapping[str, Scalar], name: str) -> str:
    return str(row.get(name) or "")


def _ask(session: Session, statement: str) -> list[dict[str, Scalar]]:
    try:
        return list(session.rows(statement))
    except ServerError as error:
        if error.number in _REFUSED:
            return []
        raise
