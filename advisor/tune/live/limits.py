"""When do the former values come back at once? Four limits, each acted on before it is reached.

A limit that cannot be watched is no limit: it is named, and the run refuses to begin unless the user gives it up.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from advisor.model.record import record
from advisor.report.words.amounts import duration
from advisor.tune.live.traffic.figures import SLOW_SHARE, Figures, Reading, figures_of, slow_commits
from advisor.tune.request.lag_limit import SEARCH_MARGIN

WINDOW_SECONDS: Final = 5.0
_LONGEST_WINDOW_SECONDS: Final = 30.0
_FEWEST_COMMITS: Final = 40  # for a 95th percentile, and a share of failures; the window grows until it has so many
_CHANCE: Final = 0.01
SILENT_SECONDS: Final = 2.0
_EXPECTED_COMMITS: Final = 20.0  # in the silent time; where so many were due, none is no chance
_MEMORY_MARGIN: Final = 0.97  # of a full machine little is left; a buffer pool alone takes most of it
MEMORY_SHARE: Final = 0.9


class Watched(StrEnum):
    """What has a limit."""

    LAG = "lag"
    LATENCY = "latency"
    ERRORS = "errors"
    MEMORY = "memory"


class State(StrEnum):
    """How a limit stands."""

    KEPT = "kept"
    TOUCHED = "touched"
    UNKNOWN = "unknown"
    NOT_APPLICABLE = "not_applicable"
    GIVEN_UP = "given_up"


@record
class Limit:
    """`bound` in ms or as a share, None while it is not chosen; `acts_at` is where the former values come back."""

    watched: Watched
    bound: float | None
    margin: float
    stated: bool = False

    @property
    def acts_at(self) -> float | None:
        """The bound with its margin."""
        return None if self.bound is None else self.margin * self.bound


@record
class Standing:
    """How one limit stands now; `why` says what touched it, or what cannot be read."""

    watched: Watched
    state: State
    value: float | None = None
    why: str = ""


@record
class Limits:
    """The limits of a run. `given_up` are not watched; `applies`: whether any member applies the changes of others.

    `commits_per_second` is what the watch saw at its slowest, None before: so many are due.
    """

    lag_ms: Limit
    latency_ms: Limit
    errors: Limit
    memory: Limit
    given_up: tuple[Watched, ...] = ()
    applies: bool = True
    commits_per_second: float | None = None

    def standings(self, readings: Sequence[Reading]) -> list[Standing]:
        """How every limit stands by the last readings of one setting."""
        window = latest(readings)
        return [*self.standings_of(figures_of(window), readings[-1]), *self._silence(readings), *self._few(window)]

    def standings_of(self, window: Figures, last: Reading) -> list[Standing]:
        """The same by the figures of the last seconds, and the last reading."""
        values = {
            Watched.LAG: last.lag_ms,
            Watched.LATENCY: window.commit_p95_ms if window.commits >= _FEWEST_COMMITS else None,
            Watched.ERRORS: window.failed_share if window.commits >= _FEWEST_COMMITS else None,
            Watched.MEMORY: last.memory_share,
        }
        return [self._standing(limit, values[limit.watched], last) for limit in self.each()]

    def each(self) -> tuple[Limit, ...]:
        """All four."""
        return self.lag_ms, self.latency_ms, self.errors, self.memory

    def _standing(self, limit: Limit, value: float | None, last: Reading) -> Standing:
        watched = limit.watched
        if watched in self.given_up:
            return Standing(watched, State.GIVEN_UP, value)
        if watched is Watched.LAG and not self.applies:
            return Standing(watched, State.NOT_APPLICABLE, None, "no member applies the changes of others")
        if watched in last.missing:
            return Standing(watched, State.UNKNOWN, None, last.missing[watched])
        if value is None or limit.acts_at is None or value < limit.acts_at:
            return Standing(watched, State.KEPT, value)
        return Standing(watched, State.TOUCHED, value, f"{in_words(watched, value)} (limit {bound_in_words(limit)})")

    def _few(self, window: Sequence[Reading]) -> list[Standing]:
        """Too few commits for a percentile may still be enough to see that it is too high."""
        acts_at = self.latency_ms.acts_at
        if acts_at is None or Watched.LATENCY in self.given_up or "latency" in window[-1].missing:
            return []
        slow, commits = slow_commits(window, acts_at)
        if commits >= _FEWEST_COMMITS or not certainly_more(slow, commits, SLOW_SHARE):
            return []
        bound = bound_in_words(self.latency_ms)
        why = f"{slow} of {commits} commits took longer than {duration(acts_at)} (limit {bound})"
        return [Standing(Watched.LATENCY, State.TOUCHED, None, why)]

    def _silence(self, readings: Sequence[Reading]) -> list[Standing]:
        """Commits that hang are in no histogram: where many are due and none ends, latency is touched."""
        due = self.commits_per_second
        if Watched.LATENCY in self.given_up or not due or "latency" in readings[-1].missing:
            return []
        seconds = max(SILENT_SECONDS, _EXPECTED_COMMITS / due)
        since = [reading for reading in readings if reading.at_seconds >= readings[-1].at_seconds - seconds]
        if readings[-1].at_seconds - readings[0].at_seconds < seconds or figures_of(since).commits > 0:
            return []
        return [Standing(Watched.LATENCY, State.TOUCHED, None, f"no commit ended for {seconds:.0f} s")]


def certainly_more(slow: int, commits: int, share: float) -> bool:
    """Whether so many slow ones are unlikely (1 %) if no more than a share of all commits is slow."""
    if slow < 2:
        return False
    from scipy.special import bdtrc

    return float(bdtrc(slow - 1, commits, share)) < _CHANCE


def latest(readings: Sequence[Reading]) -> Sequence[Reading]:
    """The last five seconds, or as many more as it takes to see enough commits."""
    end = readings[-1]
    for begin in range(len(readings) - 1, -1, -1):
        seconds = end.at_seconds - readings[begin].at_seconds
        commits = (end.commits or 0.0) - (readings[begin].commits or 0.0)
        if seconds >= _LONGEST_WINDOW_SECONDS or (seconds >= WINDOW_SECONDS and commits >= _FEWEST_COMMITS):
            return readings[begin:]
    return readings


def unset_limits(lag_ms: float, latency_ms: float, errors: float, memory: float) -> Limits:
    """The limits as stated; 0.0 leaves latency and errors to what the watch sees."""
    return Limits(
        lag_ms=Limit(Watched.LAG, lag_ms, SEARCH_MARGIN, stated=True),
        latency_ms=Limit(Watched.LATENCY, latency_ms or None, SEARCH_MARGIN, bool(latency_ms)),
        errors=Limit(Watched.ERRORS, errors or None, SEARCH_MARGIN, bool(errors)),
        memory=Limit(Watched.MEMORY, memory, _MEMORY_MARGIN, stated=True),
    )


def in_words(watched: Watched, value: float) -> str:
    """lag 310 ms, commit latency p95 12 ms, 2 % of the transactions failed, 91 % of the memory in use."""
    if watched is Watched.LAG:
        return f"lag {duration(value)}"
    if watched is Watched.LATENCY:
        return f"commit latency p95 {duration(value)}"
    words = "of the transactions failed" if watched is Watched.ERRORS else "of the memory is in use"
    return f"{100 * value:.2g} % {words}"


def bound_in_words(limit: Limit) -> str:
    """1 s, acted on at 850 ms."""
    if limit.bound is None or limit.acts_at is None:
        return "not set"
    shown = duration if limit.watched in (Watched.LAG, Watched.LATENCY) else lambda share: f"{100 * share:.2g} %"
    return f"{shown(limit.bound)}, acted on at {shown(limit.acts_at)}"
