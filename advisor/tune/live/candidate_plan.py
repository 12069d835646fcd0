"""Which candidates are tried in the time there is, and in how many turns?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.record import record
from advisor.tune.live.candidates import Candidate
from advisor.tune.live.live_settings import merged
from advisor.tune.live.run_turns import approach_seconds
from advisor.tune.live.statistics.turn_plan import TurnPlan, detectable_effect, plan_turns
from advisor.tune.live.watch import Watch

_MOST_CANDIDATES: Final = 8
_WANTED_EFFECT: Final = 0.10  # fewer candidates, until each can show this


@record
class PlannedCandidate:
    """A candidate, its turns, and how many tests the whole run makes."""

    candidate: Candidate
    plan: TurnPlan
    tests: int


def plan_candidates(found: Sequence[Candidate], seen: Watch, seconds: float) -> list[PlannedCandidate]:
    """Those of the candidates that are tried: as many as can each show 10 %, or one alone; [] without time for any."""
    best: list[PlannedCandidate] = []
    for count in range(1, _MOST_CANDIDATES + 1):
        tests = count * len(seen.measures)
        plans = [(one, _turns(one, seen, seconds / count, tests)) for one in found]
        known = [PlannedCandidate(one, plan, tests) for one, plan in plans if plan is not None][:count]
        if len(known) < count:
            break
        if best and max(detectable_effect(planned.plan, tests) for planned in known) > _WANTED_EFFECT:
            break
        best = known
    return best


def plan_together(
    helpful: Sequence[Candidate], seen: Watch, seconds: float, candidates: int
) -> PlannedCandidate | None:
    """The changes that help, all in force at once; None for fewer than two, for two of one setting, or without time."""
    names = [name for candidate in helpful for name in candidate.settings]
    if len(helpful) < 2 or len(names) > len(set(names)):
        return None
    joint = Candidate(
        because="the changes that help alone, combined",
        former=merged([candidate.former for candidate in helpful]),
        changed=merged([candidate.changed for candidate in helpful]),
        left_out_seconds=max(candidate.left_out_seconds for candidate in helpful),
        edges={name: edge for candidate in helpful for name, edge in candidate.edges.items()},
    )
    tests = candidates * len(seen.measures)
    plan = _turns(joint, seen, seconds, tests)
    return PlannedCandidate(joint, plan, tests) if plan else None


def _turns(candidate: Candidate, seen: Watch, seconds: float, tests: int) -> TurnPlan | None:
    figures = seen.figures
    left = seconds - approach_seconds(candidate, figures.commits / figures.seconds)
    return plan_turns(seen.series, left, candidate.left_out_seconds, tests)
