"""What is tried next, and which configuration is the best? A pure function of the trials, so that a study can resume.

Order: the baseline, the initial configurations, then the search; the baseline again every few trials; what looks like a
new best once more after a fresh restart, before anything is built on it; at the end the best few again. A single lucky
measurement never wins.

Optuna's queue (`Study.enqueue_trial`) and its `terminator` do not serve: a queue is a second state beside the trials,
from which a resumed study could decide differently, and the terminator, which Optuna 6 removes, knows of no repeats.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import Final

from advisor.model.record import record
from advisor.model.tuning import SearchSpace, Settings, Task, Trial, TrialKind
from advisor.tune.search.gain_thresholds import WORTH_A_RUN, WORTH_PURSUING
from advisor.tune.search.ranking import is_confirmed, ranked
from advisor.tune.search.scored_trials import Candidate, ScoredTrial, candidates, scored_trials
from advisor.tune.space.encoding import Encoder, identity

Propose = Callable[[SearchSpace, Sequence[ScoredTrial], Settings, float, random.Random], dict[str, str]]

BASELINE_EVERY: Final = 8  # trials: drift of minutes to hours is followed at a cost of one trial in eight
MOST_REPEATS: Final = 2  # of a task whose trial had a fault
_SHORTLIST: Final = 4  # configurations that are measured again at the end


@record
class StudyPlan:
    """What a study is asked to do. `initial_configurations` are complete for the knobs of the space.

    It ends after `trials`, or when the next one would not end within `seconds` (0.0: no limit), or when `patience`
    trials of the search in a row confirmed no gain of `worthwhile` (log units; patience 0: never). The baseline, which
    is the `running` configuration, is run `references` times before anything else.
    """

    space: SearchSpace
    running: Settings
    initial_configurations: tuple[Settings, ...]
    lag_bound_ms: float
    trials: int
    seed: int = 0
    seconds: float = 0.0
    patience: int = 0
    worthwhile: float = WORTH_PURSUING
    references: int = 1


def next_task(plan: StudyPlan, trials: Sequence[Trial], propose: Propose) -> Task | None:
    """The next task; None when the study is done. `trials` are those that ended, faults included."""
    repeat = _after_fault(trials)
    if repeat is not None:
        return repeat
    history = scored_trials(trials, plan.lag_bound_ms)
    left = trials_left(plan, trials)
    if left <= 0:
        return None
    if len(history) < max(1, plan.references) and all(
        scored.trial.task.kind is TrialKind.BASELINE for scored in history
    ):
        return Task(TrialKind.BASELINE, plan.running, fresh=True)
    known = {identity(scored.trial.task.settings) for scored in history}
    for settings in plan.initial_configurations:
        if identity(settings) not in known:
            return Task(TrialKind.SEED, settings)
    finals = final_trials(len(history) + left)
    if stalled(plan, history):
        left = finals - _at_the_end(history)
        if left <= 0:
            return None
    if left <= finals:
        return _once_more(plan, history) or Task(TrialKind.BASELINE, plan.running, fresh=True)
    if all(scored.trial.task.kind is not TrialKind.BASELINE for scored in history[-(BASELINE_EVERY - 1) :]):
        return Task(TrialKind.BASELINE, plan.running)
    doubtful = _unconfirmed(plan, history)
    if doubtful is not None:
        return Task(TrialKind.CONFIRM, doubtful.settings, fresh=True)
    return Task(TrialKind.SEARCH, _search(plan, history, propose))


def trials_left(plan: StudyPlan, trials: Sequence[Trial]) -> int:
    """How many more trials there is room for, by number and by time; a trial takes as long as the last eight."""
    valid = sum(not trial.outcome.fault for trial in trials)
    if not plan.seconds or not trials:
        return plan.trials - valid
    recent = [trial.outcome.seconds for trial in trials[-8:]]
    each = max(sum(recent) / len(recent), 1e-9)
    return min(plan.trials - valid, int((plan.seconds - trials[-1].at_seconds) / each))


def stalled(plan: StudyPlan, history: Sequence[ScoredTrial]) -> bool:
    """Whether `patience` trials of the search passed since the last confirmed gain worth pursuing."""
    if not plan.patience:
        return False
    best, since = -math.inf, 0
    seen: list[ScoredTrial] = []
    for scored in history:
        seen.append(scored)
        since += scored.trial.task.kind is TrialKind.SEARCH
        if scored.trial.task.kind is not TrialKind.SEARCH:
            confirmed = max(
                (candidate.mean for candidate in candidates(seen) if is_confirmed(candidate)), default=-math.inf
            )
            if confirmed > best + plan.worthwhile:
                best, since = confirmed, 0
    return since >= plan.patience


def _at_the_end(history: Sequence[ScoredTrial]) -> int:
    """How many trials since the search last proposed anything."""
    return next(
        (count for count, scored in enumerate(reversed(history)) if scored.trial.task.kind is TrialKind.SEARCH), 0
    )


def final_trials(trials: int) -> int:
    """How many of all trials measure the best again."""
    return min(8, max(2, trials // 10))


def answer(plan: StudyPlan, trials: Sequence[Trial]) -> Candidate:
    """The best confirmed configuration; else the best that was measured once; else the baseline."""
    history = scored_trials(trials, plan.lag_bound_ms)
    candidates_in_order = [candidate for _, candidate in ranked(plan.space, history)]
    if candidates_in_order:
        return next((candidate for candidate in candidates_in_order if is_confirmed(candidate)), candidates_in_order[0])
    running = [candidate for candidate in candidates(history) if identity(candidate.settings) == identity(plan.running)]
    return running[0] if running else Candidate(plan.running, (), 0.0, False)


def best_confirmed(plan: StudyPlan, trials: Sequence[Trial]) -> Candidate | None:
    """The best configuration that was measured at least twice, never beyond a limit; None while there is none."""
    in_order = ranked(plan.space, scored_trials(trials, plan.lag_bound_ms))
    return next((candidate for _, candidate in in_order if is_confirmed(candidate)), None)


def _after_fault(trials: Sequence[Trial]) -> Task | None:
    """The last task again when its trial had a fault, unless it had too many."""
    if not trials or not trials[-1].outcome.fault:
        return None
    task = trials[-1].task
    faults = 0
    for trial in reversed(trials):
        if not trial.outcome.fault or identity(trial.task.settings) != identity(task.settings):
            break
        faults += 1
    return Task(task.kind, task.settings, True, trials[-1].number) if faults <= MOST_REPEATS else None


def _unconfirmed(plan: StudyPlan, history: Sequence[ScoredTrial]) -> Candidate | None:
    """What was measured once and is predicted to beat everything that is confirmed, the baseline included."""
    in_order = ranked(plan.space, history)
    best_confirmed_value = max((value for value, candidate in in_order if is_confirmed(candidate)), default=-math.inf)
    return next(
        (
            candidate
            for value, candidate in in_order
            if not is_confirmed(candidate) and value > best_confirmed_value + WORTH_A_RUN
        ),
        None,
    )


def _once_more(plan: StudyPlan, history: Sequence[ScoredTrial]) -> Task | None:
    """The next of the shortlist, least measured first, so that each has runs after restarts spread over time."""
    shortlist = [candidate for _, candidate in ranked(plan.space, history)][:_SHORTLIST]
    if not shortlist:
        return None
    last = identity(history[-1].trial.task.settings)
    others = [candidate for candidate in shortlist if identity(candidate.settings) != last] or shortlist
    chosen = min(others, key=lambda candidate: len(candidate.values))
    return Task(TrialKind.CONFIRM, chosen.settings, fresh=True)


def _search(plan: StudyPlan, history: Sequence[ScoredTrial], propose: Propose) -> Settings:
    dice = random.Random(f"{plan.seed} {len(history)}")
    if sum(scored.value is not None for scored in history) < 2:
        return Encoder(plan.space).settings([dice.random() for _ in plan.space.knobs])
    last = next((scored for scored in reversed(history) if scored.value is not None), history[-1])
    return propose(plan.space, history, last.trial.task.settings, _restart_ratio(history), dice)


def _restart_ratio(history: Sequence[ScoredTrial]) -> float:
    """What a trial takes with a restart, as a multiple of one without; 2.0 until both were seen."""
    seconds: dict[bool, list[float]] = {True: [], False: []}
    for scored in history:
        if scored.value is not None and not scored.trial.outcome.truncated:
            seconds[scored.trial.outcome.restarted].append(scored.trial.outcome.seconds)
    if not seconds[True] or not seconds[False]:
        return 2.0
    return max(1.0, sum(seconds[True]) / len(seconds[True]) / (sum(seconds[False]) / len(seconds[False])))
