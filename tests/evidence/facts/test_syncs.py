"""How much of the time commits wait for the disk, and how many share one wait."""

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member, Sample, TableSnapshot
from advisor.options import read_text, resolve


def view(server, *lines, rates=None, tables=(), observed=None):
    release = parse_release(server)[-1]
    reading = read_text("\n".join(["[mysqld]", *lines]), "my.cnf")
    samples = ()
    if rates is not None:
        samples = (
            Sample(0.0, dict.fromkeys(rates, 0)),
            Sample(10.0, {name: 10 * rate for name, rate in rates.items()}),
        )
    facts = {name: Fact(name, value) for name, value in (observed or {}).items()}
    member = Member("server", options=reading, samples=samples, tables=tuple(tables), observed=facts)
    return MemberFacts(member, release, resolve(reading, release), None)


def waits(at_seconds, redo_picoseconds, binlog_picoseconds, name="sum_timer_wait"):
    rows = (
        {"event_name": "wait/io/file/innodb/innodb_log_file", name: redo_picoseconds},
        {"event_name": "wait/io/file/sql/binlog", name: binlog_picoseconds},
        {"event_name": "wait/io/file/innodb/innodb_data_file", name: at_seconds * 10**12},
    )
    return TableSnapshot("events_waits_summary_global_by_event_name", rows, at_seconds)


def test_the_performance_schema_says_how_long_the_logs_were_busy():
    measured = view("mysql 9.7.4", tables=(waits(0, 0, 0), waits(10, 3 * 10**12, 2 * 10**12)))
    assert measured.value("fact.commit_sync_share") == pytest.approx(0.5)
    always = view("mysql 9.7.4", tables=(waits(0, 0, 0), waits(10, 9 * 10**12, 8 * 10**12)))
    assert always.value("fact.commit_sync_share") == 1


def test_without_it_the_groups_times_the_time_of_their_syncs():
    rates = {"Binlog_commits": 400, "Binlog_group_commits": 200}
    known = view("mariadb 10.11.6", "log_bin", "sync_binlog = 1", rates=rates, observed={"fsync_ms": 1.5})
    assert known.value("fact.transactions_per_sync") == 2
    assert known.value("fact.syncs_per_commit") == 2
    assert known.value("fact.commit_sync_share") == pytest.approx(0.6)
    unknown = view("mariadb 10.11.6", "log_bin", "sync_binlog = 1", rates=rates)
    assert unknown.value("fact.commit_sync_share") == Missing(("host.fsync_ms",))


def test_mysql_shares_a_sync_of_the_redo_log():
    rates = {"Binlog_cache_use": 2691, "Innodb_os_log_fsyncs": 897}
    assert view("mysql 9.7.4", rates=rates).value("fact.transactions_per_sync") == 3
    more_syncs = {"Binlog_cache_use": 100, "Innodb_os_log_fsyncs": 120}  # the background syncs too
    assert view("mysql 9.7.4", rates=more_syncs).value("fact.transactions_per_sync") == 1


def test_one_client_shares_with_nobody_and_without_syncs_there_is_nothing_to_share():
    assert view("mysql 8.4.3", observed={"clients": 1}).value("fact.transactions_per_sync") == 1
    relaxed = view("mysql 8.4.3", "innodb_flush_log_at_trx_commit = 2", "sync_binlog = 0", observed={"clients": 1})
    assert relaxed.value("fact.transactions_per_sync") == Missing(absent=("fact.transactions_per_sync",))


def test_a_reset_between_two_readings_is_no_share():
    restarted = view("mysql 8.4.3", tables=(waits(0, 10**12, 10**12), waits(10, 0, 0)), rates={"Binlog_cache_use": 1})
    assert isinstance(restarted.value("fact.commit_sync_share"), Missing)
