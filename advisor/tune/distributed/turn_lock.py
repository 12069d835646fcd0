"""Which participant decides what a shared study tries next? One at a time, by a lock that ends with its holder."""

from __future__ import annotations

import fcntl
import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from advisor.errors import ServerError
from advisor.tune.state.database import Storage

if TYPE_CHECKING:
    import sqlalchemy

LOCK_SECONDS: Final = 60  # to wait for the others' decisions, which take a few seconds
_LOCK_NOT_AVAILABLE: Final = "55P03"  # PostgreSQL's SQLSTATE when lock_timeout ends a wait
_IDLE_SECONDS: Final = 120  # then the server releases the lock of a participant whose machine is gone


@contextmanager
def hold_turn(storage: Storage, study: str) -> Iterator[Callable[[], bool]]:
    """Hold the lock of a study; yields a function that says whether it is still held.

    The server keeps the lock and releases it when the connection ends, or is idle for two minutes, so a participant
    that dies does not block the others. ServerError when others hold it for longer than `LOCK_SECONDS`.
    """
    name = "advisor " + hashlib.sha256(f"{storage.address.database} {study}".encode()).hexdigest()[:16]
    holders = {"mysql": _mysql_lock, "postgresql": _postgresql_lock}
    with holders.get(storage.engine.name, _file_lock)(storage, name) as still_held:
        yield still_held


@contextmanager
def _mysql_lock(storage: Storage, name: str) -> Iterator[Callable[[], bool]]:
    from sqlalchemy import text

    connection = storage.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    try:
        connection.detach()  # its waiting time is not for the pool
        connection.execute(text(f"SET SESSION wait_timeout = {_IDLE_SECONDS}"))
        got = connection.execute(text("SELECT GET_LOCK(:name, :most)"), {"name": name, "most": LOCK_SECONDS}).scalar()
        if got != 1:
            raise _busy(storage)
        ours = text("SELECT IS_USED_LOCK(:name) = CONNECTION_ID()")
        yield lambda: _says_yes(lambda: connection.execute(ours, {"name": name}).scalar())
    finally:
        _let_go(connection)


@contextmanager
def _postgresql_lock(storage: Storage, name: str) -> Iterator[Callable[[], bool]]:
    from sqlalchemy import text
    from sqlalchemy.exc import OperationalError

    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
    connection = storage.engine.connect()
    try:
        connection.execute(text(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'"))
        connection.execute(text(f"SET LOCAL idle_in_transaction_session_timeout = '{_IDLE_SECONDS}s'"))
        try:
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})
        except OperationalError as error:
            if getattr(error.orig, "sqlstate", "") == _LOCK_NOT_AVAILABLE:
                raise _busy(storage) from None
            raise
        yield lambda: _says_yes(lambda: connection.execute(text("SELECT 1")).scalar())
    finally:
        _let_go(connection)


def _let_go(connection: sqlalchemy.Connection) -> None:
    """End a connection, and with it the lock. What was done under the lock is done: a lost connection does no harm."""
    from sqlalchemy.exc import SQLAlchemyError

    with suppress(SQLAlchemyError):
        connection.close()


def _says_yes(ask: Callable[[], object]) -> bool:
    from sqlalchemy.exc import SQLAlchemyError

    try:
        return ask() == 1
    except SQLAlchemyError:
        return False  # the connection is gone, and the lock with it


@contextmanager
def _file_lock(storage: Storage, name: str) -> Iterator[Callable[[], bool]]:
    until = time.monotonic() + LOCK_SECONDS
    with open(f"{storage.address.file}.lock", "a", encoding="utf-8") as stream:
        while True:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise _busy(storage) from None
                time.sleep(0.05)
        yield lambda: True


def _busy(storage: Storage) -> ServerError:
    return ServerError(
        f"the storage {storage.url}: another participant has held the lock for more than {LOCK_SECONDS} s"
    )
