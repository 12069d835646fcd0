"""A transaction stays open with an old snapshot: InnoDB cannot purge row versions superseded since then."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from advisor.lab.fault_injection import process
from advisor.lab.fault_injection.target import FaultTarget
from advisor.lab.faults import Strength, Undo

STRENGTH: dict[str, int] = {}
_PING_SECONDS: Final = 60.0  # so that wait_timeout does not end it


def apply(target: FaultTarget, strength: Strength) -> Undo:
    """In a separate process."""
    return process.begin(target, "long_reader", strength)


def clear(target: FaultTarget, undo: Undo) -> None:
    """The transaction ends with its connection."""
    process.end(undo)


def work(target: FaultTarget, strength: Strength, working: Callable[[], None]) -> None:
    """A snapshot is taken and kept."""
    with target.session() as session:
        session.run(
            "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", "START TRANSACTION WITH CONSISTENT SNAPSHOT"
        )
        working()
        while True:
            time.sleep(_PING_SECONDS)
            session.run("DO 1")
