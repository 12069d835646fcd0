"""A `Ledger` on a study that others work on, too: every decision and every outcome is one turn, taken alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from advisor.errors import ServerError
from advisor.model.tuning import Decide, Outcome, Task, Trial
from advisor.tune.distributed.coordination import SharedView, next_task_for
from advisor.tune.distributed.heartbeat import Activity, Heartbeat, Participant
from advisor.tune.distributed.turn_lock import hold_turn
from advisor.tune.request.maintenance_window import elapsed_seconds
from advisor.tune.search.ledger import OptunaLedger
from advisor.tune.search.policy import MOST_REPEATS
from advisor.tune.state.database import Storage, with_retries

_LOOK_SECONDS: Final = 2.0  # between looks at what the others still run
_LOST_TURN: Final = "another controller took its turn meanwhile"


class SharedLedger:
    """Keeps trials in `inner` on a storage; `heartbeat` tells whose controllers are alive."""

    def __init__(
        self, inner: OptunaLedger, storage: Storage, heartbeat: Heartbeat, tell: Callable[[str], None]
    ) -> None:
        self._inner, self._storage, self._heartbeat, self._tell = inner, storage, heartbeat, tell

    @property
    def clone(self) -> str:
        """Where this program's trials are measured."""
        return self._inner.clone

    def trials(self) -> list[Trial]:
        """All that ended, on any clone."""
        return with_retries(self._storage.url, self._inner.trials)

    def take(self, decide: Decide, stop: Callable[[], bool]) -> tuple[int, Task] | None:
        """What is run next, and its number; while others still run what may lead to more, it waits for them."""
        while not stop():
            taken, wait = with_retries(self._storage.url, lambda: self._turn(decide))
            if taken or not wait:
                return taken
            time.sleep(_LOOK_SECONDS)
        return None

    def _turn(self, decide: Decide) -> tuple[tuple[int, Task] | None, bool]:
        """A task begun, and whether others are at work that may lead to one."""
        inner = self._inner
        with hold_turn(self._storage, inner.study.study_name) as still:
            others = [one for one in self._heartbeat.others() if one.alive]
            self._close_dead(others)
            task = self._left_behind()
            if task is None:
                task = next_task_for(self._scene(others), decide)
            if task is None:
                self._say(Activity.WAITING)
                return None, bool(inner.under_way())
            if not still():
                raise ServerError(f"the storage {self._storage.url}: {_LOST_TURN}")
            self._say(Activity.SEARCHING)
            return (inner.begin(task), task), False

    def _say(self, doing: Activity) -> None:
        if self._heartbeat.doing is not doing:
            self._heartbeat.say(doing)

    def _close_dead(self, others: list[Participant]) -> None:
        """Trials of clones of which nothing is heard, and those that a former run of ours left open."""
        alive = {one.clone for one in others}
        for number in self._inner.close_dead(lambda clone: clone not in alive):
            self._tell(f"trial {number + 1}: its controller is gone; it is run again")

    def _left_behind(self) -> Task | None:
        """What nobody runs any more; what three controllers died of is not tried again."""
        for task in self._inner.waiting():
            deaths = self._inner.given_up(task)
            if deaths <= MOST_REPEATS:
                return task
            number = self._inner.begin(task)
            why = f"{deaths} controllers ended while it was tried"
            self._inner.end(
                Trial(number, task, Outcome(infeasible=why), elapsed_seconds(self._inner.trials()), self.clone)
            )
        return None

    def _scene(self, others: list[Participant]) -> SharedView:
        inner = self._inner
        return SharedView(
            clone=inner.clone,
            running=inner.running,
            trials=inner.trials(),
            under_way=[task for _, task in inner.under_way()],
            others=[one.name for one in others if one.doing is Activity.SEARCHING],
            lag_bound_ms=inner.lag_bound_ms,
            repeated=inner.repeated(),
        )

    def end(self, trial: Trial) -> bool:
        """Note what came of it, when it is still ours."""

        def note() -> bool:
            with hold_turn(self._storage, self._inner.study.study_name):
                return self._inner.end(trial)

        kept = with_retries(self._storage.url, note)
        if not kept:
            silence = f"nothing was heard of this controller for {self._heartbeat.deaf_seconds:.0f} s"
            self._tell(f"trial {trial.number + 1} counts for nothing: {silence}, so another runs it")
        return kept

    def leave(self, doing: Activity) -> None:
        """What was begun is for others; and so is the study."""

        def give_back() -> None:
            with hold_turn(self._storage, self._inner.study.study_name):
                self._inner.give_back()

        try:
            with_retries(self._storage.url, give_back, seconds=0.0)
        except ServerError as error:
            self._tell(f"{error.message}; the others learn of our end when they hear nothing")
        self._heartbeat.end(doing)

    def claim_validation(self, stop: Callable[[], bool]) -> tuple[bool, str]:
        """Whether the proof is ours now, else the name of the clone that has it; nobody's while we are to stop."""
        if stop():
            return False, ""

        def claim() -> tuple[bool, str]:
            with hold_turn(self._storage, self._inner.study.study_name):
                for one in self._heartbeat.others():
                    if one.doing is Activity.PROVED or (one.alive and one.doing is Activity.PROVING):
                        return False, one.name
                self._heartbeat.say(Activity.PROVING)
                return True, ""

        return with_retries(self._storage.url, claim)
