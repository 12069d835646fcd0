"""How do users write at a steady rate? Threads that each commit so many small transactions a second, and reconnect."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable

from advisor.client import Session, connect
from advisor.errors import ServerError
from advisor.model.lab import Address

ROWS = 20_000
_SCHEMA = "incidents"


def prepare(session: Session) -> None:
    """A table of small rows, and one whose rebuild takes a while."""
    session.run(
        f"DROP DATABASE IF EXISTS {_SCHEMA}",
        f"CREATE DATABASE {_SCHEMA}",
        f"CREATE TABLE {_SCHEMA}.account (id INT PRIMARY KEY, amount INT NOT NULL, note CHAR(60) NOT NULL)",
        f"CREATE TABLE {_SCHEMA}.archive (id INT PRIMARY KEY AUTO_INCREMENT, note CHAR(120) NOT NULL)",
        f"INSERT INTO {_SCHEMA}.account"
        " WITH RECURSIVE n AS (SELECT 1 id UNION ALL SELECT id + 1 FROM n WHERE id < 1000) SELECT id, 0, 'x' FROM n",
    )
    for more in range(1, ROWS // 1000):
        session.run(
            f"INSERT INTO {_SCHEMA}.account SELECT id + {1000 * more}, 0, 'x' FROM {_SCHEMA}.account WHERE id <= 1000"
        )
    session.run(f"INSERT INTO {_SCHEMA}.archive (note) SELECT note FROM {_SCHEMA}.account")
    for _ in range(3):
        session.run(f"INSERT INTO {_SCHEMA}.archive (note) SELECT note FROM {_SCHEMA}.archive")


class PacedLoad:
    """Threads at `rate` transactions per second together. `address` may change while they run: they move there."""

    def __init__(self, address: Callable[[], Address], rate: float, threads: int = 4) -> None:
        self.address, self.rate = address, rate
        self._threads = threads
        self._running: list[threading.Thread] = []
        self._ended = threading.Event()

    def start(self) -> None:
        """Begin with all threads."""
        self.add(self._threads)

    def add(self, threads: int) -> None:
        """More users, each as busy as the others."""
        for number in range(len(self._running), len(self._running) + threads):
            thread = threading.Thread(target=self._work, args=(number,), daemon=True)
            self._running.append(thread)
            thread.start()

    def stop(self) -> None:
        """End all threads."""
        self._ended.set()
        for thread in self._running:
            thread.join(15)

    def _work(self, number: int) -> None:
        chance = random.Random(number)
        while not self._ended.is_set():
            address = self.address()
            try:
                with connect(address, 2, 30) as session:
                    session.run("SET autocommit = 1")
                    self._write(session, address, chance)
            except (ServerError, OSError):
                self._ended.wait(0.5)

    def _write(self, session: Session, address: Address, chance: random.Random) -> None:
        due = time.monotonic()
        while not self._ended.is_set() and self.address() == address:
            row = chance.randrange(1, ROWS)
            session.run(f"UPDATE {_SCHEMA}.account SET amount = amount + 1 WHERE id = {row}")
            due = max(due + self._threads / self.rate, time.monotonic() - 1.0)
            self._ended.wait(max(0.0, due - time.monotonic()))
