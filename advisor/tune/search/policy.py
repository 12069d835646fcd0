"""What is tried next, and what is the answer so far? A pure function of the trials, so that a study resumes exactly.

Order: the running configuration, the seeds, then the search; the running configuration again every few trials; what
looks like a new best once more after a fresh restart, before anything is built on it; at the end the
best few again. A single lucky measurement is never an answer.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Sequence
from typing import Final

from advisor.model.record import record
from advisor.model.tuning import SearchSpace, Settings, Task, Trial, TrialKind
from advisor.tune.search.history import Candidate, ScoredTrial, candidates, scored_trials
from advisor.tune.search.ranking import WORTH_A_RUN, is_confirmed, ranked
from advisor.tune.space.encoding import Encoder, difference, identity

Propose = Callable[[SearchSpace, Sequence[ScoredTrial], Settings, float, random.Random], dict[str, str]]

BASELINE_EVERY: Final = 8  # trials: drift of minutes to hours is followed at a cost of one trial in eight
FAULTS_BORNE: Final = 2  # repeats of a task whose trial had a fault
_SHORTLIST: Final = 4  # configurations that are measured again at the end


@record
class StudyPlan:
    """What a study is asked to do. `seeds` are advised configurations, complete for the knobs of the space.

    It ends after `trials`, or when the next one would not end within `seconds` (0.0: no limit), or when `patience`
    trials of the search in a row confirmed no gain of `worthwhile` (log units; patience 0: never). The running
    configuration is run `references` times before anything else.
    """

    space: SearchSpace
    running: Settings
    seeds: tuple[Settings, ...]
    lag_bound_ms: float
    trials: int
    seed: int = 0
    seconds: float = 0.0
    patience: int = 0
    worthwhile: float = 0.03
    references: int = 1


def next_task(plan: StudyPlan, trials: Sequence[Trial], propose: Propose) -> Task | None:
    """The next task; None when the trials asked for are done. Ended trials only, faults included."""
    again = _after_fault(trials)
    if again is not None:
        return again
    history = scored_trials(trials, plan.lag_bound_ms)
    left = trials_left(plan, trials)
    if left <= 0:
        return None
    if len(history) < max(1, plan.references) and all(one.trial.task.kind is TrialKind.BASELINE for one in history):
        return Task(TrialKind.BASELINE, plan.running, fresh=True)
    known = {identity(one.trial.task.settings) for one in history}
    for settings in plan.seeds:
        if identity(settings) not in known:
            return Task(TrialKind.SEED, settings)
    finals = final_trials(len(history) + left)
    if stalled(plan, history):
        left = finals - _at_the_end(history)
        if left <= 0:
            return None
    if left <= finals:
        return _once_more(plan, history) or Task(TrialKind.BASELINE, plan.running, fresh=True)
    if all(one.trial.task.kind is not TrialKind.BASELINE for one in history[-(BASELINE_EVERY - 1) :]):
        return Task(TrialKind.BASELINE, plan.running)
    doubtful = _unconfirmed(plan, history)
    if doubtful is not None:
        return Task(TrialKind.CONFIRM, doubtful.settings, fresh=True)
    return Task(TrialKind.SEARCH, _search(plan, history, propose))


def trials_left(plan: StudyPlan, trials: Sequence[Trial]) -> int:
    """How many more trials there is room for, by number and by time; a trial takes what the last eight took."""
    said = sum(not trial.outcome.fault for trial in trials)
    if not plan.seconds or not trials:
        return plan.trials - said
    recent = [trial.outcome.seconds for trial in trials[-8:]]
    each = max(sum(recent) / len(recent), 1e-9)
    return min(plan.trials - said, int((plan.seconds - trials[-1].at_seconds) / each))


def stalled(plan: StudyPlan, history: Sequence[ScoredTrial]) -> bool:
    """Whether `patience` trials of the search went by since the last confirmed gain worth its name."""
    if not plan.patience:
        return False
    best, since = -math.inf, 0
    seen: list[ScoredTrial] = []
    for one in history:
        seen.append(one)
        since += one.trial.task.kind is TrialKind.SEARCH
        if one.trial.task.kind is not TrialKind.SEARCH:
            sure = max((c.mean for c in candidates(seen) if is_confirmed(c)), default=-math.inf)
            if sure > best + plan.worthwhile:
                best, since = sure, 0
    return since >= plan.patience


def _at_the_end(history: Sequence[ScoredTrial]) -> int:
    """How many trials since the search last proposed anything."""
    return next((n for n, one in enumerate(reversed(history)) if one.trial.task.kind is TrialKind.SEARCH), 0)


def final_trials(trials: int) -> int:
    """How many of all trials measure the best again."""
    return min(8, max(2, trials // 10))


def answer(plan: StudyPlan, trials: Sequence[Trial]) -> Candidate:
    """The best configuration that is sure: measured at least twice, never outside a bound; else the running one."""
    history = scored_trials(trials, plan.lag_bound_ms)
    found = [one for _, one in ranked(plan.space, history)]
    if found:
        return next((one for one in found if is_confirmed(one)), found[0])
    running = [one for one in candidates(history) if identity(one.settings) == identity(plan.running)]
    return running[0] if running else Candidate(plan.running, (), 0.0, False)


def best_confirmed(plan: StudyPlan, trials: Sequence[Trial]) -> Candidate | None:
    """The best configuration that was measured at least twice, never outside a bound; None while there is none."""
    found = ranked(plan.space, scored_trials(trials, plan.lag_bound_ms))
    return next((one for _, one in found if is_confirmed(one)), None)


def runner_up(plan: StudyPlan, trials: Sequence[Trial], besides: Collection[Settings]) -> Candidate | None:
    """Of the other configurations that are sure and better than the running one, that with the fewest changes.

    The fewer knobs, the less can be wrong that so few runs do not show; of equals the best.
    """
    found = candidates(scored_trials(trials, plan.lag_bound_ms))
    known = {identity(settings) for settings in (plan.running, *besides)}
    least = max((one.mean for one in found if identity(one.settings) == identity(plan.running)), default=-math.inf)
    sure = [one for one in found if is_confirmed(one) and identity(one.settings) not in known and one.mean > least]
    return min(sure, key=lambda one: (len(difference(plan.running, one.settings)), -one.mean), default=None)


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
    return Task(task.kind, task.settings, True, trials[-1].number) if faults <= FAULTS_BORNE else None


def _unconfirmed(plan: StudyPlan, history: Sequence[ScoredTrial]) -> Candidate | None:
    """What was measured once and is believed to beat everything that is sure, the running configuration included."""
    found = ranked(plan.space, history)
    sure = max((worth for worth, one in found if is_confirmed(one)), default=-math.inf)
    return next((one for worth, one in found if not is_confirmed(one) and worth > sure + WORTH_A_RUN), None)


def _once_more(plan: StudyPlan, history: Sequence[ScoredTrial]) -> Task | None:
    """The shortlist in turn, least measured first: every one is measured after restarts spread over time."""
    keeping = [one for _, one in ranked(plan.space, history)][:_SHORTLIST]
    if not keeping:
        return None
    last = identity(history[-1].trial.task.settings)
    others = [one for one in keeping if identity(one.settings) != last] or keeping
    chosen = min(others, key=lambda one: len(one.values))
    return Task(TrialKind.CONFIRM, chosen.settings, fresh=True)


def _search(plan: StudyPlan, history: Sequence[ScoredTrial], propose: Propose) -> Settings:
    dice = random.Random(f"{plan.seed} {len(history)}")
    if sum(one.value is not None for one in history) < 2:
        return Encoder(plan.space).settings([dice.random() for _ in plan.space.knobs])
    last = next((one for one in reversed(history) if one.value is not None), history[-1])
    return propose(plan.space, history, last.trial.task.settings, _restart_ratio(history), dice)


def _restart_ratio(history: Sequence[ScoredTrial]) -> float:
    """What a trial takes with a restart, as a multiple of one without; 2.0 until both were seen."""
    spent: dict[bool, list[float]] = {True: [], False: []}
    for one in history:
        if one.value is not None and not one.trial.outcome.truncated:
            spent[one.trial.outcome.restarted].append(one.trial.outcome.seconds)
    if not spent[True] or not spent[False]:
        return 2.0
    return max(1.0, sum(spent[True]) / len(spent[True]) / (sum(spent[False]) / len(spent[False])))
