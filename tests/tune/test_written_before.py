"""What version 0.1.0 wrote before its modules were renamed is read today: journal, request, studies, report.

The files in written_before/ were written by the code of commit 576add0: a study of eight trials whose program was
killed in the ninth, with its journal and reports, and a study that other clones may join, in shared.db.
"""

from __future__ import annotations

import json
import math
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from advisor.cli.tune.status import status_as_text
from advisor.cluster_file import read_cluster
from advisor.model.lab import ClusterFile
from advisor.model.tuning import Outcome, SearchSpace, Task, TrialKind
from advisor.report.tune.document import read_document
from advisor.tune.distributed.compatibility import refuse_different_cluster, refuse_different_host
from advisor.tune.distributed.join import request_to_join
from advisor.tune.distributed.status import participants_as_lines
from advisor.tune.request.request import Request, from_data
from advisor.tune.search.loop import run_study
from advisor.tune.search.optuna_ledger import open_ledger
from advisor.tune.search.policy import StudyPlan
from advisor.tune.search.prior_runs import best_prior_configurations, read_rows
from advisor.tune.search.samplers import proposer
from advisor.tune.space.encoding import Encoder
from advisor.tune.space.member_values import running_settings
from advisor.tune.space.resolve import load_space
from advisor.tune.state import study_folder
from advisor.tune.state.database import open_storage
from advisor.tune.state.journal import read_journal
from advisor.tune.trial.run_trial import TuningTarget
from advisor.tune.validation import preflight
from advisor.tune.validation.blocks import read_block_runs
from tests.tune.conftest import MACHINE

WRITTEN = Path(__file__).parent / "written_before"
STUDY = "20261121-220003"


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClusterFile:
    """The cluster, in the current folder, with everything that was kept for it where it is looked for."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    for name in ("cluster.yaml", "nights.jsonl", "shared.db"):
        shutil.copy(WRITTEN / name, name)
    found = read_cluster("cluster.yaml")
    folder = study_folder.folder_of(found)
    assert folder.name == "shop-e593f77274", "the folder that was made then is found again"
    shutil.copytree(WRITTEN / STUDY, folder / STUDY)
    for name in ("journal.jsonl", "clone"):
        shutil.copy(WRITTEN / name, folder / name)
    return found


@pytest.fixture
def target(cluster: ClusterFile) -> TuningTarget:
    """What the study is about: the cluster as its journal says it was found."""
    from advisor.catalog import parse_release

    release = parse_release("mysql-8.4.5")[-1]
    originals = read_journal(study_folder.journal_path(study_folder.folder_of(cluster))).originals
    assert originals is not None
    return TuningTarget(cluster, release, load_space("async_mysql", release, MACHINE), originals)


def baseline_of(target: TuningTarget) -> dict[str, str]:
    return running_settings(target.space, target.cluster.members, target.originals.values)


def initial_of(space: SearchSpace) -> dict[str, str]:
    return Encoder(space).settings([0.5 for _ in space.knobs])


def request_of(cluster: ClusterFile) -> Request:
    study = study_folder.last_study(study_folder.folder_of(cluster))
    return from_data(study_folder.request_of(study), str(study))


def measured(task: Task) -> Outcome:
    rate = 1000 + 100 * math.log(float(task.settings["innodb_redo_log_capacity"]))
    return Outcome(windows=(rate,) * 6, lag_ms=310.0, backlog_slope=0.0, seconds=52.0, restarted=task.fresh)


class Tried:
    """An environment that keeps what it is asked to try."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def run(self, task: Task, end_early: object) -> Outcome:
        """A rate that grows with the redo log."""
        self.tasks.append(task)
        return measured(task)


def test_the_request_says_what_was_asked_for(cluster: ClusterFile) -> None:
    assert request_of(cluster) == Request(
        "cluster.yaml", "update_index", 16, ("db1",), seconds=20.0, trials=12, patience=60, seed=7, shorten=True,
        host=("cpus=8", "memory=32G", "disk=500G", "connections=64"), soak_seconds=600.0, between="22:00-06:00",
        experience="nights.jsonl",
    )  # fmt: skip


def test_the_journal_says_what_a_rollback_has_to_restore(cluster: ClusterFile) -> None:
    journal = read_journal(study_folder.journal_path(study_folder.folder_of(cluster)))
    assert (journal.open, journal.restart, journal.applied, journal.differences) == (True, True, False, ())
    assert (journal.last["state"], journal.last["kind"]) == ("measuring", "search")
    originals = journal.originals
    assert originals is not None
    assert set(originals.values) == {"db1", "db2"}
    assert originals.values["db1"]["innodb_io_capacity"].isdecimal()
    assert originals.relied["db2"] == {"sync_binlog": "1", "innodb_flush_log_at_trx_commit": "1"}
    assert originals.files["db1"].text is None, "the file was not there"
    assert originals.files["db2"].text == "[mysqld]\n"


def test_status_says_that_the_cluster_is_not_restored_and_shows_the_report(cluster: ClusterFile) -> None:
    text = status_as_text(cluster)
    assert "NOT RESTORED: run `advisor tune resume` or `advisor tune rollback`" in text
    assert "1.30 times" in text


def test_the_study_resumes_with_the_interrupted_trial_and_goes_on(target: TuningTarget) -> None:
    study = study_folder.last_study(study_folder.folder_of(target.cluster))
    running = baseline_of(target)
    ledger = open_ledger(f"sqlite:///{study / 'study.db'}", study.name, target.space, running, 1000.0)
    trials = ledger.trials()
    assert [str(trial.task.kind) for trial in trials] == [
        "baseline", "seed", "confirm", "search", "search", "confirm", "search", "confirm",
    ]  # fmt: skip
    assert [trial.number for trial in trials if trial.outcome.fault] == [3]
    assert trials[5].outcome.infeasible == "mysqld did not start: not enough memory"
    assert trials[0].outcome.windows[0] == pytest.approx(2935.358)
    assert [trial.at_seconds for trial in trials] == [30.0 * number for number in range(1, 9)]
    interrupted = json.loads(ledger.study.get_trials()[8].user_attrs["task"])

    plan = StudyPlan(target.space, running, (initial_of(target.space),), lag_bound_ms=1000.0, trials=12, seed=7)
    environment = Tried()
    ended = run_study(plan, environment, ledger, proposer("own"))
    assert ended[: len(trials)] == trials, "nothing that was measured is lost or measured again"
    assert environment.tasks[0].settings == interrupted["settings"]
    assert environment.tasks[0].retry_of == 8
    assert len(environment.tasks) > 1
    assert all(set(task.settings) == set(running) for task in environment.tasks)


def test_the_blocks_that_were_measured_are_not_measured_again(target: TuningTarget) -> None:
    study = study_folder.last_study(study_folder.folder_of(target.cluster))
    finalists = {"original": baseline_of(target), "tuned": initial_of(target.space)}
    runs = read_block_runs(study / "finalists.jsonl", finalists)
    assert sorted((run.block, run.name) for run in runs) == [
        (block, name) for block in range(6) for name in ("original", "tuned")
    ]


def test_the_report_the_advice_of_why_and_the_prior_runs_are_read(target: TuningTarget) -> None:
    study = study_folder.last_study(study_folder.folder_of(target.cluster))
    recommendation = read_document(json.loads((study / "report.json").read_text(encoding="utf-8")))
    assert recommendation.chosen == "tuned"
    assert [contender.name for contender in recommendation.contenders] == ["original", "tuned"]
    suggested = preflight.read_advice(study)
    assert suggested is not None
    assert [suggestion.settings for suggestion in suggested] == [initial_of(target.space)]
    rows = read_rows("nights.jsonl")
    assert len(rows) == 7, "the fault says nothing of a configuration"
    assert best_prior_configurations(target.space, rows)


@pytest.fixture
def shared(target: TuningTarget) -> str:
    """The address of the storage with the study `march`."""
    return f"sqlite:///{Path('shared.db').resolve()}"


def test_another_clone_joins_a_shared_study_and_takes_up_its_trial(target: TuningTarget, shared: str) -> None:
    request = request_to_join(shared, "march", "", target.cluster, (), ())
    assert (request.joins, request.study, request.workload, request.writers) == (
        True,
        "march",
        "update_index",
        ("db1",),
    )
    running = baseline_of(target)
    with closing(open_storage(shared)) as storage:
        ledger = open_ledger(storage, "march", target.space, running, 1000.0, "another")
        described = ledger.study.user_attrs["alike"]
        refuse_different_host(target, described)
        refuse_different_cluster(target, running, described)
        assert {trial.clone for trial in ledger.trials()} == {(WRITTEN / "clone").read_text(encoding="utf-8").strip()}
        ledger.close_dead(lambda clone: True)
        (waiting,) = ledger.waiting()
        assert waiting.retry_of == 4
        assert waiting.kind in TrialKind


def test_the_status_of_a_shared_study_names_the_clone_that_left(target: TuningTarget, shared: str) -> None:
    request = request_to_join(shared, "march", "", target.cluster, (), ())
    lines = participants_as_lines(request)
    assert lines[0] == f"study march in {shared}, 4 trials"
    assert lines[1].startswith("  shop: has left, 4 trials")
