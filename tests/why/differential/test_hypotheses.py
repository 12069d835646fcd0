"""Evidence that says something never ends without a hypothesis, and an answer needs none."""

from __future__ import annotations

import pytest

from advisor.check.cases import build_cluster
from advisor.evidence import read_path
from advisor.model.diagnosis import Diagnosis
from advisor.model.evidence import Cluster, Fact, Row
from advisor.why import diagnose
from tests.why.lone_writer import ALONE
from tests.why.profile.sampled import member, row

BETWEEN = row("", command="Sleep")
READS = row("updating", event="wait/io/file/innodb/innodb_data_file")
LOCKED = row("updating", trx="lock wait")


def sampled(*rows: Row, **more: object) -> Diagnosis:
    """The diagnosis of nothing but thirty process lists."""
    return diagnose(Cluster("test", (member([rows] * 30, **more),)))  # type: ignore[arg-type]


def reported(*notes: str) -> Diagnosis:
    """The diagnosis of nothing but words."""
    return sampled(observed={"notes": Fact("notes", notes)}) if notes else diagnose(Cluster("test", (member([]),)))


def told(found: Diagnosis) -> list[str]:
    assert found.differential is not None
    return [each.ranked.cause.id for each in found.differential.hypotheses]


@pytest.mark.parametrize(
    ("wait", "possible"),
    [
        (READS, {"buffer_pool_too_small", "purge_lag", "storage_slow", "storage_shared_or_faulty"}),
        (LOCKED, {"row_lock_contention", "purge_lag", "query_plan_or_index"}),
    ],
)
def test_a_wait_that_several_causes_explain_makes_each_of_them_a_hypothesis(wait: Row, possible: set[str]) -> None:
    found = sampled(wait, BETWEEN)
    assert found.causes == (), "it points to none of them"
    assert set(told(found)) == possible
    assert found.differential is not None
    for each in found.differential.hypotheses:
        assert "50 % of the time of the writers" in each.ranked.signs[0].says
    first, *others = (each.probability for each in found.differential.hypotheses)
    assert first > max(others), "the cause that is known by this wait comes before those that may make it, too"
    assert found.next is not None
    assert 0 < found.next.settles < 1


def test_less_of_the_time_is_less_probable_and_next_to_nothing_no_hypothesis() -> None:
    likely = []
    for others in (1, 2, 3):
        found = sampled(READS, *[BETWEEN] * others).differential
        assert found is not None
        likely += [h.probability for h in found.hypotheses if h.ranked.cause.id == "buffer_pool_too_small"]
    assert len(likely) == 3
    assert likely == sorted(likely, reverse=True)
    assert "buffer_pool_too_small" not in told(sampled(READS, *[BETWEEN] * 20))


def test_time_that_nobody_explains_makes_the_first_causes_to_check_hypotheses() -> None:
    found = sampled(row("x", event="wait/io/file/innodb/innodb_temp_file"), BETWEEN)
    assert told(found) == ["fsync_per_commit", "ddl_or_mdl_block", "query_plan_or_index"]
    assert found.differential is not None
    assert found.differential.rest > 0.5


@pytest.mark.parametrize("notes", [("cpu_percent: 20",), ("it is slow on mondays",)])
def test_words_that_lead_nowhere_are_not_the_end(notes: tuple[str, ...]) -> None:
    assert told(reported(*notes)) == ["fsync_per_commit", "ddl_or_mdl_block", "query_plan_or_index"]


def test_where_nothing_is_said_there_is_no_hypothesis(checkout: object) -> None:
    nothing = reported()
    assert (nothing.differential, nothing.causes) == (None, ())
    assert nothing.next is not None
    assert "60 s apart" in nothing.next.need
    settings = diagnose(read_path("tests/why/samples/settings_alone"))
    assert settings.differential is None


def test_an_answer_needs_no_hypotheses() -> None:
    found = diagnose(build_cluster(ALONE, "test"))
    assert found.causes[0].cause.id == "commit_delay_setting"
    assert found.differential is None
    assert found.next is not None
    assert found.next.doubt_bits == 0
