"""A large transaction shows as rows changed while hardly anything commits; even work does not."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Member, Sample
from advisor.why.rules.loader import load_causes


def at_once(commits: list[int], rows: list[int]) -> object:
    """The fact, for a replica with so many commits and changed rows in each second; what is 0 is not told again."""
    load_causes()
    counted, changed = 1000, 5000
    samples = [Sample(0.0, {"Binlog_cache_use": counted, "Innodb_rows_updated": changed, **NEVER})]
    for second, (more, also) in enumerate(zip(commits, rows, strict=True), 1):
        counted, changed = counted + more, changed + also
        grown = {"Binlog_cache_use": counted} if more else {}
        samples.append(Sample(float(second), {**grown, "Innodb_rows_updated": changed}))
    (release,) = parse_release("mysql-9.7.4")
    return MemberFacts(Member("r", samples=tuple(samples)), release, None, None).value("fact.rows_changed_at_once")


NEVER = {"Innodb_rows_inserted": 7, "Innodb_rows_deleted": 0}


def test_rows_that_change_while_nothing_commits_belong_to_one_transaction() -> None:
    assert at_once([100, 100, 0, 200, 100], [100, 100, 90_000, 60_000, 100]) == 90_000


def test_even_work_is_no_large_transaction_however_many_rows_it_changes() -> None:
    assert at_once([100, 110, 90, 100, 100], [50_000] * 5) == 0


def test_few_readings_tell_nothing() -> None:
    assert isinstance(at_once([100, 0], [100, 90_000]), Missing)


@pytest.mark.parametrize("idle", [0, 20])
def test_a_pause_without_changes_is_none_either(idle: int) -> None:
    assert at_once([100, 100, idle, 100, 100], [100, 100, idle, 100, 100]) == idle
