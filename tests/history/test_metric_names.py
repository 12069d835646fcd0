"""Tests for `advisor.history.metric_names`: every release's name of a metric means the same."""

from __future__ import annotations

import pytest

from advisor.history.metric_names import load_metrics, meaning, metric_of, metrics_that_give


@pytest.mark.parametrize(
    ("labels", "quantity", "item"),
    [
        ({"__name__": "mysql_global_status_commands_total", "command": "commit"}, "status.Com_commit", ""),
        ({"__name__": "mysql_global_status_handlers_total", "handler": "write"}, "status.Handler_write", ""),
        ({"__name__": "mysql_global_status_handler_write"}, "status.Handler_write", ""),
        (
            {"__name__": "mysql_global_status_innodb_row_ops_total", "operation": "inserted"},
            "status.Innodb_rows_inserted",
            "",
        ),
        ({"__name__": "mysql_global_status_innodb_os_log_written"}, "status.Innodb_os_log_written", ""),
        ({"__name__": "mysql_global_status_wsrep_local_recv_queue"}, "status.wsrep_local_recv_queue", ""),
        ({"__name__": "mysql_global_variables_sync_binlog"}, "variable.sync_binlog", ""),
        ({"__name__": "mysql_slave_status_seconds_behind_master"}, "replica.Seconds_Behind_Source", ""),
        (
            {"__name__": "mysql_slave_status_seconds_behind_source", "channel_name": "eu"},
            "replica.Seconds_Behind_Source",
            "eu",
        ),
        ({"__name__": "mysql_slave_status_slave_sql_running"}, "replica.Replica_SQL_Running", ""),
        ({"__name__": "mysql_slave_status_replica_sql_running"}, "replica.Replica_SQL_Running", ""),
        ({"__name__": "node_cpu", "mode": "idle", "cpu": "cpu0"}, "host.cpu_idle_seconds", "cpu0"),
        ({"__name__": "node_cpu_seconds_total", "mode": "idle", "cpu": "0"}, "host.cpu_idle_seconds", "0"),
        ({"__name__": "node_memory_MemTotal"}, "host.memory_bytes", ""),
        ({"__name__": "node_memory_MemTotal_bytes"}, "host.memory_bytes", ""),
    ],
)
def test_a_metric_means_what_the_server_calls_it(labels: dict[str, str], quantity: str, item: str) -> None:
    means = meaning(labels)
    assert means is not None
    assert (means.quantity, means.item) == (quantity, item)


def test_texts_come_from_labels() -> None:
    means = meaning({"__name__": "mysql_version_info", "version": "8.4.2", "version_comment": "Source"})
    assert means is not None
    assert (means.quantity, dict(means.texts)) == ("", {"version": "8.4.2", "version_comment": "Source"})


def test_a_metric_of_another_event_is_not_taken_for_the_redo_log() -> None:
    labels = {"__name__": "mysql_perf_schema_file_events_total", "mode": "misc", "event_name": "wait/io/file/sql/FRM"}
    assert meaning(labels) is None


@pytest.mark.parametrize(
    ("quantity", "names"),
    [
        ("status.Com_commit", {"mysql_global_status_commands_total", "mysql_global_status_com_commit"}),
        (
            "replica.Seconds_Behind_Source",
            {"mysql_slave_status_seconds_behind_source", "mysql_slave_status_seconds_behind_master"},
        ),
        (
            "replica.Replica_SQL_Running",
            {"mysql_slave_status_replica_sql_running", "mysql_slave_status_slave_sql_running"},
        ),
    ],
)
def test_a_quantity_is_asked_for_under_all_its_names(quantity: str, names: set[str]) -> None:
    assert set(metrics_that_give([quantity])) == names


def test_every_flag_is_one_of_the_exporter() -> None:
    assert {metric.brings[:10] for metric in load_metrics() if metric.brings} == {"--collect."}
    entry = metric_of("statements.count")
    assert entry is not None
    assert entry.brings == "--collect.perf_schema.eventsstatementssum"
