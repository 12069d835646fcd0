"""Sampled sessions: which work a thread does, and what is kept of it."""

from __future__ import annotations

import pytest

from advisor.collect.member.process_list import counted
from advisor.collect.member.thread_kinds import kind_of
from advisor.model.server import Family


@pytest.mark.parametrize(
    ("family", "row", "variables", "kind"),
    [
        (Family.MYSQL, {"name": "thread/sql/one_connection", "Command": "Query"}, {}, "client"),
        (Family.MYSQL, {"name": "thread/sql/one_connection", "Command": "Binlog Dump GTID"}, {}, "dump"),
        (Family.MYSQL, {"name": "thread/sql/replica_sql"}, {"replica_parallel_workers": "4"}, "coordinator"),
        (Family.MYSQL, {"name": "thread/sql/slave_sql"}, {"slave_parallel_workers": "0"}, "applier"),
        (Family.MYSQL, {"name": "thread/sql/replica_worker"}, {"replica_parallel_workers": "4"}, "applier"),
        (Family.MYSQL, {"name": "thread/sql/replica_io"}, {}, "receiver"),
        (Family.MYSQL, {"name": "thread/sql/event_scheduler", "Command": "Daemon"}, {}, "system"),
        (Family.MARIADB, {"User": "app", "Command": "Query"}, {}, "client"),
        (Family.MARIADB, {"User": "system user", "Command": "Slave_SQL"}, {"slave_parallel_threads": "0"}, "applier"),
        (Family.MARIADB, {"User": "system user", "Command": "Slave_worker"}, {"slave_parallel_threads": "4"},
         "applier"),
        (Family.MARIADB, {"User": "system user", "Command": "Slave_IO"}, {}, "receiver"),
        (Family.MARIADB, {"User": "system user", "Command": "Sleep", "State": "wsrep applier idle"}, {}, "applier"),
        (Family.MARIADB, {"User": "system user", "Command": "Sleep", "State": "wsrep aborter idle"}, {}, "system"),
        (Family.MARIADB, {"User": "system user", "Command": "Daemon"}, {}, "system"),
    ],
)  # fmt: skip
def test_the_work_of_a_thread(family: Family, row: dict[str, object], variables: dict[str, str], kind: str) -> None:
    assert kind_of(family, row, variables) == kind


def test_threads_that_wait_in_different_calls_are_counted_apart() -> None:
    row = {"User": "app", "Command": "Query", "State": "waiting for handler commit", "Time": 0, "kind": "client"}
    rows = [{**row, "os": "S", "call": "futex"}] * 3 + [{**row, "os": "D", "call": "fdatasync binlog"}]
    assert [(seen["call"], seen["count"]) for seen in counted(rows)] == [("fdatasync binlog", 1), ("futex", 3)]
    assert "event" not in counted(rows)[0]
