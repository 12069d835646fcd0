"""What a thread waits for: lock waits first, then the event, the CPU, the state, the kernel; work explains nothing."""

from __future__ import annotations

import pytest

from advisor.model.evidence import Row
from advisor.why.profile.classify import Recogniser
from advisor.why.profile.threads import threads_of
from advisor.why.rules.wait_class_files import load_wait_classes
from tests.why.profile.sampled import row, worker

COMMIT = "waiting for handler commit"
RECEIVER = {"user": "system user", "command": "Connect", "info": "", "kind": "receiver"}


def class_of(seen: Row, *holding: str) -> str:
    recogniser = Recogniser(load_wait_classes(), frozenset(holding))
    ((thread, _),) = threads_of([seen])
    return recogniser.classify(thread).wait_class


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (row("", command="Sleep", info="", os="S", wchan="poll_schedule_timeout"), "client_time"),
        (row("updating", trx="lock wait", os="S"), "row_lock"),
        (row(COMMIT, trx="lock wait", info="COMMIT …", os="R"), "on_cpu"),
        (row("User sleep", trx="lock wait", info="DO …", os="S"), "user_sleep"),
        (row("User sleep", trx="auto-inc lock wait", info="INSERT …", os="S"), "auto_inc_lock"),
        (row("update", trx="auto-inc lock wait"), "auto_inc_lock"),
        (row("update", trx="setting auto-inc lock"), "auto_inc_lock"),
        (row("update", trx="sleeping before entering InnoDB", os="R"), "innodb_ticket"),
        (row("Waiting for table metadata lock", os="R"), "metadata_lock"),
        (row("Waiting for table flush"), "global_read_lock"),
        (row("Waiting for table level lock"), "table_lock"),
        (row("Waiting for table"), "metadata_lock"),
        (row("updating", event="wait/synch/mutex/innodb/buf_pool_LRU_list_mutex", os="R"), "latch"),
        (row("updating", event="wait/io/file/innodb/innodb_data_file", os="D"), "page_read"),
        (row("updating", event="wait/io/table/sql/handler", os="R"), "on_cpu"),
        (row(COMMIT, event="wait/io/file/sql/binlog"), "binlog_sync"),
        (row(COMMIT, event="wait/io/file/sql/binlog", os="R"), "on_cpu"),
        (row(COMMIT, event="wait/synch/cond/sql/MYSQL_BIN_LOG::COND_done", os="S"), "group_commit"),
        (row(COMMIT, os="R"), "on_cpu"),
        (row("Waiting for semi-sync ACK from slave", os="S"), "semisync_ack"),
        (row("Compressing transaction changes.", os="R"), "compression"),
        (row("copy to tmp table", os="R", info="ALTER …"), "schema_change"),
        (row("altering table"), "schema_change"),
        (row("committing alter table to storage engine"), "schema_change"),
        (row("Copying to tmp table"), "statement_work"),
        (row(COMMIT, os="D", call="fdatasync binlog"), "binlog_sync"),
        (row(COMMIT, os="D", call="fsync redo"), "redo_sync"),
        (row(COMMIT, os="D", wchan="jbd2_log_wait_commit"), "log_sync"),
        (row(COMMIT, os="D"), "log_sync"),
        (row("updating", os="D", wchan="jbd2_log_wait_commit"), "file_io_other"),
        (row("updating", os="S", call="pread tablespace"), "page_read"),
        (row("init", os="S", call="poll"), "client_time"),
        (row("Sending data", os="S", wchan="sk_stream_wait_memory"), "network_send"),
        (row(COMMIT, os="S", call="futex"), "group_commit"),
        (row("Commit"), "group_commit"),
        (row("starting", info="COMMIT …"), "group_commit"),
        (row("starting", info="COMMIT", os="S", call="futex"), "group_commit"),
        (row("Executing hook on transaction begin."), "consistency_wait"),
        (row("wsrep: initiating pre-commit for write set (123)"), "certification"),
        (row("Waiting for certification"), "certification"),
    ],
)
def test_a_sessions_wait_is_named_by_the_best_evidence(seen: Row, expected: str) -> None:
    assert class_of(seen) == expected


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (worker("Waiting for preceding transaction to commit"), "commit_order"),
        (worker("Waiting for certification"), "commit_order"),
        (worker("Waiting for prior transaction to start commit before starting next transaction"), "dependency"),
        (worker("Waiting for an event from Coordinator", os="S"), "worker_idle"),
        (worker("", command="Sleep"), "worker_idle"),
        (worker("", command="Sleep", os="S", call="futex"), "worker_idle"),
        (worker("Applying batch of row changes (update)"), "statement_work"),
        (worker("Applying batch of row changes (update)", os="R"), "on_cpu"),
        (worker("Waiting until SOURCE_DELAY seconds after source executed event"), "source_delay"),
        (worker("Waiting for Slave Worker queue", kind="coordinator"), "coordinator_wait"),
        (worker("", event="wait/synch/cond/sql/Worker_info::jobs_cond"), "worker_idle"),
        (worker("", event="wait/synch/cond/sql/Worker_info::jobs_cond", kind="coordinator"), "coordinator_wait"),
        (worker("", event="wait/synch/cond/sql/Commit_order_manager::m_workers.cond"), "commit_order"),
        (row("Queueing source event to the relay log", **RECEIVER), "relay_log_write"),
        (row("", os="D", **RECEIVER), "relay_log_write"),
        (row("Waiting for source to send event", os="S", call="poll", **RECEIVER), "receiver_wait"),
        (row("Sending to client", user="rpl", command="Binlog Dump"), "network_send"),
    ],
)
def test_a_replication_threads_wait_is_named_too(seen: Row, expected: str) -> None:
    assert class_of(seen) == expected


def test_what_a_statement_does_explains_nothing_when_the_kernel_says_that_the_thread_sleeps() -> None:
    assert class_of(row("updating")) == "statement_work"
    assert class_of(row("updating", os="S", call="futex")) == "unexplained"
    assert class_of(row("a state that nobody has seen")) == "unexplained"


def test_some_words_count_only_under_the_settings_that_make_them_mean_it() -> None:
    asleep = row(COMMIT, os="S", call="nanosleep")
    assert class_of(asleep) == "group_commit"
    assert class_of(asleep, "binlog_group_commit_sync_delay > 0") == "commit_delay"
    inside = row("updating", os="S", wchan="hrtimer_nanosleep")
    assert class_of(inside) == "unexplained"
    assert class_of(inside, "innodb_thread_concurrency > 0") == "innodb_ticket"
    read = row("starting", info="SELECT …")
    assert class_of(read) == "statement_work"
    assert class_of(read, "fact.is_galera_node") == "consistency_wait"
    assert class_of(row("starting"), "fact.is_galera_node") == "statement_work"
