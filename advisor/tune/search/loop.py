"""Runs a study: asks what is next, tries it, keeps what came of it, until the trials or the time are used up."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

from advisor.errors import ServerError
from advisor.model.tuning import Environment, Ledger, Outcome, Task, Trial
from advisor.tune.request.maintenance_window import elapsed_seconds
from advisor.tune.search.early_stopping import watch_for
from advisor.tune.search.policy import FAULTS_BORNE, Propose, StudyPlan, next_task

_HINT: Final = "nothing is lost: see to it, then let the study go on"

Clock = Callable[[], float]
Tell = Callable[[Task, Trial | None], None]


def run_study(
    plan: StudyPlan,
    environment: Environment,
    ledger: Ledger,
    propose: Propose,
    tell: Tell = lambda task, trial: None,
    stop: Callable[[], bool] = lambda: False,
    clock: Clock = time.monotonic,
    most: int = 0,
) -> list[Trial]:
    """All trials of the study, those of earlier runs and other clones included; an interrupted one is run again first.

    `tell` hears every task before (trial None) and after it is run. `stop` is asked between trials. What the
    environment raises (Ctrl-C, no way to go on) leaves the trial open in the ledger, for the next run to repeat. At
    most `most` trials are run (0: no limit). ServerError when a task and its repeats all had a fault.
    """
    begun = clock() - elapsed_seconds(ledger.trials())
    done = 0
    while not stop() and not (most and done >= most):
        taken = ledger.take(lambda seen: next_task(plan, seen, propose), stop)
        if taken is None:
            break
        number, task = taken
        tell(task, None)
        outcome = _sane(environment.run(task, watch_for(plan, ledger.trials(), task, ledger.clone)))
        trial = Trial(number, task, outcome, clock() - begun, ledger.clone)
        if not ledger.end(trial):
            continue
        done += 1
        tell(task, trial)
        ours = [one for one in ledger.trials() if one.clone == ledger.clone]
        if len(ours) > FAULTS_BORNE and all(one.outcome.fault for one in ours[-FAULTS_BORNE - 1 :]):
            raise ServerError(f"{FAULTS_BORNE + 1} faults in a row: {outcome.fault}", hint=_HINT)
    return ledger.trials()


def _sane(outcome: Outcome) -> Outcome:
    """A rate that is no number, or nothing measured without a reason, is a fault of the measuring."""
    if not outcome.infeasible and not outcome.fault:
        if not outcome.windows:
            return Outcome(fault="nothing was measured", seconds=outcome.seconds, restarted=outcome.restarted)
        if not all(math.isfinite(rate) and rate >= 0 for rate in outcome.windows):
            return Outcome(fault="a rate is no number", seconds=outcome.seconds, restarted=outcome.restarted)
    return outcome
