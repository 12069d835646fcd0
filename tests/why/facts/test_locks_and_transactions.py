"""Facts read off the lock tables, the list of open transactions, the binary log's number and INNODB_CMP."""

from __future__ import annotations

from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Row, TableSnapshot
from advisor.model.server import Role
from tests.why.profile.sampled import member, row, view

HELD: Row = {"lock": "row", "waiter": "applier", "blocker": "client", "blocker_command": "Sleep", "blocker_state": "",
             "blocker_info": "", "blocker_seconds": 30, "count": 3}  # fmt: skip
COMMITS: Row = {**HELD, "waiter": "client", "blocker_command": "Query", "blocker_state": "waiting for handler commit",
                "blocker_info": "UPDATE …", "blocker_seconds": 0, "count": 1}  # fmt: skip


def seen(table: str, *moments: Row, role: Role = Role.STANDALONE) -> MemberFacts:
    """A member with a row of a table at 0, 10, … seconds."""
    tables = [TableSnapshot(table, (cells,), at * 10.0) for at, cells in enumerate(moments)]
    return view(member([[row("updating", kind="client")]] * 2, tables=tables, role=role))


def test_who_holds_a_lock_is_counted_by_waits() -> None:
    e = seen("lock_waits", HELD, COMMITS)
    assert e["fact.lock_holder_idle_share"] == 0.75
    assert e["fact.lock_holder_in_commit_share"] == 0.25
    assert e["fact.lock_holder_long_share"] == 0.75
    assert e["fact.lock_holder_in_words"] == "a client thread (idle in its transaction)"


def test_an_applier_behind_a_session_is_a_share_of_the_readings() -> None:
    assert seen("lock_waits", HELD, COMMITS, role=Role.REPLICA)["fact.appliers_blocked_by_sessions_share"] == 0.5


def test_without_lock_tables_nothing_is_known_of_holders() -> None:
    assert isinstance(seen("plugins", {}).value("fact.lock_holder_idle_share"), Missing)


def test_the_largest_and_the_oldest_transaction() -> None:
    first: Row = {"open": 2, "oldest_seconds": 3, "most_rows_modified": 10, "most_rows_locked": 99}
    e = seen("open_transactions", first, {**first, "oldest_seconds": 13, "most_rows_modified": 20_000})
    assert (e["fact.oldest_transaction_seconds"], e["fact.largest_transaction_rows"]) == (13, 20_000)
    assert e["fact.largest_transaction_rows_of_peers"] == 20_000


def test_history_grows_and_files_are_begun() -> None:
    metric: Row = {"NAME": "trx_rseg_history_len", "COUNT": 100, "TIME_ENABLED": "x", "STATUS": "enabled"}
    assert seen("innodb_metrics", metric, {**metric, "COUNT": 600})["fact.history_growth_per_second"] == 50
    assert (
        seen("binary_log_status", {"File": "binlog.000009"}, {"File": "binlog.000029"})["fact.rotations_per_second"]
        == 2
    )


def test_pages_are_compressed_for_seconds_of_cpu_time() -> None:
    cells: Row = {"page_size": 8192, "compress_time": 4, "uncompress_time": 1}
    assert seen("innodb_cmp", cells, {**cells, "compress_time": 9})["fact.page_compression_cpus"] == 0.5
