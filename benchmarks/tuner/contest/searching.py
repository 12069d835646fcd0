"""What would each way of tuning ship after the same time on the same cluster?"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from advisor.cluster_file import read_cluster
from advisor.model.record import record, replace
from advisor.model.tuning import EndEarly, Outcome, SearchSpace, Settings, Task
from advisor.tune import session
from advisor.tune.phases import SessionListener
from advisor.tune.request.request import Request, bench_plan
from advisor.tune.search.initial_configurations import rule_advice
from advisor.tune.space.member_values import running_settings
from advisor.tune.state import study_folder
from advisor.tune.state.journal import Journal
from advisor.tune.trial.guards import DiskGuard, ErrorGuard, local_folders
from advisor.tune.trial.restore import restore
from advisor.tune.trial.run_trial import ClusterTrials, TrialListener, TuningTarget
from advisor.tune.trial.survey import survey
from benchmarks.tuner import methods

MOST_TRIALS: Final = 10_000  # time ends the search, not their number
REPEATS: Final = 2  # of a trial that had a fault
OWN: Final = "advisor"
RULES: Final = "rules"
OTHERS: Final[dict[str, methods.Method]] = {"TPE": methods.tpe, "GPSampler": methods.gp, "random": methods.chance}
METHODS: Final = (OWN, *OTHERS, RULES)

Tell = Callable[[str], None]


@record
class ClusterGround:
    """What is tuned: the space, the configuration that runs, and what the rules advise."""

    space: SearchSpace
    start: Settings
    advice: Settings
    lag_bound_ms: float


@record
class Answer:
    """What a way of tuning would ship (the start where it found nothing) after so many trials."""

    settings: Settings
    trials: int
    failed: int


class _Runs:
    """Trials on the cluster, counted, with the time since the first."""

    def __init__(self, environment: ClusterTrials, tell: Tell) -> None:
        self._environment, self._tell = environment, tell
        self._began = time.monotonic()
        self.trials = self.failed = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def run(self, task: Task, end_early: EndEarly) -> Outcome:
        outcome = self._environment.run(task, end_early)
        for _ in range(REPEATS):
            if not outcome.fault:
                break
            outcome = self._environment.run(task, end_early)
        outcome = replace(outcome, infeasible=outcome.infeasible or outcome.fault)
        self.trials += 1
        self.failed += bool(outcome.infeasible)
        self._tell(f"trial {self.trials}: {outcome.infeasible or 'measured'}")
        return outcome


def ground_of(request: Request) -> tuple[TuningTarget, ClusterGround]:
    """The cluster as it is before anything is changed."""
    target = survey(read_cluster(request.cluster), request, lambda line: None)
    running = running_settings(target.space, target.cluster.members, target.originals.values)
    advice = rule_advice(target.cluster, target.space, running)
    return target, ClusterGround(target.space, running, advice, request.lag_bound_ms)


def environment_of(target: TuningTarget, request: Request, journal: Journal, tell: Tell) -> ClusterTrials:
    """Trials as `advisor tune` runs them, with its guards."""
    guards = (ErrorGuard(), DiskGuard(local_folders(target.cluster)))
    return ClusterTrials(target, bench_plan(request), journal, guards, TrialListener(tell=tell))


def answer_of(name: str, request: Request, tell: Tell) -> Answer:
    """What the way of this name ships; the cluster is as before in the end."""
    if name == OWN:
        return _own(request, tell)
    target, ground = ground_of(request)
    if name == RULES:
        return Answer(ground.advice, 0, 0)
    journal_path = study_folder.journal_path(study_folder.folder_of(target.cluster))
    journal_path.parent.mkdir(parents=True, exist_ok=True)
    journal = Journal(journal_path)
    journal.begin(target.originals)
    runs = _Runs(environment_of(target, request, journal, tell), tell)
    shipped: methods.Shipped = None
    try:
        for so_far in OTHERS[name](ground, runs, MOST_TRIALS, request.seed):
            shipped = so_far
            if runs.seconds > request.for_seconds:
                break
    finally:
        for left in restore(target.cluster, journal_path, tell):
            tell(left)
    return Answer(shipped or ground.start, runs.trials, runs.failed)


def _own(request: Request, tell: Tell) -> Answer:
    found = session.begin(request, SessionListener(TrialListener(tell=tell)))
    shipped = next((each.settings for each in found.contenders if each.name == found.chosen and each.accepted), None)
    baseline = next(iter(found.contenders)).settings if found.contenders else {}
    failed = sum(not trial.rate for trial in found.trials)
    return Answer(shipped or baseline, len(found.trials), failed)
