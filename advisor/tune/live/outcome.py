"""What came of a live tuning run? What the user gets, in every format."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from advisor.model.record import record
from advisor.tune.live.candidates import Candidate
from advisor.tune.live.limits import Limits
from advisor.tune.live.statistics.turn_plan import TurnPlan
from advisor.tune.live.statistics.verdict import Answer, Verdict
from advisor.tune.live.watch import Watch


class Ending(StrEnum):
    """Why a run ended."""

    FINISHED = "finished"
    ONLY_WATCHED = "only_watched"
    INTERRUPTED = "interrupted"
    TRAFFIC = "traffic"  # it no longer keeps the limits, without any change
    NO_TIME = "no_time"  # for enough turns of any candidate
    NO_CANDIDATE = "no_candidate"


@record
class Tried:
    """A candidate and what was shown of it. `plan` None: it was not tried.

    `restored_seconds`: how long after the reading that touched a limit the former values were back; None: none was.
    """

    candidate: Candidate
    verdict: Verdict
    plan: TurnPlan | None = None
    disturbed: int = 0
    restored_seconds: float | None = None


@record
class LiveOutcome:
    """A whole run. `chosen` is what helps, by its place in `tried`; `kept`: it is in force.

    `detectable` says how small an effect the run could have shown, None where no turns were planned. `left` says what
    could not be brought back, in words.
    """

    cluster: str
    server: str
    topology: str
    watch: Watch
    limits: Limits
    statements: str
    tried: tuple[Tried, ...]
    ending: Ending
    seconds: float
    kept: bool = False
    detectable: float | None = None
    left: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def helpful(self) -> tuple[Tried, ...]:
        """The changes that are recommended."""
        return recommended(self.tried)


def recommended(tried: Sequence[Tried]) -> tuple[Tried, ...]:
    """The changes that help, one for each setting.

    If they were measured together: all, or only the first where all together were not shown to help.
    """
    helpful = [each for each in tried if each.verdict.answer is Answer.HELPS]
    names = {name for each in helpful for name in each.candidate.settings}
    joint = [each for each in tried if names <= each.candidate.settings.keys()] if len(names) > 1 else []
    if joint:
        return tuple(joint[-1:] if joint[-1] in helpful else helpful[:1])
    chosen: list[Tried] = []
    for each in helpful:
        if not any(each.candidate.settings.keys() & other.candidate.settings.keys() for other in chosen):
            chosen.append(each)
    return tuple(chosen)
