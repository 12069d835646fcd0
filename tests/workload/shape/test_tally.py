"""The load that is shown is the load that was run: counts by hand, and quantiles against exact ones."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as how_often
from hypothesis import strategies as some

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.read import LogReading
from advisor.errors import InputError
from advisor.model.server import Family
from advisor.model.workload.shape import Workload
from advisor.model.workload.transaction import Kind, MariadbGtid, TableChange, Transaction
from advisor.report.words.layout import Page
from advisor.report.workload import show_document, show_html, show_text
from advisor.workload.shape.commit_groups import GroupTally
from advisor.workload.shape.over_time import RateTally
from advisor.workload.shape.spread import SpreadTally
from advisor.workload.shape.tables import HotRows
from advisor.workload.shape.tally import workload_of

SAMPLES = Path(__file__).parents[2] / "binlog" / "samples"


def load_of(name: str) -> Workload:
    reading = LogReading([str(SAMPLES / name)], Wanted(keys=True))
    return workload_of(reading, reading.transactions(), with_keys=True)


def committed(number: int, last_committed: int | None = None, commit_id: int | None = None) -> Transaction:
    """A transaction of one row."""
    change = TableChange("shop.t", 1, 0, 0, 50, (number,))
    flags = None if commit_id is None else 4
    gtid = MariadbGtid(0, 1, number)
    return Transaction(
        "binlog.000001", number * 100, number * 100 + 100, 1, gtid, 1000.0 + number, 1000, None, None, last_committed,
        number, commit_id or None, flags, Kind.ROWS, 100, None, 5, 1, (change,),
    )  # fmt: skip


def test_the_load_of_a_real_mysql_log() -> None:
    load = load_of("mysql-9.7.4")
    assert (load.transactions, load.ddl_count, load.unknown_rows) == (39, 12, 4)
    assert load.rows.most == 35
    assert load.by_kind == {"rows": 22, "statements": 4, "ddl": 12, "other": 1}
    orders = next(table for table in load.tables if table.table == "shop.orders")
    assert (orders.inserted, orders.updated, orders.deleted, orders.has_key) == (37, 9, 1, True)
    assert load.commit_delay_ms is None, "the log of the source itself"
    assert "WRITESET" in load.groups.unknown
    assert load.packed_bytes is not None
    assert 0.85 < load.packed_bytes / load.size_bytes.total < 0.95


def test_the_load_of_a_real_mariadb_log() -> None:
    load = load_of("mariadb-10.11.19")
    assert load.family is Family.MARIADB
    assert load.domains == (0, 5)
    assert load.groups.sizes is not None
    assert load.groups.sizes.most == 1
    assert load.groups.alone_share == 1.0


@pytest.mark.parametrize("name", ["mysql-9.7.4", "mariadb-10.11.19"])
def test_every_format_shows_it(name: str) -> None:
    load = load_of(name)
    text = show_text.render(load, Page(80))
    assert max(map(len, text.splitlines())) <= 80
    assert "shop.orders" in text
    document = json.loads(show_document.render(load))
    assert document["schema"] == "advisor/workload/1"
    assert "orders" in show_html.render(load)


@given(some.lists(some.integers(0, 10**9), min_size=1, max_size=300))
@how_often(max_examples=30)
def test_a_spread_is_within_two_percent(values: list[int]) -> None:
    tally = SpreadTally()
    for value in values:
        tally.add(value)
    spread = tally.spread()
    assert spread.median == pytest.approx(statistics.median_low(values), rel=0.02)
    assert (spread.most, spread.total, spread.count) == (max(values), sum(values), len(values))


def test_intervals_stay_few_and_lose_nothing() -> None:
    tally = RateTally()
    for at in range(0, 1_000_000, 7):
        tally.add(float(at), 2, 10)
    intervals = tally.intervals()
    assert len(intervals) <= 2048
    assert sum(interval.transactions for interval in intervals) == len(range(0, 1_000_000, 7))
    assert sum(interval.rows for interval in intervals) == 2 * len(range(0, 1_000_000, 7))


def test_groups_are_told_by_commit_id_and_by_last_committed_but_not_by_write_sets() -> None:
    of_mariadb = GroupTally(Family.MARIADB)
    for number, commit_id in enumerate((7, 7, 7, 0, 9, 9), 1):
        of_mariadb.add(committed(number, commit_id=commit_id))
    groups = of_mariadb.groups()
    assert groups.sizes is not None
    assert (groups.sizes.count, groups.sizes.most, groups.alone_share) == (3, 3, pytest.approx(1 / 6))
    of_mysql, by_write_set = GroupTally(Family.MYSQL), GroupTally(Family.MYSQL)
    for number, (ordered, mixed) in enumerate(((0, 0), (0, 1), (0, 1), (3, 0), (3, 4)), 1):
        of_mysql.add(committed(number, last_committed=ordered))
        by_write_set.add(committed(number, last_committed=mixed))
    sizes = of_mysql.groups().sizes
    assert sizes is not None
    assert (sizes.count, sizes.most) == (2, 3)
    assert by_write_set.groups().sizes is None
    endless, enormous = GroupTally(Family.MYSQL), GroupTally(Family.MYSQL)
    for number in range(1, 20_001):
        endless.add(committed(number, last_committed=0))
        enormous.add(committed(number, last_committed=number // 19_000))
    assert endless.groups().sizes is None, "inserts have no earlier row: with write sets they never depend"
    assert enormous.groups().sizes is None


def test_a_hot_row_is_found_among_a_million_others() -> None:
    hot = HotRows()
    for number in range(100_000):
        hot.add("shop.t", (number, -1) if number % 10 == 0 else (number,))
    found = hot.found()
    assert [row.table for row in found] == ["shop.t"]
    assert found[0].share == pytest.approx(10_000 / 110_000, rel=0.3)


def test_a_log_without_transactions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "binlog.000001"
    path.write_bytes((SAMPLES / "mysql-9.7.4" / "binlog.000001").read_bytes()[:158])
    reading = LogReading([str(path)], Wanted())
    with pytest.raises(InputError, match="there is no transaction"):
        workload_of(reading, reading.transactions(), with_keys=False)
