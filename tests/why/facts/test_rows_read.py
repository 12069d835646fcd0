"""Rows read on a replica: by the applier that searches without a key, or by clients of the replica's own."""

from __future__ import annotations

from typing import Any

from advisor.check.cases import build_cluster
from advisor.check.possible_releases import release_assumptions
from advisor.why import diagnose

SEARCHING = {"user": "system user", "command": "Slave_worker", "state": "Update_rows_log_event::find_row(7)"}
IDLE = {**SEARCHING, "state": "Waiting for work from SQL thread"}
REPORT = {"user": "report", "command": "Query", "state": "Sending data", "info": "SELECT", "time": 90}
POINT = {"user": "shop", "command": "Sleep", "state": "", "info": "", "time": 0}
MARIADB = {"Handler_update": 2000, "Handler_delete": 0, "Handler_read_rnd_next": 4_000_000, "Rows_tmp_read": 600}
MYSQL = {"Innodb_rows_read": 600_000, "Innodb_rows_updated": 200, "Innodb_rows_deleted": 0}


def keyless(server: str, rate: dict[str, int], sessions: list[dict[str, Any]], examined: int | None = None) -> float:
    """How surely the signs of a replica, seen in 30 process lists, point to a missing key; clients examined some."""
    lists = [{"at": at / 3, **session} for at in range(30) for session in sessions]
    tables: dict[str, list[dict[str, Any]]] = {"processlist": lists}
    if examined is not None:
        ends = [{"at": at, "event_name": "statement/sql/select", "sum_rows_examined": at * examined} for at in (0, 10)]
        tables["events_statements_summary_global_by_event_name"] = ends
    given = {"server": server, "role": "replica", "rate": rate, "tables": tables}
    found = diagnose(build_cluster(given, "test"))
    return next((one.by_signs for one in found.causes if one.cause.id == "applier_no_pk"), 0.0)


def test_an_applier_that_is_seen_searching_lacks_a_key() -> None:
    assert keyless("mariadb 10.11.8", MARIADB, [SEARCHING]) > 0.9
    assert keyless("mariadb 10.11.8", MARIADB, [SEARCHING, REPORT]) > 0.9
    assert keyless("mariadb 10.11.8", {"Handler_update": 1, "Handler_delete": 0}, [IDLE]) == 0


def test_reports_on_a_replica_are_not_taken_for_an_applier_that_searches() -> None:
    assert 0 < keyless("mariadb 10.11.8", MARIADB, [IDLE, REPORT]) < 0.5
    assert 0 < keyless("mysql 8.4.3", MYSQL, [REPORT]) < 0.5


def test_what_clients_examined_tells_whose_reads_it_were() -> None:
    assert keyless("mysql 8.4.3", MYSQL, [POINT], examined=590_000) < 0.25
    assert keyless("mysql 8.4.3", MYSQL, [POINT], examined=2_000) > 0.8


def test_a_report_that_has_not_ended_is_not_counted_yet() -> None:
    assert 0 < keyless("mysql 8.4.3", MYSQL, [REPORT], examined=2_000) < 0.5


def test_a_transaction_that_scans_keeps_little_of_its_cpu_time_without_the_scan() -> None:
    def left(scanned_per_second: float) -> float:
        rate = {"Handler_read_rnd_next": scanned_per_second, "Handler_update": 100, "Handler_delete": 0}
        given = {"server": "mysql 8.4.3", "role": "standalone", "rate": {**rate, "Binlog_cache_use": 100}}
        possible, _ = release_assumptions(build_cluster(given, "test"), ())
        return float(possible[-1].views[0].value("fact.cpu_share_without_scans"))

    assert left(0) == 1.0
    assert left(100 * 20_000) < 0.05 < left(100 * 2_000) < 0.5
