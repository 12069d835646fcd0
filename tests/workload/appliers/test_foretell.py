"""What workers could apply of a log follows from its dependencies, rows and groups."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.read import LogReading
from advisor.cli.workload.appliers import parse_workers
from advisor.errors import InputError, UsageError
from advisor.model.workload.appliers import ApplierForecast, Hold, Scheme, SchemeForecast
from advisor.model.workload.transaction import Kind, MariadbGtid, TableChange, Transaction
from advisor.report.words.layout import Page
from advisor.report.workload import appliers_document, appliers_text
from advisor.workload.appliers.calibrate import Assumed
from advisor.workload.appliers.foretell import foretell

SAMPLES = Path(__file__).parents[2] / "binlog" / "samples"
PLAIN = 4 + 8  # transactional, may be applied in parallel
ALONE = 8 + 1 + 32  # DDL


def transaction(
    number: int,
    last_committed: int | None = None,
    row: int | None = None,
    commit_id: int | None = None,
    flags: int | None = None,
    domain: int = 0,
    rows: int = 1,
) -> Transaction:
    """A transaction that changes rows, of which the first has the number `row`."""
    key_hashes = None if row is None else (row,)
    kind = Kind.DDL if flags == ALONE else Kind.ROWS
    return Transaction(
        "binlog.000001", number * 100, number * 100 + 100, 1, MariadbGtid(domain, 1, number), 1000.0, 1000, None, None,
        last_committed, None if flags is not None else number, commit_id, flags, kind, 100 * rows, None, 5, 1,
        (TableChange("shop.t", 0, rows, 0, 50 * rows, key_hashes),),
    )  # fmt: skip


def forecast(transactions: Sequence[Transaction], assumed: Assumed | None = None) -> dict[Scheme, SchemeForecast]:
    reading = LogReading([str(SAMPLES / "mysql-9.7.4")], Wanted())
    found = foretell(reading, transactions, (1, 2, 4, 8, 16), assumed or Assumed())
    return {each.scheme: each for each in found.schemes}


def speed_up(each: SchemeForecast) -> float:
    return each.runs[-1].per_second / each.runs[0].per_second


def of_sample(name: str, assumed: Assumed | None = None) -> ApplierForecast:
    reading = LogReading([str(SAMPLES / name)], Wanted(keys=True))
    return foretell(reading, reading.transactions(), (1, 4, 16), assumed or Assumed())


def test_groups_of_one_at_the_source_leave_workers_idle_and_write_sets_help() -> None:
    alone = [transaction(number, last_committed=number - 1, row=number) for number in range(1, 400)]
    found = forecast(alone)
    assert speed_up(found[Scheme.AS_WRITTEN]) < 1.2
    assert found[Scheme.AS_WRITTEN].limit is Hold.GROUP
    assert found[Scheme.AS_WRITTEN].enough_workers <= 2
    assert speed_up(found[Scheme.WRITE_SETS]) > 4


def test_a_hot_row_makes_a_chain_of_every_transaction() -> None:
    hot = [transaction(number, last_committed=number - 1, row=7) for number in range(1, 400)]
    found = forecast(hot)[Scheme.WRITE_SETS]
    assert speed_up(found) < 1.2
    assert found.limit is Hold.ROWS


def test_a_table_without_key_keeps_the_dependencies_as_written() -> None:
    keyless = [transaction(number, last_committed=number - 1) for number in range(1, 400)]
    found = forecast(keyless)[Scheme.WRITE_SETS]
    assert speed_up(found) < 1.2
    assert found.limit is Hold.KEYLESS
    assert "399 of 399" in found.caveats[0]


def test_a_long_transaction_is_the_limit_when_the_rest_waits_for_its_commit() -> None:
    rows = [20_000 if number == 50 else 1 for number in range(1, 400)]
    log = [transaction(number, last_committed=0, row=number, rows=rows[number - 1]) for number in range(1, 400)]
    assert forecast(log)[Scheme.AS_WRITTEN].limit is Hold.LONG


def test_conservative_follows_groups_and_optimistic_does_not_need_them() -> None:
    groups = [transaction(number, row=number, commit_id=number // 4, flags=PLAIN + 2) for number in range(400)]
    alone = [transaction(number, row=number, flags=PLAIN) for number in range(400)]
    grouped, single = forecast(groups), forecast(alone)
    # four at once, while the four before share a group commit that takes half as long as a transaction
    assert 2 < speed_up(grouped[Scheme.CONSERVATIVE]) <= 6.5
    assert speed_up(single[Scheme.CONSERVATIVE]) < 1.6  # one starts while the one before commits
    assert speed_up(single[Scheme.OPTIMISTIC]) > 5


def test_conflicts_and_ddl_hold_optimistic_appliers() -> None:
    hot = [transaction(number, row=7, flags=PLAIN) for number in range(400)]
    assert speed_up(forecast(hot)[Scheme.OPTIMISTIC]) < 1.5
    assert forecast(hot)[Scheme.OPTIMISTIC].limit is Hold.ROWS
    ddl = [transaction(number, row=number, flags=ALONE if number % 2 else PLAIN) for number in range(400)]
    assert forecast(ddl)[Scheme.OPTIMISTIC].limit is Hold.DDL


def test_what_waited_for_a_lock_on_the_source_is_held_back_but_not_by_aggressive() -> None:
    waited = [transaction(number, row=number, flags=PLAIN + 16) for number in range(400)]
    found = forecast(waited)
    assert speed_up(found[Scheme.OPTIMISTIC]) < 1.5
    assert speed_up(found[Scheme.AGGRESSIVE]) > 5


def test_a_stated_rate_is_that_of_one_worker_with_and_without_syncs() -> None:
    log = [transaction(number, last_committed=0, row=number) for number in range(1, 400)]
    for assumed in (Assumed(apply_rate=500.0), Assumed(apply_rate=300.0, sync_seconds=0.001, cpus=2)):
        runs = forecast(log, assumed)[Scheme.AS_WRITTEN].runs
        assert runs[0].per_second == pytest.approx(assumed.apply_rate, rel=0.02)
    with pytest.raises(UsageError, match="with syncs this long, one worker applies"):
        forecast(log, Assumed(apply_rate=5000.0, sync_seconds=0.01))


def test_cpu_time_tells_what_workers_compete_for_from_what_they_share() -> None:
    """The same rate: CPU time is all there is on two CPUs, waits are shared by many workers."""
    log = [transaction(number, last_committed=0, row=number) for number in range(1, 400)]
    computing = Assumed(apply_rate=1000.0, cpu_seconds=0.00095, sync_seconds=0.0005, cpus=2)
    waiting = Assumed(apply_rate=1000.0, cpu_seconds=0.0001, sync_seconds=0.0005, cpus=2)
    busy, idle = (forecast(log, each)[Scheme.AS_WRITTEN] for each in (computing, waiting))
    assert busy.runs[0].per_second == pytest.approx(1000, rel=0.02)
    assert idle.runs[0].per_second == pytest.approx(1000, rel=0.02)
    assert speed_up(busy) < 6 < speed_up(idle)
    assert busy.limit is Hold.CPU
    assert idle.limit is Hold.SYNC


@pytest.mark.parametrize("stated", [0.0, 0.0002])
def test_a_wait_that_is_no_sync_is_in_the_worker(stated: float) -> None:
    log = [transaction(number, last_committed=0, row=number) for number in range(1, 400)]
    reading = LogReading([str(SAMPLES / "mysql-9.7.4")], Wanted())
    costs = foretell(reading, log, (1,), Assumed(500.0, cpu_seconds=0.0005, sync_seconds=stated)).costs
    assert costs.sync_seconds == pytest.approx(stated)
    assert costs.wait_seconds + costs.syncs * stated == pytest.approx(0.0015, rel=0.1)


@pytest.mark.parametrize("name", ["mysql-9.7.4", "mariadb-10.11.19"])
def test_real_logs_are_simulated_and_shown(name: str) -> None:
    found = of_sample(name, Assumed(apply_rate=100.0))
    text = appliers_text.render(found, Page(80))
    assert max(map(len, text.splitlines())) <= 80
    assert "shop.nokey" in text
    document = json.loads(appliers_document.render(found))
    assert document["schema"] == "advisor/appliers/1"
    assert document["schemes"][0]["runs"][0]["per_second"] == pytest.approx(100, rel=0.05)
    assert "schemes" in document


def test_nothing_to_apply_is_an_input_error() -> None:
    with pytest.raises(InputError, match="there is no transaction"):
        forecast([])


@pytest.mark.parametrize(
    ("text", "numbers"), [("1..64", (1, 2, 4, 8, 16, 32, 64)), ("3..10", (3, 6, 10)), ("4", (4,)), ("16,1", (1, 16))]
)
def test_numbers_of_workers_are_read(text: str, numbers: tuple[int, ...]) -> None:
    assert parse_workers(text) == numbers


@pytest.mark.parametrize("text", ["", "0..4", "8..4", "many", "1..99999"])
def test_what_is_not_a_number_of_workers_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--workers"):
        parse_workers(text)
