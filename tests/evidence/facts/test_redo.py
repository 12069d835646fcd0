"""How large the redo log is in each release, and how full: the formulas against what real servers showed."""

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Member, Sample, TableSnapshot
from advisor.options import read_text, resolve

MIB = 1024**2
GIB = 1024**3


def view(server: str, options: str = "", **evidence) -> MemberFacts:
    """A server of one release with these option lines and this evidence."""
    release = parse_release(server)[0]
    reading = read_text(f"[mysqld]\n{options}\n", "my.cnf")
    return MemberFacts(Member("db", options=reading, **evidence), release, resolve(reading, release), None)


@pytest.mark.parametrize(
    ("server", "options", "expected"),
    [
        ("mysql-5.7.44", "", 96 * MIB),
        ("mysql-5.7.44", "innodb_log_file_size=1G\ninnodb_log_files_in_group=3", 3 * GIB),
        ("mysql-8.0.28", "innodb_log_file_size=1G", 2 * GIB),
        ("mysql-8.0.36", "", 100 * MIB),
        ("mysql-8.0.36", "innodb_log_file_size=1G", 2 * GIB),
        ("mysql-8.0.36", "innodb_log_files_in_group=4", 192 * MIB),
        ("mysql-8.0.36", "innodb_log_file_size=1G\ninnodb_redo_log_capacity=512M", 512 * MIB),
        ("mysql-8.4.3", "innodb_redo_log_capacity=8G", 8 * GIB),
        ("mysql-9.7.0", "", 100 * MIB),
        ("mariadb-10.5.20", "innodb_log_file_size=1G\ninnodb_log_files_in_group=3", GIB),
        ("mariadb-11.4.2", "", 96 * MIB),
    ],
)
def test_the_size_that_counts_in_each_release(server, options, expected):
    assert view(server, options).value("fact.redo_capacity_bytes") == expected


def test_what_the_server_reports_beats_its_variable():
    samples = (Sample(0.0, {"Innodb_redo_log_capacity_resized": 4 * GIB}),)
    assert view("mysql-8.0.36", samples=samples).value("fact.redo_capacity_bytes") == 4 * GIB


@pytest.mark.parametrize("server", ["mysql-8.0.28", "mysql-8.0.36", "mysql-8.4.3"])
def test_a_dedicated_server_sizes_its_redo_itself(server):
    dedicated = view(server, "innodb_dedicated_server=ON")
    assert isinstance(dedicated.value("fact.redo_capacity_bytes"), Missing)


@pytest.mark.parametrize("server", ["mysql-8.0.28", "mysql-8.0.36"])
def test_a_dedicated_server_keeps_a_size_that_was_given(server):
    given = view(server, "innodb_dedicated_server=ON\ninnodb_log_file_size=1G")
    assert given.value("fact.redo_capacity_bytes") == 2 * GIB


@pytest.mark.parametrize(
    ("server", "options", "shown_by_a_real_server"),
    [
        ("mysql-9.7.0", "innodb_redo_log_capacity=1G", 0.776 * GIB),
        ("mysql-9.7.0", "innodb_redo_log_capacity=128M", 0.775 * 128 * MIB),
        ("mysql-5.7.44", "", 70.7e6),
        # 7/8 of Innodb_checkpoint_max_age
        ("mariadb-10.11.6", "innodb_log_file_size=16M", 12_871_804 * 7 / 8),
        ("mariadb-10.11.6", "innodb_log_file_size=1G", 869_013_136 * 7 / 8),
    ],
)
def test_the_async_limit_is_that_of_real_servers(server, options, shown_by_a_real_server):
    limit = view(server, options).value("fact.redo_async_flush_bytes")
    assert limit == pytest.approx(shown_by_a_real_server, rel=0.002)


def test_many_allowed_threads_take_redo_away_before_8_0_30():
    few, many = (view("mysql-5.7.44", f"innodb_thread_concurrency={n}") for n in (0, 500))
    reserved = 0.9 * 500 * 4 * 16384 * 7 / 8
    lost = few.value("fact.redo_async_flush_bytes") - many.value("fact.redo_async_flush_bytes")
    assert lost == pytest.approx(reserved, abs=2)


def test_the_lowest_age_counts():
    def at(second: float, age: int) -> Sample:
        return Sample(second, {"Innodb_redo_log_current_lsn": 10**9, "Innodb_redo_log_checkpoint_lsn": 10**9 - age})

    burst = view("mysql-8.4.3", samples=(at(0, 10_000_000), at(10, 80_000_000)))
    assert burst.value("fact.checkpoint_age_share") == pytest.approx(10_000_000 / (0.775 * 100 * MIB), rel=0.001)


def test_two_dumps_of_the_innodb_status_are_two_readings():
    text = "LOG\n---\nLog sequence number 500000000\nLog flushed up to   1\nLast checkpoint at  {}\n"
    one = view("mysql-5.7.44", innodb_status=text.format(430000000))
    two = view("mysql-5.7.44", innodb_status=text.format(430000000) + text.format(432000000))
    assert isinstance(one.value("fact.checkpoint_age_share"), Missing)
    assert two.value("fact.checkpoint_age_share") == pytest.approx(68e6 / 70.7e6, rel=0.002)


def metric(second: float, name: str, count: int, status: str = "enabled") -> TableSnapshot:
    """One row of information_schema.innodb_metrics at one moment."""
    return TableSnapshot("innodb_metrics", ({"NAME": name, "COUNT": count, "STATUS": status},), second)


def test_waits_for_room_are_counted_in_order_of_time_not_of_reading():
    tables = (metric(10, "log_on_file_space_waits", 75), metric(0, "log_on_file_space_waits", 45))
    assert view("mysql-9.7.0", tables=tables).value("fact.redo_space_waits_per_second") == 3


def test_a_metric_that_was_reset_says_nothing():
    tables = (metric(0, "log_on_file_space_waits", 75), metric(10, "log_on_file_space_waits", 3))
    assert isinstance(view("mysql-9.7.0", tables=tables).value("fact.redo_space_waits_per_second"), Missing)


def test_the_rate_is_that_of_the_log_sequence_number():
    samples = (Sample(0.0, {"Innodb_lsn_current": 0}), Sample(10.0, {"Innodb_lsn_current": 20 * MIB}))
    measured = view("mariadb-10.11.6", "innodb_log_file_size=1G\ninnodb_buffer_pool_size=8G", samples=samples)
    assert measured.value("fact.redo_bytes_per_second") == 2 * MIB
    limit = measured.value("fact.redo_async_flush_bytes")
    assert measured.value("fact.redo_minutes") == pytest.approx(limit / (2 * MIB) / 60)
    assert measured.value("fact.redo_capacity_for_half_an_hour_bytes") == 21 * 256 * MIB


def test_more_redo_than_four_pools_is_not_asked_for():
    samples = (Sample(0.0, {"Innodb_lsn_current": 0}), Sample(10.0, {"Innodb_lsn_current": 20 * MIB}))
    small = view("mariadb-10.11.6", "innodb_buffer_pool_size=300M", samples=samples)
    assert small.value("fact.redo_capacity_of_use_bytes") == 1200 * MIB
    assert small.value("fact.redo_capacity_for_half_an_hour_bytes") == 5 * 256 * MIB


def test_an_idle_server_fills_no_redo():
    samples = (Sample(0.0, {"Innodb_lsn_current": 5}), Sample(10.0, {"Innodb_lsn_current": 5}))
    assert isinstance(view("mariadb-10.11.6", samples=samples).value("fact.redo_seconds"), Missing)
