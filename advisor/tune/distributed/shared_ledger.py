"""How do several clones keep trials in one study? Each decision and each outcome is one turn, under a lock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from advisor.errors import ServerError
from advisor.model.tuning import Decide, Outcome, Task, Trial, elapsed_seconds
from advisor.tune.distributed.coordination import SharedView, next_task_for
from advisor.tune.distributed.heartbeat import Activity, Heartbeat, Participant
from advisor.tune.distributed.turn_lock import hold_turn
from advisor.tune.search.optuna_ledger import OptunaLedger
from advisor.tune.search.policy import MOST_REPEATS
from advisor.tune.state.database import Storage, with_retries

_LOOK_SECONDS: Final = 2.0  # between looks at what the others still run
_LOST_TURN: Final = "lost the lock to another participant"


class SharedLedger:
    """Keeps trials in `inner` on a storage; `heartbeat` says which participants are alive."""

    def __init__(
        self, inner: OptunaLedger, storage: Storage, heartbeat: Heartbeat, tell: Callable[[str], None]
    ) -> None:
        self._inner, self._storage, self._heartbeat, self._tell = inner, storage, heartbeat, tell

    @property
    def clone(self) -> str:
        """The clone on which this program's trials are measured."""
        return self._inner.clone

    def trials(self) -> list[Trial]:
        """All that ended, on any clone."""
        return with_retries(self._storage.url, self._inner.trials)

    def take(self, decide: Decide, stop: Callable[[], bool]) -> tuple[int, Task] | None:
        """The next task and its number; waits while others still run trials that may lead to one."""
        while not stop():
            taken, wait = with_retries(self._storage.url, lambda: self._turn(decide))
            if taken or not wait:
                return taken
            time.sleep(_LOOK_SECONDS)
        return None

    def _turn(self, decide: Decide) -> tuple[tuple[int, Task] | None, bool]:
        """A task, noted as begun; and whether others still run trials that may lead to one."""
        inner = self._inner
        with hold_turn(self._storage, inner.study.study_name) as still_held:
            others = [participant for participant in self._heartbeat.others() if participant.alive]
            self._close_dead(others)
            task = self._left_behind()
            if task is None:
                task = next_task_for(self._view(others), decide)
            if task is None:
                self._say(Activity.WAITING)
                return None, bool(inner.under_way())
            if not still_held():
                raise ServerError(f"the storage {self._storage.url}: {_LOST_TURN}")
            self._say(Activity.SEARCHING)
            return (inner.begin(task), task), False

    def _say(self, activity: Activity) -> None:
        if self._heartbeat.activity is not activity:
            self._heartbeat.say(activity)

    def _close_dead(self, others: list[Participant]) -> None:
        """End the trials of clones without heartbeats, and those that an earlier run of ours left open."""
        alive = {other.clone for other in others}
        for number in self._inner.close_dead(lambda clone: clone not in alive):
            self._tell(f"trial {number + 1}: the participant that ran it is gone; the trial is repeated")

    def _left_behind(self) -> Task | None:
        """A task whose participant is gone; one during which three participants died is not tried again."""
        for task in self._inner.waiting():
            deaths = self._inner.given_up(task)
            if deaths <= MOST_REPEATS:
                return task
            number = self._inner.begin(task)
            why = f"{deaths} participants died while running this trial"
            self._inner.end(
                Trial(number, task, Outcome(infeasible=why), elapsed_seconds(self._inner.trials()), self.clone)
            )
        return None

    def _view(self, others: list[Participant]) -> SharedView:
        inner = self._inner
        return SharedView(
            clone=inner.clone,
            running=inner.running,
            trials=inner.trials(),
            under_way=[task for _, task in inner.under_way()],
            others=[other.name for other in others if other.activity is Activity.SEARCHING],
            lag_bound_ms=inner.lag_bound_ms,
            repeated=inner.repeated(),
        )

    def end(self, trial: Trial) -> bool:
        """Note the outcome of a trial that is still ours."""

        def note() -> bool:
            with hold_turn(self._storage, self._inner.study.study_name):
                return self._inner.end(trial)

        kept = with_retries(self._storage.url, note)
        if not kept:
            silence = f"this participant sent no heartbeat for {self._heartbeat.timeout_seconds:.0f} s"
            self._tell(f"trial {trial.number + 1} does not count: {silence}, so another clone repeats it")
        return kept

    def leave(self, activity: Activity) -> None:
        """Hand an open trial to the other clones, and end our part."""

        def give_back() -> None:
            with hold_turn(self._storage, self._inner.study.study_name):
                self._inner.give_back()

        try:
            with_retries(self._storage.url, give_back, seconds=0.0)
        except ServerError as error:
            self._tell(f"{error.message}; the other clones will notice that heartbeats are missing")
        self._heartbeat.end(activity)

    def claim_validation(self, stop: Callable[[], bool]) -> tuple[bool, str]:
        """Whether we validate from now on, else the name of the clone that does; "" when we are to stop."""
        if stop():
            return False, ""

        def claim() -> tuple[bool, str]:
            with hold_turn(self._storage, self._inner.study.study_name):
                for other in self._heartbeat.others():
                    if other.activity is Activity.PROVED or (other.alive and other.activity is Activity.PROVING):
                        return False, other.name
                self._heartbeat.say(Activity.PROVING)
                return True, ""

        return with_retries(self._storage.url, claim)
