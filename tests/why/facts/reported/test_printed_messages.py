"""Figures of messages that servers print: what they come to, and when nothing is known."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.model.server import Role
from advisor.why.facts import make_known

make_known()

STATISTICS = (
    "Multi-threaded slave statistics for channel '': seconds elapsed = {elapsed}; events assigned = 101377; "
    "worker queues filled over overrun level = 0; waited due a Worker queue full = 0; "
    "waited due the total size = 0; waited at clock conflicts = {waited} waited (count) when Workers occupied = 0"
)
LOOP = "InnoDB: page_cleaner: 1000ms intended loop took {ms}ms. The settings might not be optimal. (flushed={pages})"


def value(name: str, *log: str) -> object:
    observed = {"log": Fact("log", log, "", "observations.yaml")}
    member = Member("a", role=Role.REPLICA, observed=observed)
    return MemberFacts(member, parse_release("mysql-5.7.44")[0], None, None).value(f"fact.{name}")


def test_the_coordinator_s_wait_is_a_share_of_the_time_of_its_note():
    assert value("clock_conflict_share", STATISTICS.format(elapsed=120, waited=92_000_000_000)) == pytest.approx(
        92 / 120
    )


@pytest.mark.parametrize("line", ["waited at clock conflicts = 5", STATISTICS.format(elapsed=0, waited=5), "nothing"])
def test_without_the_time_it_is_a_share_of_nothing_is_known(line: str):
    assert isinstance(value("clock_conflict_share", line), Missing)


def test_a_loop_that_flushed_nothing_was_not_slowed_by_writes():
    loops = (LOOP.format(ms=4013, pages=0), LOOP.format(ms=983505, pages=0))
    assert value("empty_cleaner_loop_seconds", *loops) == pytest.approx(983.505)
    assert isinstance(value("empty_cleaner_loop_seconds", *loops, LOOP.format(ms=4500, pages=1200)), Missing)
    assert isinstance(value("empty_cleaner_loop_seconds", "nothing"), Missing)
