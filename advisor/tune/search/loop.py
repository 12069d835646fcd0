"""How does a study run? It asks what is next, runs it and keeps the outcome, until trials or time are used up."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

from advisor.errors import ServerError
from advisor.model.tuning import Environment, Ledger, Outcome, Task, Trial, elapsed_seconds
from advisor.tune.search.early_stopping import early_stopping_rule
from advisor.tune.search.policy import MOST_REPEATS, Propose, StudyPlan, next_task

_HINT: Final = "no trial is lost: fix the cause, then `advisor tune resume`"

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
    """All trials of the study, earlier runs and other clones included; an interrupted one is repeated first.

    `tell` gets every task before (trial None) and after it is run; `stop` is asked between trials. What the environment
    raises (Ctrl-C, a cluster that is lost) leaves the trial open in the ledger, for the next run to repeat. At most
    `most` trials are run (0: no limit). ServerError when a task and its repeats all had a fault.
    """
    started = clock() - elapsed_seconds(ledger.trials())
    done = 0
    while not stop() and not (most and done >= most):
        taken = ledger.take(lambda seen: next_task(plan, seen, propose), stop)
        if taken is None:
            break
        number, task = taken
        tell(task, None)
        outcome = _sane(environment.run(task, early_stopping_rule(plan, ledger.trials(), task, ledger.clone)))
        trial = Trial(number, task, outcome, clock() - started, ledger.clone)
        if not ledger.end(trial):
            continue
        done += 1
        tell(task, trial)
        own = [other for other in ledger.trials() if other.clone == ledger.clone]
        if len(own) > MOST_REPEATS and all(other.outcome.fault for other in own[-MOST_REPEATS - 1 :]):
            raise ServerError(f"{MOST_REPEATS + 1} faults in a row: {outcome.fault}", hint=_HINT)
    return ledger.trials()


def _sane(outcome: Outcome) -> Outcome:
    """A rate that is not a number, or nothing measured without a reason, is a fault of the measurement."""
    if not outcome.infeasible and not outcome.fault:
        if not outcome.windows:
            return Outcome(fault="nothing was measured", seconds=outcome.seconds, restarted=outcome.restarted)
        if not all(math.isfinite(rate) and rate >= 0 for rate in outcome.windows):
            return Outcome(fault="a rate is not a number", seconds=outcome.seconds, restarted=outcome.restarted)
    return outcome
