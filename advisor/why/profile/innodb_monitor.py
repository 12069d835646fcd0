"""What does InnoDB's monitor say that its active transactions wait for? One moment, for lists without a `trx` column.

The monitor prints each transaction with its operation ("setting auto-inc lock"), LOCK WAIT where it waits, and how many
queries are inside InnoDB and how many queue for it (storage/innobase/lock/lock0lock.cc, srv0srv.cc; the queue was
removed from MariaDB 10.6).
"""

from __future__ import annotations

import re
from typing import Final

from advisor.model.record import record

SOURCE: Final = "SHOW ENGINE INNODB STATUS"
_LEAST_TRANSACTIONS: Final = 4  # fewer at one moment are no sample
_TRANSACTION: Final = re.compile(r"^---TRANSACTION [^\n]*?, ACTIVE\b([^\n]*)\n(.*?)(?=^---|\Z)", re.M | re.S)
_QUEUE: Final = re.compile(r"^(\d+) queries inside InnoDB, (\d+) queries in queue", re.MULTILINE)


@record
class MonitorWaits:
    """Of the transactions that are active and not in their commit, how many wait, and for what.

    `inside` and `queued`: queries inside InnoDB, and waiting to enter it.
    """

    active: int
    row_lock: int
    auto_inc_lock: int
    inside: int
    queued: int

    def shares(self) -> dict[str, float]:
        """Class → its share of the work inside statements; {} where too few were active to tell."""
        shares = {}
        if self.active >= _LEAST_TRANSACTIONS:
            shares = {"row_lock": self.row_lock / self.active, "auto_inc_lock": self.auto_inc_lock / self.active}
        if self.queued and self.inside + self.queued >= _LEAST_TRANSACTIONS:
            shares["innodb_ticket"] = self.queued / (self.inside + self.queued)
        return {name: share for name, share in shares.items() if share}


def monitor_waits(text: str) -> MonitorWaits | None:
    """What one monitor output says; None where it has no list of transactions."""
    begin = text.find("LIST OF TRANSACTIONS")
    if begin < 0:
        return None
    end = text.find("\nFILE I/O", begin)
    active = row_lock = auto_inc = 0
    for operation, body in _TRANSACTION.findall(text[begin : end if end > 0 else len(text)]):
        if "PREPARED" in operation or "committing" in operation:
            continue
        active += 1
        if "auto-inc" in operation:
            auto_inc += 1
        elif re.search(r"^LOCK WAIT", body, re.MULTILINE):
            row_lock += 1
    queue = _QUEUE.search(text)
    inside, queued = (int(queue[1]), int(queue[2])) if queue else (0, 0)
    return MonitorWaits(active, row_lock, auto_inc, inside, queued)
