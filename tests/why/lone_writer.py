"""A writer alone on its machine that waits at each commit, as the cases of causes describe a server."""

from __future__ import annotations

from typing import Any

from advisor.check.cases import build_cluster
from advisor.check.possible_releases import release_assumptions
from advisor.evidence.member_facts import MemberFacts
from advisor.why.members import members_by_role
from advisor.why.rules.loader import load_causes

ALONE: dict[str, Any] = {
    "server": "mysql 9.7.4",
    "role": "standalone",
    "my.cnf": "sync_binlog = 0\ninnodb_flush_log_at_trx_commit = 2\nbinlog_group_commit_sync_delay = 10000",
    "observed": {"clients": 4},
    "rate": {
        "Binlog_cache_use": 400,
        "Innodb_row_lock_time": 0,
        "Innodb_rows_inserted": 0,
        "Innodb_rows_updated": 400,
        "Innodb_rows_deleted": 0,
    },
    "host": {"cpus": 2, "cpu_util": 0.12, "server_cpus": 0.2, "threads_running": 0.16, "threads_starved": 0.16},
    "tables": {
        "stmts_top": [
            {"at": 0, "count_star": 0, "sum_timer_wait": 0},
            {"at": 10, "count_star": 4000, "sum_timer_wait": 39_600_000_000_000},
        ]
    },
}


def view(**changes: Any) -> MemberFacts:
    """The writer, with some of its evidence replaced."""
    load_causes()
    possible, _ = release_assumptions(build_cluster({**ALONE, **changes}, "test"), ())
    writer = members_by_role(possible[-1]).writer
    assert writer is not None
    return writer


def host(**changes: float) -> dict[str, float]:
    """The figures of its machine, some replaced."""
    return {**ALONE["host"], **changes}
