"""InnoDB's monitor: which of the active transactions wait, and how many queries queue."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.evidence import read_path
from advisor.why.profile.innodb_monitor import MonitorWaits, monitor_waits

MONITOR = """------------
TRANSACTIONS
------------
LIST OF TRANSACTIONS FOR EACH SESSION:
---TRANSACTION 375301004414848, not started
0 lock struct(s), heap size 1128, 0 row lock(s)
---TRANSACTION 18343, ACTIVE 0 sec setting auto-inc lock
mysql tables in use 2, locked 2
LOCK WAIT 3 lock struct(s), heap size 1128, 1 row lock(s)
------- TRX HAS BEEN WAITING 0 SEC FOR THIS LOCK TO BE GRANTED:
------------------
---TRANSACTION 18341, ACTIVE 2 sec starting index read
mysql tables in use 1, locked 1
LOCK WAIT 2 lock struct(s), heap size 1128, 1 row lock(s)
---TRANSACTION 18340, ACTIVE (PREPARED) 0 sec committing
3 lock struct(s), heap size 1128, 4 row lock(s)
---TRANSACTION 18339, ACTIVE 1 sec fetching rows
5 lock struct(s), heap size 1128, 4 row lock(s), undo log entries 3
---TRANSACTION 18338, ACTIVE 1 sec
5 lock struct(s), heap size 1128, 4 row lock(s), undo log entries 3
--------
FILE I/O
--------
--------------
ROW OPERATIONS
--------------
1 queries inside InnoDB, 30 queries in queue
"""


def test_waits_are_counted_among_transactions_that_are_not_in_their_commit() -> None:
    assert monitor_waits(MONITOR) == MonitorWaits(4, row_lock=1, auto_inc_lock=1, inside=1, queued=30)
    assert monitor_waits(MONITOR).shares() == {  # type: ignore[union-attr]
        "row_lock": 0.25, "auto_inc_lock": 0.25, "innodb_ticket": pytest.approx(30 / 31),
    }  # fmt: skip


def test_few_active_transactions_are_no_sample() -> None:
    assert MonitorWaits(3, row_lock=2, auto_inc_lock=0, inside=1, queued=1).shares() == {}


def test_a_text_without_a_list_of_transactions_says_nothing() -> None:
    assert monitor_waits("") is None
    assert monitor_waits("Number of processes") is None


def test_of_a_real_server_nine_of_ten_wait_for_the_auto_inc_lock(shared: Path) -> None:
    (server,) = read_path(str(shared / "cases/injections-2/my-autoinc-slow-select.tar.gz")).members
    waits = monitor_waits(server.innodb_status)
    assert waits is not None
    assert (waits.active, waits.auto_inc_lock, waits.row_lock) == (10, 9, 0)
