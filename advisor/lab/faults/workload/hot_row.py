"""Clients update the same row in turn, and each keeps it locked for a while."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from advisor.errors import ServerError
from advisor.lab.fault_injection import process
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo
from advisor.lab.faults.workload._scratch import drop_table, make_table, refuse_readers

STRENGTH = {"clients": 4, "hold_ms": 10}
_CONFLICTS: Final = (1205, 1213)  # lock wait timeout, deadlock: to be expected here


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """In a separate process, on a separate table."""
    refuse_readers(target)
    return process.begin(target, "hot_row", strength)


def clear(target: FaultTarget, undo: Undo) -> None:
    """Drop the table, too."""
    process.end(undo)
    drop_table(target, "hot_row")


def work(target: FaultTarget, strength: Strength, working: Callable[[], None]) -> None:
    """One thread per client; they end with the process, or when the server is gone."""
    with target.session() as session:
        table = make_table(session, "hot_row", 1)
    clients = [
        threading.Thread(target=_client, args=(target, table, strength["hold_ms"] / 1000), daemon=True)
        for _ in range(int(strength["clients"]))
    ]
    for client in clients:
        client.start()
    working()
    while any(client.is_alive() for client in clients):
        time.sleep(0.1)


def _client(target: FaultTarget, table: str, hold_seconds: float) -> None:
    with target.session() as session:
        while True:
            try:
                session.run("START TRANSACTION", f"UPDATE {table} SET counter = counter + 1 WHERE id = 1")
                time.sleep(hold_seconds)
                session.run("COMMIT")
            except ServerError as error:
                if error.number not in _CONFLICTS:
                    return
                session.run("ROLLBACK")
