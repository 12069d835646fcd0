"""What somebody tells of a change in a sentence: which setting, which value, and what came of it."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.model.server import Role
from advisor.why.facts import make_known

make_known()


def told(name: str, *notes: str, **observed: Any) -> Any:
    values = {"notes": notes, **observed}
    facts = {key: Fact(key, value, "", "observations.yaml") for key, value in values.items()}
    member = Member("a", role=Role.STANDALONE, observed=facts)
    return MemberFacts(member, parse_release("mysql-8.4.3")[0], None, None).value(f"fact.{name}")


@pytest.mark.parametrize(
    ("fact", "note", "gain"),
    [
        ("relaxing_durability_gain", "tried: sync_binlog=0: 5 times faster", 5.0),
        ("relaxing_durability_gain", "3x faster with innodb_flush_log_at_trx_commit=2", 3.0),
        ("relaxing_durability_gain", "set innodb_flush_log_at_trx_commit to 2: stalls gone", 2.0),
        ("doublewrite_off_gain", "innodb_doublewrite=OFF: same rate", 1.0),
        ("doublewrite_off_gain", "innodb_doublewrite=0: no difference", 1.0),
        ("redo_larger_gain", "innodb_log_file_size=500M: did not help", 1.0),
        ("table_cache_gain", "with table_open_cache=8000 latency drops", 1.3),
        ("query_cache_off_gain", "query_cache_size=0: queries are no longer stuck", 2.0),
    ],
)
def test_a_sentence_about_a_change_is_an_entry(fact: str, note: str, gain: float) -> None:
    assert told(fact, note) == pytest.approx(gain)


@pytest.mark.parametrize(
    "note",
    [
        "innodb_doublewrite=0 should be faster",  # advice
        "is it faster with innodb_doublewrite=0?",  # a question
        "innodb_doublewrite=0 and sync_binlog=0: faster",  # nobody knows which
        "innodb_doublewrite=0: reads are faster but writes stall",  # for some of the work
        "innodb_doublewrite=0",  # no effect is told
    ],
)
def test_a_sentence_that_does_not_say_what_came_of_one_change_is_none(note: str) -> None:
    assert isinstance(told("doublewrite_off_gain", note), Missing)


def test_an_entry_that_was_stated_wins_over_a_sentence() -> None:
    stated = {"what": "sync_binlog", "from": 1, "to": 0, "throughput_before": 100, "throughput_after": 110}
    assert told("relaxing_durability_gain", "sync_binlog=0: 5 times faster", tried=(stated,)) == pytest.approx(1.1)
