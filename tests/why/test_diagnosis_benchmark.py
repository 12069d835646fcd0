"""The scenarios of the diagnosis benchmark can be played, and its score counts what it says."""

from __future__ import annotations

import pytest

from advisor.bench.load.workloads import check_load
from advisor.lab.faults import fault_names, find_fault
from advisor.topologies import find_topology
from advisor.why.rules.loader import load_causes
from benchmarks.diagnosis.scenarios import Scenario, load_scenarios
from benchmarks.diagnosis.score import Result, table

ALL = load_scenarios()
CAUSES = {cause.id for cause in load_causes()}


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.name)
def test_a_scenario_names_only_what_there_is(scenario: Scenario) -> None:
    members = tuple(f"m{number}" for number in range(1, scenario.lab.members + 1))
    assert scenario.lab.members in find_topology(scenario.lab.topology)[1].MEMBERS
    assert set(scenario.causes) | set(scenario.accepted) <= CAUSES
    assert set(scenario.settings) | set(scenario.cures) <= set(members)
    assert not scenario.cures or scenario.effect
    for one in scenario.faults:
        assert one.fault in fault_names()
        assert set(one.strength) <= set(find_fault(one.fault)[1].STRENGTH)
        assert one.member in members
    assert set(scenario.removes) <= {one.fault for one in scenario.faults}
    if scenario.load:
        check_load(scenario.load, members)


def test_there_are_bottlenecks_and_healthy_clusters_of_every_kind() -> None:
    assert len({one.lab.topology for one in ALL}) == 5
    assert sum(not one.healthy for one in ALL) >= 30
    assert sum(one.healthy and one.load is not None for one in ALL) >= 8


def around(rate: float | None) -> dict[str, float] | None:
    return {"low": rate / 2, "mid": rate, "high": rate * 2} if rate else None


def kept(*causes: tuple[str, float], after: float | None = None, predicted: float | None = None) -> dict[str, object]:
    told = [{"cause": cause, "confidence": sure, "predicted_per_second": around(predicted)} for cause, sure in causes]
    rates = {"committed": after, "applied": 0.0} if after else None
    before = {"committed": 10.0, "applied": 0.0}
    return {"document": {"causes": told}, "before": before, "after": rates, "diagnosing_seconds": 0.5}


def test_an_answer_counts_from_one_half_on_and_predictions_that_are_missing_count_as_wrong() -> None:
    one = next(one for one in ALL if one.effect == "committed" and one.causes == ("commit_delay_setting",))
    right = Result(one, kept(("commit_delay_setting", 0.9), ("cpu_saturated", 0.7), after=100.0, predicted=110.0))
    second = Result(one, kept(("cpu_saturated", 0.7), ("commit_delay_setting", 0.6), after=100.0))
    unsure = Result(one, kept(("commit_delay_setting", 0.45)))
    lines = table([right, second, unsure]).splitlines()
    assert "top-1: 1 of 3 (33%)" in lines
    assert "top-2: 2 of 3 (67%)" in lines
    assert "predicted within 25% of the measured effect, where a setting is the cure: 1 of 2 (50%)" in lines
    assert "  of 2 effects measured 1 were predicted, 1 between the least and the most; median error 10%" in lines


def test_whatever_is_claimed_of_a_healthy_cluster_is_a_false_alarm() -> None:
    one = next(one for one in ALL if one.healthy)
    calm = Result(one, kept(("healthy_or_expected", 0.7), ("cpu_saturated", 0.3)))
    alarmed = Result(one, kept(("cpu_saturated", 0.5)))
    assert "healthy or idle without a cause: 1 of 2 (50%)" in table([calm, alarmed]).splitlines()
