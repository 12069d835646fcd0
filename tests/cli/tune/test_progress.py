"""What is seen while a cluster is tuned: a line that lives on a terminal, and only events in a log."""

from __future__ import annotations

import fcntl
import io
import math
import os
import re
import struct
import subprocess
import sys
import termios
import time

import pytest

from advisor.cli.tune.progress import DisplayState, ProgressDisplay, seconds_left, status_line, trial_line
from advisor.model.measurement import Interval, Phase, Second
from advisor.model.progress import Progress
from advisor.model.record import replace
from advisor.model.server import Role
from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.tune.request.request import Request
from advisor.tune.results.search_progress import SearchProgress, ratio_of
from tests.cli.pty_output import read_all

# A night of a few events, written by the view as it is used: on whatever stderr is.
NIGHT = """
import time
from advisor.cli.tune.progress import ProgressDisplay
from advisor.model.measurement import Phase, Second
from advisor.model.progress import Progress
from advisor.model.server import Role
from advisor.model.tuning import Task, TrialKind
from advisor.tune.request.request import Request
from advisor.tune.trial.run_trial import State

view, task = ProgressDisplay(), Task(TrialKind.SEARCH, {})
view.begun(Request("c", "w", 8, ("m1",), for_seconds=3600.0), time.monotonic() + 3600)
view.tell("making the data set")
view.stage("preflight")
view.state(State.MEASURING, task)
for at in range(3):
    members = (Progress("m1", Role.SOURCE, at, 1.0, committed_per_second=1234.0),
               Progress("m2", Role.REPLICA, at, 1.0, committed_per_second=0.0, applied_per_second=9.0, lag_ms=2500.0))
    view.second(Second(float(at), Phase.MEASURE, members))
    time.sleep(0.3)
view.tell("trial 1, baseline: 1,234 tx/s")
view.end()
"""


def test_on_a_terminal_a_line_lives_below_the_events_and_is_gone_at_the_end():
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    environment = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
    environment.pop("COLUMNS", None)
    process = subprocess.Popen([sys.executable, "-c", NIGHT], stderr=theirs, env=environment)
    os.close(theirs)
    said = read_all(ours)
    assert process.wait() == 0
    text = said.decode()
    drawn = text.split("\r\x1b[K")
    living = [one for one in drawn if "tx/s, lag 2.5 s" in one and "preflight · measuring" in one]
    assert len(living) >= 2, "redrawn as seconds come"
    assert all(len(one.split("\n")[-1]) < 60 for one in drawn), "never wider than the terminal"
    assert drawn[-1] == "", "nothing half-drawn is left"
    events = [one.strip() for one in drawn if one.endswith("\n")]
    assert [one[9:] for one in events] == ["making the data set", "trial 1, baseline: 1,234 tx/s"]


def test_a_log_has_a_line_for_every_event_and_no_control_characters():
    done = subprocess.run([sys.executable, "-c", NIGHT], capture_output=True, text=True, check=True)
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert all(re.fullmatch(r"\d\d:\d\d:\d\d [^\x00-\x1f]+", line) for line in lines)


def test_the_line_says_what_is_known_and_nothing_else():
    assert status_line(DisplayState(), 0.0) == ""
    members = (Progress("m1", Role.STANDALONE, 0.0, 1.0, committed_per_second=1180.0),)
    now = DisplayState(state="measuring", since_seconds=2.0, second=Second(0.0, Phase.MEASURE, members),
              progress=SearchProgress(12, 40, 1200.0, Interval(1.71, 1.84, 1.98)))  # fmt: skip
    assert status_line(now, 10.0) == "trial 13 of ~40 · measuring 8 s · 1,180 tx/s · best 1.84× (1.71–1.98)"
    unknown = DisplayState(progress=SearchProgress(12, 9000, None, None))
    assert status_line(unknown, 10.0) == "trial 13", "nobody asked for a number of trials, and none is made up"


def test_a_trial_is_told_in_one_line():
    task = Task(TrialKind.SEARCH, {})
    good = Trial(4, task, Outcome((100.0, 100.0), 310.0, 0.0, seconds=52.0), 60.0)
    assert (
        trial_line(good, SearchProgress(5, 9, 98.0, None))
        == "trial 5, search: 100 tx/s, lag 310 ms (52 s); best so far 98"
    )
    refused = Trial(5, task, Outcome(infeasible="too much memory", seconds=0.1), 60.0)
    assert trial_line(refused, None) == "trial 6, search: too much memory (0 s)"


def test_the_interval_of_the_best_is_that_of_students_t():
    before, after = [math.log(value) for value in (100, 104, 98)], [math.log(value) for value in (200, 210)]
    found = ratio_of(before, after)
    assert found is not None
    assert found.mid == pytest.approx(2.036, abs=0.01)
    # scipy.stats.ttest_ind(log [200, 210], log [100, 104, 98]).confidence_interval(), exponentiated
    assert found.low == pytest.approx(1.857, abs=0.003)
    assert found.high == pytest.approx(2.233, abs=0.003)
    assert ratio_of([1.0], [2.0]) == Interval(None, math.e, None)
    assert ratio_of([], after) is None


def test_the_end_of_the_time_is_told_by_the_clock():
    view = ProgressDisplay(io.StringIO())
    assert "until" not in status_line(view._shown, 0.0)
    at_six = time.mktime((2026, 1, 2, 6, 0, 0, 0, 0, -1))
    assert status_line(DisplayState(ends_at=at_six, limited=True), 0.0) == "until 06:00"
    assert status_line(DisplayState(ends_at=at_six), 0.0) == "done ~06:00"


def test_what_is_left_is_reckoned_from_the_trials_so_far():
    asked = Request("c", "w", 8, ("m1",), trials=20, blocks=6)
    plain = Outcome((1.0,), 1.0, 0.0, seconds=40.0)
    fresh = Outcome((1.0,), 1.0, 0.0, seconds=60.0, restarted=True)
    trials = [Trial(at, Task(TrialKind.SEARCH, {}), one, 60.0) for at, one in enumerate((plain, fresh))]
    left = seconds_left(asked, SearchProgress(2, 20, None, None), trials)
    assert left == pytest.approx(18 * 40 + 1.1 * 3 * 6 * 60)
    soaking = replace(asked, soak_seconds=600.0)
    assert seconds_left(soaking, SearchProgress(2, 20, None, None), trials) == pytest.approx(left + 600 + 30)
