"""What is shown while a cluster is tuned? On a terminal a line that is redrawn; else a line for every event.

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
from advisor.tune.request.request import Request
from advisor.tune.request.time_budget import run_seconds, soak_seconds, validation_seconds
from advisor.tune.results.search_progress import SearchProgress, search_progress
from advisor.tune.search.policy import StudyPlan
from advisor.tune.search.scoring import log_rate, lower_is_better, score
from advisor.tune.trial.run_trial import State

_CLEAR: Final = "\r\x1b[K"
_EVERY_SECONDS: Final = 0.25
_MANY: Final = 1000  # trials: a larger number was not asked for; time ends the search, so the number is not shown


@record
class DisplayState:
    """What the redrawn line shows: `state` since `since_seconds` (monotonic), `ends_at` by the wall clock or 0.0.

    `limited`: `ends_at` is when the time given is used up, else an estimate of when everything will be done.
    """

    stage: str = ""
    state: str = ""
    since_seconds: float = 0.0
    second: Second | None = None
    progress: SearchProgress | None = None
    ends_at: float = 0.0
    limited: bool = False


class ProgressDisplay:
    """Shows the progress of a session on a stream: the callbacks of a `SessionListener`."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")
        self._shown = DisplayState()
        self._drawn = 0.0
        self._request: Request | None = None

    def begun(self, request: Request, ends: float) -> None:
        """A session begins; `ends` is when its time is used up, by the monotonic clock."""
        self._request = request
        if request.for_seconds:
            self._shown = replace(self._shown, ends_at=time.time() + ends - time.monotonic(), limited=True)

    def stage(self, words: str) -> None:
        """Another phase begins."""
        self._shown = replace(self._shown, stage=words, state="", second=None)
        self._draw()

    def state(self, state: State, task: Task) -> None:
        """A trial enters a state."""
        self._shown = replace(
            self._shown, state=str(state).replace("_", " "), since_seconds=time.monotonic(), second=None
        )
        self._draw()

    def second(self, second: Second) -> None:
        """A second of load."""
        self._shown = replace(self._shown, second=second)
        if time.monotonic() - self._drawn >= _EVERY_SECONDS:
            self._draw()

    def trial(self, task: Task, trial: Trial | None, plan: StudyPlan, trials: list[Trial]) -> None:
        """Before (None) and after each trial of the search."""
        progress = search_progress(plan, trials)
        self._shown = replace(self._shown, progress=progress)
        if self._request and not self._shown.limited and trials:
            self._shown = replace(self._shown, ends_at=time.time() + seconds_left(self._request, progress, trials))
        if trial is None:
            return
        self.tell(trial_line(trial, progress))
        if len(trials) == 1 and trial.outcome.windows and not score(trial.outcome, plan.lag_bound_ms).feasible:
            self.tell("with its current settings the cluster already falls behind; `advisor why` finds the bottleneck")

    def tell(self, line: str) -> None:
        """A line that stays, with the time."""
        clear = _CLEAR if self._live else ""
        write(f"{clear}{time.strftime('%H:%M:%S')} {line}\n", self._stream)
        self._draw()

    def end(self) -> None:
        """Remove the redrawn line."""
        if self._live:
            self._live = False
            write(_CLEAR, self._stream)

    def _draw(self) -> None:
        if self._live:
            self._drawn = time.monotonic()
            width = page_for(self._stream, Colour.NEVER, 0).width
            write(_CLEAR + status_line(self._shown, self._drawn)[: width - 1], self._stream)


def seconds_left(request: Request, progress: SearchProgress, trials: Sequence[Trial]) -> float:
    """An estimate for the remaining trials, from the latest ones, for validation and for the soak test."""
    search = (progress.expected - progress.done) * run_seconds(request, trials, fresh=False)
    return search + validation_seconds(request, trials) + soak_seconds(request, trials)


def trial_line(trial: Trial, progress: SearchProgress | None) -> str:
    """The outcome of a trial, in a line."""
    outcome = trial.outcome
    result = outcome.infeasible or outcome.fault
    if outcome.windows:
        result = f"{rate(math.exp(log_rate(outcome.windows)))} tx/s"
        if lower_is_better([outcome]):
            result = f"latency {duration(outcome.latency_ms)} at {result}"
        result += f", lag {duration(outcome.lag_ms)}" if outcome.lag_ms is not None else ""
        result += ", ended early" if outcome.truncated else ""
    return f"trial {trial.number + 1}, {trial.task.kind}: {result} ({outcome.seconds:.0f} s){_best(progress)}"


def _best(progress: SearchProgress | None) -> str:
    if progress and progress.best_latency_ms is not None:
        return f"; best so far {duration(progress.best_latency_ms)}"
    return f"; best so far {rate(progress.best_per_second)}" if progress and progress.best_per_second else ""


def status_line(shown: DisplayState, at_seconds: float) -> str:
    """The redrawn line; what is unknown is left out."""
    progress, parts = shown.progress, []
    if shown.stage:
        parts.append(shown.stage)
    elif progress:
        expected = f" of ~{progress.expected}" if progress.expected < _MANY else ""
        parts.append(f"trial {progress.done + 1}{expected}")
    if shown.state:
        parts.append(f"{shown.state} {at_seconds - shown.since_seconds:.0f} s")
    if shown.second:
        lags = [member.lag_ms for member in shown.second.members if member.lag_ms is not None]
        lag = f", lag {duration(max(lags))}" if lags else ""
        parts.append(f"{rate(committed(shown.second))} tx/s{lag}")
    if progress and progress.ratio and progress.ratio.mid is not None:
        parts.append(f"best {_times(progress.ratio)}")
    if shown.ends_at:
        until = "until" if shown.limited else "done ~"
        parts.append(f"{until} {time.strftime('%H:%M', time.localtime(shown.ends_at))}".replace("~ ", "~"))
    return " · ".join(parts)


def _times(ratio: Interval) -> str:
    span = "" if ratio.low is None or ratio.high is None else f" ({ratio.low:.2f}–{ratio.high:.2f})"
    return f"{ratio.mid:.2f}×{span}"
