"""Who used the CPUs: workers, the coordinator, the rest of the replica, its source, others?"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from advisor.client import Session
from advisor.model.record import record
from advisor.model.server import Family

WORKER, COORDINATOR, REST = "worker", "coordinator", "rest"
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_MYSQL: Final = {"rpl_rca_wkr": WORKER, "rpl_rca_sql": COORDINATOR}
_MARIADB: Final = {"slave_worker": WORKER, "slave_sql": COORDINATOR}


@record
class Counted:
    """Seconds since the machine started. `ran` and `waited` (for a CPU) of the replica's threads, by kind.

    `own`: of source, replica and this program. `busy`: of all CPUs.
    """

    at: float
    ran: Mapping[str, float]
    waited: Mapping[str, float]
    own: float
    busy: float


def thread_kinds(family: Family, pid: int, session: Session) -> dict[str, str]:
    """Thread → kind, of those that apply; MySQL names its threads, MariaDB lists them."""
    if family is Family.MYSQL:
        comms = {path.parent.name: path.read_text().strip() for path in Path(f"/proc/{pid}/task").glob("*/comm")}
        return {thread: _MYSQL[name[:11]] for thread, name in comms.items() if name[:11] in _MYSQL}
    rows = session.rows("SELECT TID AS tid, COMMAND AS command FROM information_schema.PROCESSLIST")
    kinds = {str(row["tid"]): _MARIADB.get(str(row["command"]).lower(), REST) for row in rows}
    return {thread: kind for thread, kind in kinds.items() if kind != REST}


def count(replica: int, source: int, kinds: Mapping[str, str]) -> Counted:
    """The counters now."""
    ran, waited = dict.fromkeys((WORKER, COORDINATOR, REST), 0.0), dict.fromkeys((WORKER, COORDINATOR, REST), 0.0)
    for thread in os.listdir(f"/proc/{replica}/task"):
        try:
            words = Path(f"/proc/{replica}/task/{thread}/schedstat").read_text().split()
        except OSError:
            continue
        kind = kinds.get(thread, REST)
        ran[kind] += int(words[0]) / 1e9
        waited[kind] += int(words[1]) / 1e9
    stat = [int(word) for word in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    busy = (sum(stat) - stat[3] - stat[4]) / _TICKS
    own = _process_seconds(source) + _process_seconds(replica) + time.process_time()
    return Counted(time.monotonic(), ran, waited, own, busy)


def _process_seconds(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / _TICKS
