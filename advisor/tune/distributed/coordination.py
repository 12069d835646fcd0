"""What does one clone try next while others work on the same study? A pure function of what all have run and run now.

The decision is that of a study with one clone, made on the trials as this clone sees them: first those of the others,
then what they run now as if it had ended, then its own. So nothing that is running is started again and no trial
counts twice. The cost of a restart, when the baseline is due, and what is applied now are this clone's own.

Optuna's `constant_liar` does not serve: only its TPE sampler has it, and it lies the worst value that was seen, which
here would also hide a configuration that another clone is about to confirm.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.record import record, replace
from advisor.model.tuning import Decide, Outcome, Settings, Task, Trial, TrialKind
from advisor.tune.search.gain_thresholds import WORTH_PURSUING
from advisor.tune.search.ranking import CONFIRMED_RUNS
from advisor.tune.search.scored_trials import Candidate, candidates, scored_trials
from advisor.tune.space.encoding import identity

_MOST_LEFT: Final = 4  # configurations left to the other clones before one is confirmed here after all


@record
class SharedView:
    """What a clone decides on. `under_way` is what the clones in `others` run now; `lag_bound_ms` as in a plan.

    `repeated` are the numbers of trials that another trial repeats, ended or not.
    """

    clone: str
    running: Settings
    trials: Sequence[Trial]
    under_way: Sequence[Task]
    others: Sequence[str]
    lag_bound_ms: float
    repeated: frozenset[int] = frozenset()


def next_task_for(view: SharedView, decide: Decide) -> Task | None:
    """The next task of a clone; None when there is nothing left to try."""
    seen = trials_as_seen(view)
    first = decide(seen)
    if first is None or first.retry_of is not None:
        return first
    if all(trial.task.kind is not TrialKind.BASELINE for trial in _own(view)):
        return Task(TrialKind.BASELINE, view.running, fresh=True)
    if promising := _promising(view):
        return Task(TrialKind.CONFIRM, promising.settings, fresh=True)
    return _left_to_others(view, seen, first, decide)


def trials_as_seen(view: SharedView) -> list[Trial]:
    """All trials, those of others first; what they run now is included as if it had ended."""
    own = _own(view)
    while own and own[-1].outcome.fault and own[-1].number in view.repeated:
        own.pop()  # another clone already repeats it
    others = [trial for trial in view.trials if trial.clone != view.clone]
    return [*others, *(_as_if_ended(task, view.trials) for task in view.under_way), *own]


def _own(view: SharedView) -> list[Trial]:
    return [trial for trial in view.trials if trial.clone == view.clone]


def _as_if_ended(task: Task, trials: Sequence[Trial]) -> Trial:
    """A confirmation is assumed to give the earlier result, a search trial the median of all (the constant liar).

    The latter counts as truncated, so that it only keeps other trials away from the same place.
    """
    measured = [trial for trial in trials if trial.outcome.windows and not trial.outcome.truncated]
    same = [trial for trial in measured if identity(trial.task.settings) == identity(task.settings)]
    if same and task.kind is TrialKind.CONFIRM:
        return replace(same[-1], task=task)
    kind = TrialKind.SEARCH if task.kind is TrialKind.BASELINE else task.kind  # an assumed baseline must not show drift
    if not measured:
        return Trial(-1, replace(task, kind=kind), Outcome(infeasible="running on another clone"), 0.0)
    middle = sorted(measured, key=lambda trial: sum(trial.outcome.windows) / len(trial.outcome.windows))[
        len(measured) // 2
    ]
    return replace(middle, task=replace(task, kind=kind), outcome=replace(middle.outcome, truncated=True))


def _promising(view: SharedView) -> Candidate | None:
    """The best that is confirmed elsewhere and was never measured here: a winner must win on a second clone, too."""
    known = candidates(scored_trials(view.trials, view.lag_bound_ms))
    confirmed = [candidate for candidate in known if candidate.feasible and len(candidate.values) >= CONFIRMED_RUNS]
    best = max(confirmed, key=lambda candidate: candidate.mean, default=None)
    baseline = [candidate for candidate in confirmed if identity(candidate.settings) == identity(view.running)]
    if best is None or (baseline and best.mean < baseline[0].mean + WORTH_PURSUING) or len(best.clones) > 1:
        return None
    busy = {identity(task.settings) for task in view.under_way}
    return None if view.clone in best.clones or identity(best.settings) in busy else best


def _left_to_others(view: SharedView, seen: list[Trial], first: Task, decide: Decide) -> Task:
    """A configuration measured only here is confirmed by another clone; this one goes on as if that had happened."""
    task: Task | None = first
    for _ in range(_MOST_LEFT):
        if task is None or task.kind is not TrialKind.CONFIRM or not view.others:
            break
        measured = [trial for trial in view.trials if identity(trial.task.settings) == identity(task.settings)]
        if {trial.clone for trial in measured} != {view.clone}:
            break
        seen = [_as_if_ended(task, view.trials), *seen]
        task = decide(seen)
    return task or first
