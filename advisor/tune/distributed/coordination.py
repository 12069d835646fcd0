"""What does one clone try next while others work on the same study? A pure function of what all did and do.

The decision itself is that of a study with one clone, made on the trials as this clone sees them: the others' first,
then what they run now as if it had ended, then its own. So nothing that is under way is begun again, what is counted
is counted once, and what a restart costs here, when the running configuration is due here, and what is in force here
are its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.record import record, replace
from advisor.model.tuning import Decide, Outcome, Settings, Task, Trial, TrialKind
from advisor.tune.search.gain_thresholds import WORTH_PURSUING
from advisor.tune.search.history import Candidate, candidates, scored_trials
from advisor.tune.search.ranking import CONFIRMED_RUNS
from advisor.tune.space.encoding import identity

_MOST_LEFT: Final = 4  # configurations left to the other clones before one is confirmed here after all


@record
class SharedView:
    """What a clone decides on. `under_way` is what the other clones of `others` run now; `lag_bound_ms` as in a plan.

    `repeated` are the numbers of trials that some trial repeats, whether it ended or not.
    """

    clone: str
    running: Settings
    trials: Sequence[Trial]
    under_way: Sequence[Task]
    others: Sequence[str]
    lag_bound_ms: float
    repeated: frozenset[int] = frozenset()


def next_task_for(view: SharedView, decide: Decide) -> Task | None:
    """The next task of a clone; None when nothing is left to begin."""
    seen = trials_as_seen(view)
    first = decide(seen)
    if first is None or first.retry_of is not None:
        return first
    if all(one.task.kind is not TrialKind.BASELINE for one in _own(view)):
        return Task(TrialKind.BASELINE, view.running, fresh=True)
    if promising := _promising(view):
        return Task(TrialKind.CONFIRM, promising.settings, fresh=True)
    return _left_to_others(view, seen, first, decide)


def trials_as_seen(view: SharedView) -> list[Trial]:
    """All trials, those of others first; what they run now stands among them as if it had ended."""
    own = _own(view)
    while own and own[-1].outcome.fault and own[-1].number in view.repeated:
        own.pop()  # somebody repeats it already
    others = [one for one in view.trials if one.clone != view.clone]
    return [*others, *(_as_if_ended(task, view.trials) for task in view.under_way), *own]


def _own(view: SharedView) -> list[Trial]:
    return [one for one in view.trials if one.clone == view.clone]


def _as_if_ended(task: Task, trials: Sequence[Trial]) -> Trial:
    """What is confirmed comes out as it did before, what is searched as the middle of all: the constant liar.

    The latter counts as cut short, so that nothing is built on it but the choice of other places.
    """
    measured = [one for one in trials if one.outcome.windows and not one.outcome.truncated]
    same = [one for one in measured if identity(one.task.settings) == identity(task.settings)]
    if same and task.kind is TrialKind.CONFIRM:
        return replace(same[-1], task=task)
    kind = TrialKind.SEARCH if task.kind is TrialKind.BASELINE else task.kind  # no drift is read from what was not seen
    if not measured:
        return Trial(-1, replace(task, kind=kind), Outcome(infeasible="under way on another clone"), 0.0)
    middle = sorted(measured, key=lambda one: sum(one.outcome.windows) / len(one.outcome.windows))[len(measured) // 2]
    return replace(middle, task=replace(task, kind=kind), outcome=replace(middle.outcome, truncated=True))


def _promising(view: SharedView) -> Candidate | None:
    """The best that is sure elsewhere and was never measured here: a winner must be one on a second clone, too."""
    found = candidates(scored_trials(view.trials, view.lag_bound_ms))
    sure = [one for one in found if one.feasible and len(one.values) >= CONFIRMED_RUNS]
    best = max(sure, key=lambda one: one.mean, default=None)
    running = [one for one in sure if identity(one.settings) == identity(view.running)]
    if best is None or (running and best.mean < running[0].mean + WORTH_PURSUING) or len(best.clones) > 1:
        return None
    busy = {identity(task.settings) for task in view.under_way}
    return None if view.clone in best.clones or identity(best.settings) in busy else best


def _left_to_others(view: SharedView, seen: list[Trial], first: Task, decide: Decide) -> Task:
    """What was measured here alone is confirmed by another clone; this one goes on as if that had been done."""
    task: Task | None = first
    for _ in range(_MOST_LEFT):
        if task is None or task.kind is not TrialKind.CONFIRM or not view.others:
            break
        here = [one for one in view.trials if identity(one.task.settings) == identity(task.settings)]
        if {one.clone for one in here} != {view.clone}:
            break
        seen = [_as_if_ended(task, view.trials), *seen]
        task = decide(seen)
    return task or first
