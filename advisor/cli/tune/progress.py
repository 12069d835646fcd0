"""What does somebody see while a cluster is tuned? On a terminal a line that lives; else one for every event.

22:14:03 trial 12, search: 1,204 tx/s, lag 310 ms (52 s); best so far 1,198
13 of ~40 · measuring 8 s · 1,180 tx/s, lag 290 ms · best 1.84 times (1.71 to 1.98) · until 06:00
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Sequence
from typing import Final, TextIO

from advisor.bench.measure.steady import committed
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.model.measurement import Interval, Second
from advisor.model.record import record, replace
from advisor.model.tuning import Task, Trial
from advisor.report.words.amounts import duration, rate
from advisor.tune.report.progress import SearchProgress, search_progress
from advisor.tune.request.request import Request
from advisor.tune.request.time_budget import proof_seconds, run_seconds, soak_seconds
from advisor.tune.search.policy import StudyPlan
from advisor.tune.search.scoring import log_rate, score
from advisor.tune.trial.environment import State

_CLEAR: Final = "\r\x1b[K"
_EVERY_SECONDS: Final = 0.25
_MANY: Final = 1000  # trials nobody asked for: time ends the search, and their number is a guess


@record
class Now:
    """What the line shows. `state` since `since_seconds` (monotonic); `ends_at` by the wall clock, 0.0: not known.

    `limited`: that is when the time given is used up, else about when all that was asked for will be done.
    """

    stage: str = ""
    state: str = ""
    since_seconds: float = 0.0
    second: Second | None = None
    standing: SearchProgress | None = None
    ends_at: float = 0.0
    limited: bool = False


class View:
    """Hears everything of a night, and shows it on a stream."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
        self._now = Now()
        self._drawn = 0.0
        self._request: Request | None = None

    def begun(self, request: Request, ends: float) -> None:
        """A night begins; `ends` is when its time is used up, by the monotonic clock."""
        self._request = request
        if request.for_seconds:
            self._now = replace(self._now, ends_at=time.time() + ends - time.monotonic(), limited=True)

    def stage(self, words: str) -> None:
        """Another part of the night begins."""
        self._now = replace(self._now, stage=words, state="", second=None)
        self._draw()

    def state(self, state: State, task: Task) -> None:
        """A trial enters a state."""
        self._now = replace(self._now, state=str(state).replace("_", " "), since_seconds=time.monotonic(), second=None)
        self._draw()

    def second(self, second: Second) -> None:
        """A second of load."""
        self._now = replace(self._now, second=second)
        if time.monotonic() - self._drawn >= _EVERY_SECONDS:
            self._draw()

    def trial(self, task: Task, trial: Trial | None, plan: StudyPlan, trials: list[Trial]) -> None:
        """Before (None) and after each trial of the search."""
        standing = search_progress(plan, trials)
        self._now = replace(self._now, standing=standing)
        if self._request and not self._now.limited and trials:
            self._now = replace(self._now, ends_at=time.time() + seconds_left(self._request, standing, trials))
        if trial is None:
            return
        self.tell(told(trial, standing))
        if len(trials) == 1 and trial.outcome.windows and not score(trial.outcome, plan.lag_bound_ms).feasible:
            self.tell("as it runs, it is outside the bounds already; `advisor why` says what holds it")

    def tell(self, line: str) -> None:
        """A line that stays, with the time: a night's log is read in the morning."""
        clear = _CLEAR if self._live else ""
        write(f"{clear}{time.strftime('%H:%M:%S')} {line}\n", self._stream)
        self._draw()

    def end(self) -> None:
        """Nothing lives any more."""
        if self._live:
            self._live = False
            write(_CLEAR, self._stream)

    def _draw(self) -> None:
        if self._live:
            self._drawn = time.monotonic()
            width = page_for(self._stream, Colour.NEVER, 0).width
            write(_CLEAR + line_of(self._now, self._drawn)[: width - 1], self._stream)


def seconds_left(request: Request, standing: SearchProgress, trials: Sequence[Trial]) -> float:
    """About how long the rest takes: the trials to come as they went of late, the proof, the soak."""
    search = (standing.expected - standing.done) * run_seconds(request, trials, fresh=False)
    return search + proof_seconds(request, trials) + soak_seconds(request, trials)


def told(trial: Trial, standing: SearchProgress | None) -> str:
    """What came of a trial, in a line."""
    outcome = trial.outcome
    said = outcome.infeasible or outcome.fault
    if outcome.windows:
        said = f"{rate(math.exp(log_rate(outcome.windows)))} tx/s"
        said += f", lag {duration(outcome.lag_ms)}" if outcome.lag_ms is not None else ""
        said += ", ended early" if outcome.truncated else ""
    best = f"; best so far {rate(standing.best_per_second)}" if standing and standing.best_per_second else ""
    return f"trial {trial.number + 1}, {trial.task.kind}: {said} ({outcome.seconds:.0f} s){best}"


def line_of(now: Now, at_seconds: float) -> str:
    """The line that lives; what is not known is not in it."""
    standing, parts = now.standing, []
    if now.stage:
        parts.append(now.stage)
    elif standing:
        expected = f" of ~{standing.expected}" if standing.expected < _MANY else ""
        parts.append(f"trial {standing.done + 1}{expected}")
    if now.state:
        parts.append(f"{now.state} {at_seconds - now.since_seconds:.0f} s")
    if now.second:
        lags = [member.lag_ms for member in now.second.members if member.lag_ms is not None]
        lag = f", lag {duration(max(lags))}" if lags else ""
        parts.append(f"{rate(committed(now.second))} tx/s{lag}")
    if standing and standing.ratio and standing.ratio.mid is not None:
        parts.append(f"best {_times(standing.ratio)}")
    if now.ends_at:
        until = "until" if now.limited else "done ~"
        parts.append(f"{until} {time.strftime('%H:%M', time.localtime(now.ends_at))}".replace("~ ", "~"))
    return " · ".join(parts)


def _times(ratio: Interval) -> str:
    span = "" if ratio.low is None or ratio.high is None else f" ({ratio.low:.2f}–{ratio.high:.2f})"
    return f"{ratio.mid:.2f}×{span}"
