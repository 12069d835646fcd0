"""Runs a study: asks what is next, tries it, keeps what came of it, until the trials or the time are used up."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

from advisor.errors import ServerError
from advisor.model.tuning import Environment, Ledger, Outcome, Task, Trial
from advisor.tune.deciding import FAULTS_BORNE, Plan, Propose, next_task
from advisor.tune.stopping import watch_for

_HINT: Final = "nothing is lost: see to it, then let the study go on"

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
    ServerError when a task and its repeats all had a fault.
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
        if len(trials) > FAULTS_BORNE and all(one.outcome.fault for one in trials[-FAULTS_BORNE - 1 :]):
            raise ServerError(f"{FAULTS_BORNE + 1} faults in a row: {outcome.fault}", hint=_HINT)
    return trials


def _sane(outcome: Outcome) -> Outcome:
    """A rate that is no number, or nothing measured without a reason, is a fault of the measuring."""
    if not outcome.infeasible and not outcome.fault:
        if not outcome.windows:
            return Outcome(fault="nothing was measured", seconds=outcome.seconds, restarted=outcome.restarted)
        if not all(math.isfinite(rate) and rate >= 0 for rate in outcome.windows):
            return Outcome(fault="a rate is no number", seconds=outcome.seconds, restarted=outcome.restarted)
    return outcome
