"""How long do the users' commits take? As the server counts them, or by how old those in progress are.

MySQL counts statements by their time (`events_statements_histogram_by_digest`, from 8.0 on). MariaDB does not; there
the process list is looked at ten times a second. In a steady stream of λ commits a second, a look finds λ·S(t)·dt of
them at an age of t to t + dt, where S(t) is the share that take longer than t. So the density of the ages gives S, and
the mean number in progress, divided by λ, is the mean time (Little's law).
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, Protocol

from advisor.client import Session
from advisor.errors import ServerError
from advisor.model.record import record

LOOK_SECONDS: Final = 0.1
_CHOICE_SECONDS: Final = 1.5  # of traffic, from which it is seen which statements end transactions
_MOST_DIGESTS: Final = 12
_AUTOCOMMITTED_BELOW: Final = 0.2  # COMMITs per changing statement: with fewer, most commit themselves
_ENDING: Final = "COMMIT"
_CHANGING: Final = ("INSERT", "UPDATE", "DELETE", "REPLACE")
_FIRST_WORD: Final = re.compile(r"\s*(?:/\*.*?\*/\s*)*(?:EXECUTE\s+)?([A-Za-z]+)", re.DOTALL)
_DIGESTS: Final = (
    "SELECT SCHEMA_NAME, DIGEST, DIGEST_TEXT, COUNT_STAR, SUM_TIMER_WAIT"
    " FROM performance_schema.events_statements_summary_by_digest WHERE DIGEST_TEXT REGEXP"
    " '^(EXECUTE )?(COMMIT|INSERT|UPDATE|DELETE|REPLACE)'"
)
_COUNTERS: Final = ("Com_commit", "Com_insert", "Com_update", "Com_delete", "Com_replace", "Threads_connected")
_PICOSECONDS_PER_MS: Final = 1e9


@record
class CommitTimes:
    """What a member counted so far: see `Reading`. `ages_ms` and `looks` are those since the last call."""

    commits: float
    seconds: float
    buckets: Mapping[float, float] | None = None
    ages_ms: tuple[float, ...] = ()
    looks: int = 0


class CommitClock(Protocol):
    """Reads commit times of one member."""

    def read(self) -> CommitTimes:
        """What was counted so far; ServerError when it cannot be read."""
        ...

    def close(self) -> None:
        """End it."""
        ...


def histogram_percentile(counts: Mapping[float, float], share: float) -> float | None:
    """The upper bound of the bucket in which a percentile lies (MySQL's are 4.7 % wide); None of nothing."""
    total = sum(counts.values())
    if total <= 0 or min(counts.values()) < 0:
        return None
    seen = 0.0
    for bound in sorted(counts):
        seen += counts[bound]
        if seen >= share * total:
            return bound
    return max(counts)


def age_percentile(ages_ms: Sequence[float], looks: int, commits_per_ms: float, slow_share: float) -> float:
    """The time that a share of the commits exceed, from the ages of those in progress: where their density is the rate
    times that share.

    S falls, so its estimate is the steepest falling one: the slopes of the concave majorant of the ages' distribution
    (Grenander 1956). 0 where none was ever seen in progress; never above the oldest.
    """
    wanted = slow_share * commits_per_ms
    hull: list[tuple[float, float]] = [(0.0, 0.0)]
    for count, age in enumerate(sorted(ages_ms), 1):
        point = (max(age, 1e-6), count / looks)
        while len(hull) > 1 and _slope(hull[-2], hull[-1]) <= _slope(hull[-1], point):
            hull.pop()
        hull.append(point)
    for earlier, later in pairwise(hull):
        if _slope(earlier, later) <= wanted:
            return earlier[0]
    return hull[-1][0]


def _slope(first: tuple[float, float], second: tuple[float, float]) -> float:
    width = second[0] - first[0]
    return (second[1] - first[1]) / width if width > 0 else math.inf


def first_word(statement: str) -> str:
    """UPDATE, COMMIT …, without comments, and as prepared statements are digested."""
    found = _FIRST_WORD.match(statement)
    return found[1].upper() if found else ""


class HistogramClock:
    """MySQL's own histograms of the statements that end transactions."""

    def __init__(self, session: Session) -> None:
        self._session = session
        before = {(row["SCHEMA_NAME"], row["DIGEST"]): float(str(row["COUNT_STAR"])) for row in session.rows(_DIGESTS)}
        time.sleep(_CHOICE_SECONDS)
        rises = [
            (float(str(row["COUNT_STAR"])) - before.get((row["SCHEMA_NAME"], row["DIGEST"]), 0.0), row)
            for row in session.rows(_DIGESTS)
        ]
        busiest = [row for rise, row in sorted(rises, key=lambda pair: -pair[0]) if rise > 0]
        explicit = sum(rise for rise, row in rises if first_word(str(row["DIGEST_TEXT"])) == _ENDING)
        changing = sum(rise for rise, _ in rises) - explicit
        words = (_ENDING,) if explicit > _AUTOCOMMITTED_BELOW * changing else (_ENDING, *_CHANGING)
        chosen = [row for row in busiest if first_word(str(row["DIGEST_TEXT"])) in words]
        if not chosen:
            raise ServerError("no transaction was committed while the statements were read")
        self.statements = ", ".join(dict.fromkeys(first_word(str(row["DIGEST_TEXT"])) for row in chosen))
        places = [(row["SCHEMA_NAME"], str(row["DIGEST"])) for row in chosen[:_MOST_DIGESTS]]
        self._where = " OR ".join("(SCHEMA_NAME <=> %s AND DIGEST = %s)" for _ in places)
        self._places = [part for place in places for part in place]

    def read(self) -> CommitTimes:
        """See `CommitClock`."""
        rows = self._session.rows(
            "SELECT BUCKET_TIMER_HIGH AS bound, SUM(COUNT_BUCKET) AS count"
            f" FROM performance_schema.events_statements_histogram_by_digest WHERE {self._where}"
            " GROUP BY BUCKET_TIMER_HIGH HAVING count > 0",
            *self._places,
        )
        buckets = {float(str(row["bound"])) / _PICOSECONDS_PER_MS: float(str(row["count"])) for row in rows}
        summary = self._session.rows(
            "SELECT SUM(COUNT_STAR) AS calls, SUM(SUM_TIMER_WAIT) AS picoseconds"
            f" FROM performance_schema.events_statements_summary_by_digest WHERE {self._where}",
            *self._places,
        )[0]
        seconds = float(str(summary["picoseconds"] or 0)) / _PICOSECONDS_PER_MS / 1000
        return CommitTimes(float(str(summary["calls"] or 0)), seconds, buckets)

    def close(self) -> None:
        """The session is its owner's."""


class ProcessListClock:
    """MariaDB: the ages of statements in progress, looked at by a thread with a connection of its own."""

    statements = "COMMIT, and autocommitted changes"

    def __init__(self, session: Session) -> None:
        self._session = session
        first = session.pairs(_status(_COUNTERS))
        time.sleep(_CHOICE_SECONDS)
        second = session.pairs(_status(_COUNTERS))
        rises = {name: float(second[name]) - float(first[name]) for name in _COUNTERS if name.startswith("Com_")}
        explicit = rises.pop("Com_commit")
        self._words = (_ENDING,) if explicit > _AUTOCOMMITTED_BELOW * sum(rises.values()) else (_ENDING, *_CHANGING)
        self._counters = tuple(f"Com_{word.lower()}" for word in self._words)
        seen = session.value("SELECT COUNT(*) FROM information_schema.PROCESSLIST")
        if int(str(seen)) < int(second["Threads_connected"]) / 2:
            raise ServerError("the account does not see other sessions", hint="GRANT PROCESS ON *.*")
        self._ages: list[float] = []
        self._looks = 0
        self._seconds = 0.0
        self._error: ServerError | None = None
        self._stop, self._lock = threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._look, name="commit ages", daemon=True)
        self._thread.start()

    def read(self) -> CommitTimes:
        """See `CommitClock`. Its session is the thread's; counters are read between two of its looks."""
        with self._lock:
            if self._error:
                raise self._error
            counters = self._session.pairs(_status(self._counters))
            ages, looks = tuple(self._ages), self._looks
            self._ages, self._looks = [], 0
            return CommitTimes(sum(map(float, counters.values())), self._seconds, None, ages, looks)

    def close(self) -> None:
        """End the thread."""
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        last = time.monotonic()
        while not self._stop.wait(LOOK_SECONDS):
            with self._lock:
                try:
                    rows = self._session.rows(
                        "SELECT TIME_MS, LEFT(INFO, 200) AS statement FROM information_schema.PROCESSLIST"
                        " WHERE COMMAND IN ('Query', 'Execute') AND ID <> CONNECTION_ID()"
                    )
                except ServerError as error:
                    self._error = error
                    return
                now = time.monotonic()
                ages = [float(str(row["TIME_MS"])) for row in rows if first_word(str(row["statement"])) in self._words]
                self._ages += ages
                self._looks += 1
                self._seconds += len(ages) * (now - last)
                last = now


def _status(names: Sequence[str]) -> str:
    return "SHOW GLOBAL STATUS WHERE Variable_name IN ({})".format(", ".join(f"'{name}'" for name in names))
