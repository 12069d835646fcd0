"""Evidence that says something never ends without a hypothesis, and an answer needs none."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.check.cases import build_cluster
from advisor.check.possible_releases import release_assumptions
from advisor.evidence import read_path
from advisor.model.diagnosis import SURE, RankedCause
from advisor.model.evidence import Cluster, Fact, Member, Row
from advisor.why import diagnose
from advisor.why.differential.hypotheses import candidates
from advisor.why.differential.probability import differential_of
from advisor.why.members import MembersByRole, members_by_role
from advisor.why.rules.loader import load_causes
from tests.why.lone_writer import ALONE
from tests.why.profile.sampled import member, row

SAMPLES = Path(__file__).parents[1] / "samples"
BETWEEN = row("", command="Sleep")
READS = row("updating", event="wait/io/file/innodb/innodb_data_file")
LOCKED = row("updating", trx="lock wait")
FIRST_TO_CHECK = ["fsync_per_commit", "ddl_or_mdl_block", "query_plan_or_index"]


def members_of(of: Member) -> MembersByRole:
    load_causes()
    possible, _ = release_assumptions(Cluster("test", (of,)), ())
    return members_by_role(possible[-1])


def unsigned(*rows: Row) -> tuple[RankedCause, ...]:
    """What thirty process lists leave possible, if no sign points to anything."""
    return candidates((), load_causes(), members_of(member([rows] * 30)))


def names(found: tuple[RankedCause, ...]) -> list[str]:
    return [each.cause.id for each in found]


@pytest.mark.parametrize(
    ("wait", "first", "others"),
    [
        (READS, "buffer_pool_too_small", {"purge_lag", "storage_slow", "storage_shared_or_faulty"}),
        (LOCKED, "row_lock_contention", {"purge_lag", "query_plan_or_index"}),
    ],
)
def test_a_wait_that_several_causes_explain_makes_each_of_them_a_hypothesis(
    wait: Row, first: str, others: set[str]
) -> None:
    found = unsigned(wait, BETWEEN)
    assert {first, *others} <= set(names(found))
    for each in found:
        assert "50 % of the time of the writers" in each.signs[0].says
    likely = {each.cause.id: each.confidence for each in found}
    assert likely[first] > max(likely[other] for other in others), "it is known by this wait, the others may make it"


def test_less_of_the_time_is_less_likely_and_next_to_nothing_no_hypothesis() -> None:
    likely = [
        next(
            each.confidence for each in unsigned(READS, *[BETWEEN] * others) if each.cause.id == "buffer_pool_too_small"
        )
        for others in (1, 2, 3)
    ]
    assert likely == sorted(likely, reverse=True)
    assert "buffer_pool_too_small" not in names(unsigned(READS, *[BETWEEN] * 20))


def test_what_signs_point_to_stays_and_comes_before_what_is_only_possible() -> None:
    pointed_to = RankedCause(next(each for each in load_causes() if each.id == "serial_client"), "db1", 0.45, ())
    found = candidates((pointed_to,), load_causes(), members_of(member([[READS, BETWEEN]] * 30)))
    assert found[0] == pointed_to
    assert "buffer_pool_too_small" in names(found)


def test_time_that_nobody_explains_makes_the_first_causes_to_check_hypotheses() -> None:
    found = unsigned(row("x", event="wait/io/file/innodb/innodb_temp_file"), BETWEEN)
    assert names(found) == FIRST_TO_CHECK
    differential = differential_of(found)
    assert differential is not None
    assert differential.rest > 0.5


@pytest.mark.parametrize("note", ["cpu_percent: 20", "it is slow on mondays"])
def test_words_that_lead_nowhere_are_not_the_end(note: str) -> None:
    reported = member([], observed={"notes": Fact("notes", (note,))})
    assert names(candidates((), load_causes(), members_of(reported))) == FIRST_TO_CHECK
    found = diagnose(Cluster("test", (reported,)))
    assert found.differential is not None or found.causes[0].confidence >= SURE


def test_a_diagnosis_of_waits_has_hypotheses_and_what_to_look_at() -> None:
    found = diagnose(Cluster("test", (member([[READS, *[BETWEEN] * 4]] * 30),)))
    assert found.differential is not None, "a fifth of the time in reads is no answer"
    assert found.differential.hypotheses
    assert found.next is not None
    assert 0 < found.next.settles < 1


def test_where_nothing_is_said_there_is_no_hypothesis() -> None:
    nothing = diagnose(Cluster("test", (member([]),)))
    assert (nothing.differential, nothing.causes) == (None, ())
    assert nothing.next is not None
    assert "60 s apart" in nothing.next.need
    settings = diagnose(read_path(str(SAMPLES / "settings_alone")))
    assert settings.differential is None


def test_an_answer_needs_no_hypotheses() -> None:
    found = diagnose(build_cluster(ALONE, "test"))
    assert found.causes[0].cause.id == "commit_delay_setting"
    assert found.differential is None
    assert found.next is not None
    assert found.next.doubt_bits == 0
