"""Which threads belong to which group: by the collector's word, else by user, command and state."""

from __future__ import annotations

import pytest

from advisor.model.evidence import Row
from advisor.why.profile.threads import as_applier, coordinators_apply, threads_of
from tests.why.profile.sampled import row, worker

SYSTEM = "system user"


@pytest.mark.parametrize(
    ("seen", "kind"),
    [
        (row("updating"), "client"),
        (row("", command="Sleep", info=""), "client"),
        (row("executing", kind="client"), "client"),
        (row("Waiting for an event from Coordinator", user=SYSTEM, info=""), "applier"),
        (row("Replica has read all relay log; waiting for more updates", user=SYSTEM), "coordinator"),
        (row("Waiting for dependent transaction to commit", user=SYSTEM, info=""), "coordinator"),
        (row("Queueing source event to the relay log", user=SYSTEM, command="Connect"), "receiver"),
        (row("Waiting for master to send event", user=SYSTEM, command="Slave_IO"), "receiver"),
        (row("Commit", user=SYSTEM, command="Slave_SQL"), "coordinator"),
        (row("closing tables", user=SYSTEM, command="Slave_worker"), "applier"),
        (row("wsrep applier committed", user=SYSTEM, command="Sleep", time=900), "applier"),
        (row("Sending to client", user="rpl", command="Binlog Dump GTID"), "dump"),
    ],
)
def test_every_thread_is_of_one_kind(seen: Row, kind: str) -> None:
    assert [(thread.kind, number) for thread, number in threads_of([seen])] == [(kind, 1)]


@pytest.mark.parametrize(
    "seen",
    [
        row("Waiting on empty queue", user="event_scheduler", command="Daemon"),
        row("", command="Sleep", time=30),
        row("executing", info="SELECT … performance_schema"),
        row("init", info="SHOW FULL PROCESSLIST"),
        row("", user="mysql.session", command="Sleep", info="PLUGIN …"),
        row("wsrep aborter idle", user=SYSTEM, command="Sleep"),
        row("waiting for handler commit", user=SYSTEM, command="Connect", info="Group replication applier module"),
        row("connection delegated to Group Replication", command="Group Replicatio"),
        row("wsrep aborter idle", user=SYSTEM, command="Sleep", kind="applier"),
        row("Connection delegated to Group Replication", command="Group Replicatio", kind="client"),
        row("", kind="system", user=""),
    ],
)
def test_the_servers_own_threads_monitoring_and_long_idle_sessions_are_left_out(seen: Row) -> None:
    assert threads_of([seen]) == []


def test_capitals_in_the_columns_of_a_dump_do_not_matter() -> None:
    printed: Row = {"Id": 7, "User": "app", "Command": "Query", "State": "Updating", "Info": "(select 1)", "Time": 3}
    ((thread, number),) = threads_of([printed])
    assert (thread.state, thread.verb, number) == ("updating", "select", 1)


def test_who_hands_out_work_applies_it_himself_where_no_worker_stands_beside_him() -> None:
    idle = row("Replica has read all relay log; waiting for more updates", user=SYSTEM, info="")
    alone, with_worker = threads_of([idle]), threads_of([idle, worker("updating")])
    assert coordinators_apply([alone, alone])
    assert not coordinators_apply([alone, with_worker])
    assert as_applier(alone[0][0]).kind == "applier"
