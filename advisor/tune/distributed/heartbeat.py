"""Which clones work on a study, and whose controller is alive? Each says so again and again while it works.

A thread of every controller writes the time, by the storage's clock, into an attribute of the study. It beats between
trials, too, so one heart stands for whatever its controller is doing. Nothing heard for three beats is taken for dead:
long enough for a storage that restarts, short against a trial.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from advisor.errors import ServerError
from advisor.model.record import record
from advisor.tune.state import database as storages
from advisor.tune.state.database import Storage

if TYPE_CHECKING:
    import optuna

BEAT_SECONDS: Final = 20.0
MISSED_BEATS: Final = 3
BEAT_KEY: Final = "beat_seconds"  # what the study's beginner says, so that all go by the same
_KEY: Final = "clone "


class Activity(StrEnum):
    """What a controller is at."""

    SEARCHING = "searching"
    WAITING = "waiting"  # it has nothing to begin while others run theirs, and confirms nothing for them
    PROVING = "proving"
    PROVED = "proved"  # it is gone, and its report has the answer
    LEFT = "left"


@record
class Participant:
    """One clone as the study knows it. `name` is for people, `heard` when its controller was last heard of."""

    clone: str
    name: str
    doing: Activity
    heard: float
    alive: bool


class Heartbeat:
    """Our own clone in a study, and the others."""

    def __init__(self, storage: Storage, study: optuna.Study, clone: str, name: str) -> None:
        self._storage, self._study, self._clone, self._name = storage, study, clone, name
        self._beat_seconds = float(study.user_attrs.get(BEAT_KEY, BEAT_SECONDS))
        self._doing = Activity.SEARCHING
        self._one_writes = threading.Lock()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heart", daemon=True)

    @property
    def deaf_seconds(self) -> float:
        """How long nothing is heard of a controller before its trial is run by others."""
        return MISSED_BEATS * self._beat_seconds

    @property
    def doing(self) -> Activity:
        """What we are at."""
        return self._doing

    def begin(self) -> None:
        """Say that we are here, from now on."""
        self.say(Activity.SEARCHING)
        self._thread.start()

    def say(self, doing: Activity) -> None:
        """Say what we are at; what PROVED says is never taken back."""
        with self._one_writes:
            self._doing = doing
            row = {
                "name": self._name,
                "doing": str(doing),
                "heard": storages.storage_time(self._storage),
            }
            self._study.set_user_attr(f"{_KEY}{self._clone}", row)

    def end(self, doing: Activity) -> None:
        """Say that we are gone; a storage that does not answer learns it from the silence."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join()
        self._heard(lambda: self.say(doing))

    def _beat(self) -> None:
        while not self._end.wait(self._beat_seconds):
            self._heard(lambda: self.say(self._doing))

    @staticmethod
    def _heard(say: Callable[[], None]) -> None:
        try:
            with storages.storage_errors(""):
                say()
        except ServerError:
            return  # the next beat may be heard; whoever misses three is taken for dead, and told so at its trial's end

    def others(self) -> list[Participant]:
        """The other clones that ever worked on the study."""
        return [
            one for one in participants(self._study, storages.storage_time(self._storage)) if one.clone != self._clone
        ]


def participants(study: optuna.Study, at: float) -> list[Participant]:
    """All clones that ever worked on a study, as they are at a time of the storage's clock."""
    told = study.user_attrs
    deaf = MISSED_BEATS * float(told.get(BEAT_KEY, BEAT_SECONDS))
    rows: dict[str, dict[str, Any]] = {key.removeprefix(_KEY): row for key, row in told.items() if key.startswith(_KEY)}
    return [
        Participant(
            clone=clone,
            name=row["name"],
            doing=Activity(row["doing"]),
            heard=row["heard"],
            alive=row["doing"] not in (Activity.PROVED, Activity.LEFT) and at - row["heard"] < deaf,
        )
        for clone, row in rows.items()
    ]
