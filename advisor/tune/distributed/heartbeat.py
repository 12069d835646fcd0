"""Which clones take part in a study, and which of them are alive? Each sends a heartbeat while it works.

A thread of every participant writes the time, by the storage's clock, into an attribute of the study, also between
trials. A participant that misses three heartbeats is taken for dead: long enough for a storage that restarts, short
compared with a trial.

Optuna's own heartbeats do not serve: they belong to a running trial inside `Study.optimize`, and need an RDB storage. A
clone that restores its servers, waits, or validates runs no trial, and must still be known to be alive.
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
BEAT_KEY: Final = "beat_seconds"  # stated by the clone that began the study, so that all use the same
_KEY: Final = "clone "


class Activity(StrEnum):
    """What a participant is doing."""

    SEARCHING = "searching"
    WAITING = "waiting"  # it has nothing to try until the others' trials end
    PROVING = "proving"
    PROVED = "proved"  # it ended, and its report has the recommendation
    LEFT = "left"


@record
class Participant:
    """One clone as the study knows it. `name` is for people, `last_seconds` the time of its last heartbeat."""

    clone: str
    name: str
    activity: Activity
    last_seconds: float
    alive: bool


class Heartbeat:
    """The heartbeat of our own clone in a study, and those of the others."""

    def __init__(self, storage: Storage, study: optuna.Study, clone: str, name: str) -> None:
        self._storage, self._study, self._clone, self._name = storage, study, clone, name
        self._beat_seconds = float(study.user_attrs.get(BEAT_KEY, BEAT_SECONDS))
        self._activity = Activity.SEARCHING
        self._one_writes = threading.Lock()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    @property
    def timeout_seconds(self) -> float:
        """How long a participant may send no heartbeat before others run its trial."""
        return MISSED_BEATS * self._beat_seconds

    @property
    def activity(self) -> Activity:
        """What our participant is doing."""
        return self._activity

    def begin(self) -> None:
        """Send heartbeats from now on."""
        self.say(Activity.SEARCHING)
        self._thread.start()

    def say(self, activity: Activity) -> None:
        """Send a heartbeat with what we are doing."""
        with self._one_writes:
            self._activity = activity
            row = {
                "name": self._name,
                "doing": str(activity),
                "heard": storages.storage_time(self._storage),
            }
            self._study.set_user_attr(f"{_KEY}{self._clone}", row)

    def end(self, activity: Activity) -> None:
        """Say that we ended; where the storage does not answer, the missing heartbeats say it."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join()
        self._ignoring_errors(lambda: self.say(activity))

    def _beat(self) -> None:
        while not self._end.wait(self._beat_seconds):
            self._ignoring_errors(lambda: self.say(self._activity))

    @staticmethod
    def _ignoring_errors(say: Callable[[], None]) -> None:
        try:
            with storages.storage_errors(""):
                say()
        except ServerError:
            return  # the next one may arrive; after three missed ones the end of the trial reports it

    def others(self) -> list[Participant]:
        """The other clones that ever took part in the study."""
        return [
            participant
            for participant in participants(self._study, storages.storage_time(self._storage))
            if participant.clone != self._clone
        ]


def participants(study: optuna.Study, at: float) -> list[Participant]:
    """All clones that ever took part in a study, as of a time by the storage's clock."""
    attributes = study.user_attrs
    timeout = MISSED_BEATS * float(attributes.get(BEAT_KEY, BEAT_SECONDS))
    rows: dict[str, dict[str, Any]] = {
        key.removeprefix(_KEY): row for key, row in attributes.items() if key.startswith(_KEY)
    }
    return [
        Participant(
            clone=clone,
            name=row["name"],
            activity=Activity(row["doing"]),
            last_seconds=row["heard"],
            alive=row["doing"] not in (Activity.PROVED, Activity.LEFT) and at - row["heard"] < timeout,
        )
        for clone, row in rows.items()
    ]
