"""The order of causes: a member that falls behind before the writers' limits, and no "all is well" beside a limit."""

from __future__ import annotations

from advisor.model.diagnosis import RankedCause
from advisor.why.rank import rank
from advisor.why.rules.loader import load_causes

CAUSES = {cause.id: cause for cause in load_causes()}


def suspect(cause: str, sure: float, member: str = "m1") -> RankedCause:
    return RankedCause(cause=CAUSES[cause], member=member, confidence=sure, signs=())


def told(*suspects: RankedCause, behind: tuple[str, ...] = ()) -> list[str]:
    return [one.cause.id for one in rank(suspects, behind)]


def test_a_member_that_falls_behind_comes_before_what_limits_the_writers() -> None:
    both = suspect("cpu_saturated", 0.9), suspect("replica_hardware", 0.7, "m2")
    assert told(*both) == ["cpu_saturated", "replica_hardware"]
    assert told(*both, behind=("m2",)) == ["replica_hardware", "cpu_saturated"]


def test_a_mere_candidate_does_not_although_its_member_falls_behind() -> None:
    both = suspect("cpu_saturated", 0.9), suspect("replica_hardware", 0.4, "m2")
    assert told(*both, behind=("m2",)) == ["cpu_saturated", "replica_hardware"]


def test_where_a_limit_is_sure_nothing_to_fix_is_no_answer() -> None:
    well = suspect("healthy_or_expected", 0.55)
    assert told(well, suspect("cpu_saturated", 0.8)) == ["cpu_saturated"]
    assert told(well, suspect("cpu_saturated", 0.45)) == ["healthy_or_expected", "cpu_saturated"]
