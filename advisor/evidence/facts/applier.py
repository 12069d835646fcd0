"""How does this server apply what others committed: with how many workers, under which scheduling, how durably?"""

from __future__ import annotations

from advisor.evidence.facts import fact
from advisor.evidence.view import View
from advisor.model.server import Family


@fact("workers")
def applier_workers(e: View) -> int:
    """How many workers apply replicated transactions in parallel; 0 and 1 both mean one after the other.

    Galera nodes: `wsrep_slave_threads`. MariaDB: `slave_parallel_threads`, and 0 under `slave_parallel_mode=none`,
    which keeps the threads and does not use them. MySQL, also for the channels of Group Replication:
    `replica_parallel_workers`. Sources: the manuals' pages of these variables.
    """
    if e["fact.is_galera_node"]:
        return int(e["wsrep_slave_threads"])
    if e.release.family is Family.MARIADB:
        return 0 if str(e.get("slave_parallel_mode", "")).lower() == "none" else int(e["slave_parallel_threads"])
    return int(e["replica_parallel_workers"])
