"""Which pair of a predicted and a measured rate does a verified change leave?"""

from __future__ import annotations

from advisor.model.diagnosis import Diagnosis, LiveChange
from advisor.model.record import record


@record
class VerifiedChange:
    """What was predicted of a change, and what it gave: transactions per second, `measured` with it and `without` it.

    `low`, `mid` and `high` are as predicted before earlier pairs corrected them. `settings` are names without values;
    `at` is a moment in UTC. No name of a host, member or file, so that it may be kept.
    """

    cause: str
    settings: tuple[str, ...]
    low: float
    mid: float
    high: float
    without: float
    measured: float
    at: str
    topology: str
    release: str

    @property
    def ratio(self) -> float:
        """How many times the predicted rate was measured."""
        return self.measured / self.mid


def pair_of(change: LiveChange, diagnosis: Diagnosis, at: str) -> VerifiedChange | None:
    """The pair; None where nothing was predicted, or what was measured is no rate that lasts.

    A change that ended early left a backlog that grew: its rate cannot be sustained, and says nothing of a prediction.
    """
    told = change.predicted
    if told is None or not change.cause or change.flaw or change.stopped or change.during <= 0:
        return None
    default = told.uncorrected or told
    return VerifiedChange(
        cause=change.cause,
        settings=tuple(sorted({name for values in change.settings.values() for name in values})),
        low=default.low,
        mid=default.mid,
        high=default.high,
        without=change.without,
        measured=change.during,
        at=at,
        topology=diagnosis.topology,
        release=diagnosis.releases[-1] if diagnosis.releases else "",
    )
