"""Runs a study: asks what is next, tries it, keeps what came of it, until the trials or the time are used up."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from advisor.model.tuning import Environment, Ledger, Outcome, Task, Trial
from advisor.tune.deciding import Plan, Propose, next_task
from advisor.tune.stopping import watch_for

Clock = Callable[[], float]
Tell = Callable[[Task, Trial | None], None]


def run_study(
    plan: Plan,
    environment: Environment,
    ledger: Ledger,
    propose: Propose,
    tell: Tell = lambda task, trial: None,
    stop: Callable[[], bool] = lambda: False,
    clock: Clock = time.monotonic,
) -> list[Trial]:
    """All trials of the study, those of earlier runs included; an interrupted one is run again first.

    `tell` hears every task before (trial None) and after it is run. `stop` is asked between trials. What the
    environment raises (Ctrl-C, no way to go on) leaves the trial open in the ledger, for the next run to repeat.
    """
    trials = ledger.trials()
    begun = clock() - max((trial.at_seconds for trial in trials), default=0.0)
    waiting = ledger.unfinished()
    while not stop():
        task = waiting.pop(0) if waiting else next_task(plan, trials, propose)
        if task is None:
            break
        tell(task, None)
        number = ledger.begin(task)
        outcome = _sane(environment.run(task, watch_for(plan, trials, task)))
        trial = Trial(number, task, outcome, clock() - begun)
        ledger.end(trial)
        trials.append(trial)
        tell(task, trial)
    return trials


def _sane(outcome: Outcome) -> Outcome:
    """A rate that is no number, or nothing measured without a reason, is a fault of the measuring."""
    if not outcome.infeasible and not outcome.fault:
        if not outcome.windows:
            return Outcome(fault="nothing was measured", seconds=outcome.seconds, restarted=outcome.restarted)
        if not all(math.isfinite(rate) and rate >= 0 for rate in outcome.windows):
            return Outcome(fault="a rate is no number", seconds=outcome.seconds, restarted=outcome.restarted)
    return outcome
