"""The benchmark on others' tuning histories, with a small invented one."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.model.record import replace
from advisor.model.tuning import Task, TrialKind
from benchmarks.tuner.outside.ground import Rehearsal, ground_of, space_of
from benchmarks.tuner.outside.histories import OPTIMISERS, Evaluation, History, histories_of, pooled
from benchmarks.tuner.outside.parting import LOCKED, OPEN, asked_tasks, note_look
from benchmarks.tuner.outside.protocol import Run, hours_to_best, keep, pending, read_runs, replayed, run, table

DEFAULT = {"pool": 10, "delay": 0, "log": "small", "port": 3306}
MEASURED, FAILED = 200.0, 50.0  # seconds


def row(pool: int, delay: int, log: str, rate: float, state: int = 0):
    """As a history holds a trial; a state other than 0 has no metrics."""
    return {
        "configuration": {"pool": pool, "delay": delay, "log": log, "port": 3306},
        "external_metrics": {"tps": rate} if state == 0 else {},
        "trial_state": state,
        "elapsed_time": MEASURED if state == 0 and rate > 0 else FAILED,
    }


def invented(seed: int, count: int = 60):
    """A task of two ranges and a choice: more pool is better, delay is worse, more than 900 of pool fails."""
    dice = random.Random(seed)
    rows = [row(10, 0, "small", 1000.0 * dice.uniform(0.95, 1.05))]
    while len(rows) < count:
        pool, delay, log = dice.randint(1, 1000), dice.randint(0, 100), dice.choice(["small", "large"])
        rate = (1000 + 3 * pool) * (2.0 if log == "large" else 1.0) / (1 + delay / 20)
        rows.append(row(pool, delay, log, rate, 1 if pool > 900 else 0))
    return rows


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "repo").mkdir()
    for number, name in enumerate(OPTIMISERS):
        rows = {"info": {}, "data": invented(number)}
        (tmp_path / "repo" / f"history_task7_{name}.json").write_text(json.dumps(rows), encoding="utf-8")
    return tmp_path


@pytest.fixture
def ground(data: Path):
    return ground_of(7, pooled(histories_of(7, data)), trees=30)


def test_a_folder_without_histories_is_one_line_that_says_where_they_are(tmp_path: Path):
    with pytest.raises(InputError) as absent:
        histories_of(7, tmp_path)
    assert "Blairruc-pku/OpAdviser" in str(absent.value.hint)
    (tmp_path / "repo").mkdir()
    with pytest.raises(InputError, match="no such tuning history"):
        histories_of(7, tmp_path)
    (tmp_path / "repo" / "history_task7_smac.json").write_text("[", encoding="utf-8")
    with pytest.raises(InputError, match="not a tuning history"):
        histories_of(7, tmp_path)


def test_the_program_says_in_one_line_that_the_histories_are_absent(tmp_path: Path):
    asked = [sys.executable, "-m", "benchmarks.tuner.outside", "--data", str(tmp_path)]
    done = subprocess.run(asked, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "Blairruc-pku/OpAdviser" in done.stderr


def test_a_trial_that_failed_and_one_that_measured_nothing_have_no_rate(data: Path):
    rows = {"data": [row(10, 0, "small", 900.0), row(20, 0, "small", -1.0), row(30, 0, "small", 0.0, state=2)]}
    (data / "repo" / "history_task7_smac.json").write_text(json.dumps(rows), encoding="utf-8")
    history = histories_of(7, data)[0]
    assert [one.rate for one in history.evaluations] == [900.0, None, None]
    assert [one.seconds for one in history.evaluations] == [MEASURED, FAILED, FAILED]


def test_the_space_is_what_was_tried_and_a_knob_that_never_varied_is_none(data: Path):
    space = space_of(pooled(histories_of(7, data)))
    knobs = {knob.name: knob for knob in space.knobs}
    assert sorted(knobs) == ["delay", "log", "pool"]
    assert knobs["log"].choices == ("large", "small")
    assert 1 <= knobs["pool"].low <= 10
    assert 990 < knobs["pool"].high <= 1000
    assert space.rules == ()


def test_the_forest_ranks_and_the_trees_fail_what_failed(ground, data: Path):
    assert ground.usable
    assert ground.correlation > 0.8
    evaluations = pooled(histories_of(7, data))
    for seed in range(3):
        assert all(ground.fails(one.settings, seed) == (one.rate is None) for one in evaluations)
    assert not ground.fails({"pool": "400", "delay": "0", "log": "large"}, 0)
    assert ground.rate({"pool": "850", "delay": "0", "log": "large"}) > 2 * ground.rate(ground.start)
    assert ground.best == pytest.approx(max(ground.rate(one.settings) for one in evaluations if one.rate is not None))


def test_a_forest_that_cannot_rank_is_left_out(data: Path):
    dice = random.Random(0)
    noise = [replace(one, rate=dice.uniform(1, 1000)) for one in pooled(histories_of(7, data))]
    assert not ground_of(7, noise, trees=30).usable


def test_noise_and_seconds_are_those_of_the_histories(ground, data: Path):
    defaults = [history.evaluations[0].rate for history in histories_of(7, data)]
    assert ground.noise == pytest.approx(statistics.stdev(defaults) / statistics.mean(defaults), rel=0.05)
    assert ground.seconds == (MEASURED, FAILED)
    env = Rehearsal(replace(ground, noise=0.2), 0)
    rates = [env.run(Task(TrialKind.BASELINE, ground.start), lambda windows: False).windows[0] for _ in range(200)]
    assert statistics.stdev(rates) / statistics.mean(rates) == pytest.approx(0.2, abs=0.04)
    broken = env.run(Task(TrialKind.SEARCH, {**ground.start, "pool": "1000"}), lambda windows: False)
    assert broken.infeasible
    assert (env.failures, env.trials) == (1, 201)
    assert env.seconds == pytest.approx(200 * MEASURED + FAILED)


def test_no_open_task_is_a_locked_one_and_only_open_ones_can_be_named():
    assert not set(OPEN) & set(LOCKED)
    assert asked_tasks("") == OPEN
    assert asked_tasks("9,7") == (9, 7)
    with pytest.raises(ValueError, match="the open tasks are 7, 9"):
        asked_tasks(str(LOCKED[0]))


def test_every_look_at_locked_tasks_is_written_down(tmp_path: Path):
    for day in (1, 2):
        note_look("methods ours seeds 0-4 trials 100", datetime(2026, 5, day, 12, 0, tzinfo=UTC), tmp_path / "looks")
    assert (tmp_path / "looks").read_text(encoding="utf-8").splitlines() == [
        "2026-05-01 12:00 methods ours seeds 0-4 trials 100",
        "2026-05-02 12:00 methods ours seeds 0-4 trials 100",
    ]


def test_of_locked_tasks_only_totals_are_shown():
    runs = [Run("ours", task, 0, 20, {"20": 50.0}, 5, 1.0, 1.0) for task in (8, 14)]
    best = {8: 100.0, 14: 100.0}
    assert "task" not in table(runs, best, each_task=False).replace("all tasks", "").replace("over tasks", "")
    assert "task 14" in table(runs, best, each_task=True)


def test_hours_end_where_the_recommendation_first_reaches_95_percent_of_its_own_best():
    curve = [(3600.0, 10.0), (7200.0, 94.0), (10800.0, 95.0), (14400.0, 100.0), (18000.0, 40.0)]
    assert hours_to_best(curve) == 3.0


def test_a_history_recommends_the_best_it_measured(ground):
    def trial(pool: int, rate: float | None):
        settings = {"pool": str(pool), "delay": "0", "log": "large"}
        return Evaluation(settings, rate, FAILED if rate is None else MEASURED)

    history = History("ga", (trial(100, 500.0), trial(950, None), trial(800, 900.0), trial(300, 400.0)))
    found = replayed(history, 7, ground, 4)
    assert (found.method, found.failed, found.values) == (
        "history ga",
        1,
        {"4": ground.rate(trial(800, None).settings)},
    )
    assert found.hours == pytest.approx((2 * MEASURED + FAILED) / 3600)


def test_a_run_counts_its_failed_trials_and_what_it_recommends_does_not_fail(ground):
    found = run("random", 7, replace(ground, noise=0.0), 0, 40)
    assert 0 < found.failed < 20
    assert ground.rate(ground.start) <= found.values["20"] <= found.values["40"] <= 1.2 * ground.best
    assert run("ours", 7, ground, 0, 20).values["20"] > 0


def test_shares_above_one_count_as_one_and_tasks_weigh_the_same():
    runs = [
        Run("ours", 7, 0, 20, {"20": 150.0}, 10, 1.0, 1.0),
        Run("ours", 7, 1, 20, {"20": 50.0}, 0, 1.0, 1.0),
        Run("ours", 9, 0, 20, {"20": 25.0}, 2, 2.5, 1.0),
    ]
    cells = table(runs, {7: 100.0, 9: 100.0}, each_task=False).splitlines()[1].split()
    assert cells == ["ours", "0.500", "17.5%", "1.75", "1", "3", "1.0"]  # (0.75 + 0.25) / 2; (25 % + 10 %) / 2


def test_an_interrupted_comparison_goes_on_with_what_is_missing(tmp_path: Path):
    kept = tmp_path / "runs.jsonl"
    first = Run("ours", 7, 0, 20, {"20": 1.0}, 0, 1.0, 1.0)
    keep(first, kept)
    with kept.open("a", encoding="utf-8") as stream:
        stream.write('{"method": "TPE", "ta')  # killed while it wrote
    assert read_runs(kept) == [first]
    missing = list(pending(["ours", "TPE"], [7, 9], [0, 1], 20, read_runs(kept)))
    assert missing[:3] == [("TPE", 7, 0), ("ours", 9, 0), ("TPE", 9, 0)]  # methods alternate, seeds come last
    assert len(missing) == 7
    keep(replace(first, method="TPE"), kept)
    assert [one.method for one in read_runs(kept)] == ["ours", "TPE"]
    assert len(list(pending(["ours", "TPE"], [7, 9], [0, 1], 100, read_runs(kept)))) == 8  # other trials, other runs
