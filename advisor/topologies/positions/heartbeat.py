"""How old is the data that a member shows, by a row updated every few milliseconds? It works for every topology.

It writes to the cluster: a schema on the writer with one row that is updated again and again; all of it is replicated
and in the binary log. So it is used on request only, and the schema is dropped afterwards. Lag is exact to the interval
plus the time of one reading, and needs no synchronised clocks: the row holds the reader's own time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Final

from advisor.client import Session, connect
from advisor.errors import ServerError, UsageError
from advisor.model.lab import Address
from advisor.nodes import Node

SCHEMA: Final = "advisor_heartbeat"
_UNKNOWN_TABLE: Final = (1049, 1146)


class Heartbeat:
    """Writes heartbeats while it is open; a context manager.

    `milliseconds` between two beats; every beat is a transaction on the writer and on all members. ServerError when
    the schema cannot be created; UsageError when a schema of that name exists already.
    """

    def __init__(self, writer: Address, milliseconds: float = 50.0) -> None:
        self._login, self._seconds = writer, milliseconds / 1000
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)
        self.error = ""

    def __enter__(self) -> Heartbeat:
        self._session: Session = connect(self._login)
        try:
            self._prepare(self._session)
        except BaseException:
            self._session.close()
            raise
        self._thread.start()
        return self

    def _prepare(self, session: Session) -> None:
        if session.rows("SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = %s", SCHEMA):
            raise UsageError(
                f"{self._login.host}:{self._login.port} already has a schema {SCHEMA}",
                hint="stop the other heartbeat; if it was killed, drop the schema",
            )
        session.run(f"CREATE DATABASE {SCHEMA}")
        try:
            session.run(f"CREATE TABLE {SCHEMA}.beat (id INT PRIMARY KEY, at_seconds DOUBLE NOT NULL) ENGINE=InnoDB")
            session.rows(f"INSERT INTO {SCHEMA}.beat VALUES (1, %s)", time.monotonic())
        except BaseException:
            session.run(f"DROP DATABASE {SCHEMA}")
            raise

    def _beat(self) -> None:
        while not self._stop.wait(self._seconds):
            try:
                self._session.rows(f"UPDATE {SCHEMA}.beat SET at_seconds = %s WHERE id = 1", time.monotonic())
            except ServerError as error:
                self.error = error.message
                return

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop, and drop the schema; on an unreachable writer it stays."""
        self._stop.set()
        self._thread.join()
        try:
            self._session.run(f"DROP DATABASE {SCHEMA}")
        except ServerError as gone:
            self.error = self.error or gone.message
        self._session.close()


def heartbeat_lags_ms(nodes: Sequence[Node]) -> dict[str, float | None]:
    """The age of the last beat each member shows, by name; None for one that shows none or does not answer.

    It is never 0: up to one interval is not lag, but the time since the last beat.
    """
    lags_ms: dict[str, float | None] = {}
    for node in nodes:
        try:
            beat = node.session.value(f"SELECT at_seconds FROM {SCHEMA}.beat WHERE id = 1")
        except ServerError as error:
            if 0 < error.number < 2000 and error.number not in _UNKNOWN_TABLE:
                raise
            beat = None
        lags_ms[node.name] = max(0.0, time.monotonic() - beat) * 1000 if isinstance(beat, float) else None
    return lags_ms
