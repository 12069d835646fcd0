"""What came of a live tuning run? What the user gets, in every format."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from advisor.model.record import record
from advisor.tune.live.candidates import Candidate
from advisor.tune.live.limits import Limits
from advisor.tune.live.statistics.switchback import TurnPlan
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
        """The changes that help."""
        return tuple(tried for tried in self.tried if tried.verdict.answer is Answer.HELPS)


def members_of(settings: Mapping[str, Mapping[str, str]], name: str) -> list[str]:
    """The members on which a setting is changed."""
    return [member for member, own in settings.items() if name in own]
