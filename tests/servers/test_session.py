"""The phases of a tuning run around its search, on real servers: preflight, clients, servers' own check, soak test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.bench.load.dataset import prepare
from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Load, Phase, Second
from advisor.model.server import Family
from advisor.model.tuning import Task, Trial, TrialKind
from advisor.tune import session
from advisor.tune.request.request import AUTO, bench_plan
from advisor.tune.search.policy import StudyPlan
from advisor.tune.space.member_values import running_settings
from advisor.tune.state import study_folder
from advisor.tune.state.journal import Journal
from advisor.tune.trial.restore import restore
from advisor.tune.trial.run_trial import ClusterTrials, TrialListener
from advisor.tune.trial.survey import survey
from advisor.tune.validation import client_count, why_advice
from advisor.tune.validation.soak import ValidatedWinner, run_soak
from tests.servers.conftest import Up
from tests.servers.killed_session import request, variables


@pytest.fixture(autouse=True)
def _no_studies_left() -> Iterator[None]:
    """Studies of clusters that are gone are nobody's."""
    import shutil

    from advisor.lab import folders

    top = folders.home() / "tune"
    before = set(top.iterdir()) if top.is_dir() else set()
    yield
    for place in set(top.iterdir()) - before if top.is_dir() else ():
        shutil.rmtree(place)


def slow_down_the_applier(cluster: ClusterFile, load: Load) -> None:
    """Each row that m2 applies waits for 5 ms: one worker reaches 200 a second however busy the machine's CPUs are."""
    prepare(cluster, load, print)
    with connect(addresses(cluster)["m2"]) as session:
        wait = "CREATE TRIGGER advisor_bench.slow BEFORE UPDATE ON advisor_bench.t1 FOR EACH ROW DO SLEEP(0.005)"
        session.run("SET SESSION sql_log_bin = 0", wait)


def test_a_run_begins_with_equal_runs_and_with_what_why_says_under_load(up: Up, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(why_advice, "LOOK_SECONDS", 4.0)
    serial_applier = (("slave_parallel_threads", "0"), ("slave_run_triggers_for_rbr", "YES"))
    cluster = up("asynchronous", Family.MARIADB, 2, durability="relaxed", settings=serial_applier)
    asked = request(
        cluster.path, threads=8, rate_per_second=400.0, rows_per_table=5000, trials=120, lag_bound_ms=1000.0
    )  # fmt: skip
    slow_down_the_applier(cluster, bench_plan(asked).load)
    before = variables(cluster.path)
    told: list[str] = []
    tried: list[Task] = []

    def heard(task: Task, trial: Trial | None, plan: StudyPlan, trials: list[Trial]) -> None:
        tried.append(task)
        if task.kind is not TrialKind.BASELINE:
            study_folder.stop_path(study_folder.folder_of(cluster)).touch()

    found = session.begin(asked, session.SessionListener(TrialListener(tell=told.append), heard))
    first = found.preflight
    assert first is not None, told
    assert first.runs >= 4
    assert first.between is not None
    assert first.detectable is None, "no blocks were asked for"
    assert any("with 0 blocks no gain can be accepted" in doubt for doubt in first.doubts)
    assert any("single thread applies" in words for words in first.advised), (told, "what limits it is plain")
    seed = next(task.settings for task in tried if task.kind is TrialKind.SEED)
    assert int(seed["slave_parallel_threads"]) > 1, seed
    assert variables(cluster.path) == before


def uptime(cluster: ClusterFile) -> int:
    with connect(addresses(cluster)["m1"]) as session:
        return int(session.pairs("SHOW GLOBAL STATUS LIKE 'Uptime'")["Uptime"])


def test_clients_are_found_a_refusal_costs_no_restart_and_a_winner_soaks(
    up: Up, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    cluster = up("standalone", Family.MYSQL, 1, durability="relaxed")
    before = variables(cluster.path)
    monkeypatch.setattr(client_count, "STEP_SECONDS", 2.0)
    monkeypatch.setattr(client_count, "STEP_WARM_UP_SECONDS", 1.0)
    told: list[str] = []
    asked = client_count.with_client_count(
        cluster, request(cluster.path, threads=AUTO, rate_per_second=0.0), lambda second: None, told.append
    )
    assert asked.threads >= 4, told
    assert any("4 clients: " in line for line in told)

    target = survey(cluster, asked, told.append)
    journal = Journal(study_folder.journal_path(study_folder.folder_of(cluster)))
    journal.begin(target.originals)
    heard: list[Second] = []
    environment = ClusterTrials(target, bench_plan(asked), journal, (), TrialListener(second=heard.append))
    running = running_settings(target.space, cluster.members, target.originals.values)
    up_for, file = uptime(cluster), Path(cluster.members[0].option_file).read_bytes()
    refused = environment.run(
        Task(TrialKind.SEARCH, {**running, "innodb_purge_threads": "2\nno_such_option = 1"}), lambda windows: False
    )
    assert "m1 would not start with these settings: unknown variable 'no_such_option=1'" in refused.infeasible
    assert not refused.restarted
    assert uptime(cluster) >= up_for
    assert Path(cluster.members[0].option_file).read_bytes() == file

    winner = {**running, "innodb_purge_threads": "2"}
    soak = run_soak(environment, ValidatedWinner("tuned", winner, 1.0), 8.0, ("m1",), 1000.0, tmp_path)
    assert soak.kept, soak
    assert 6.0 < soak.seconds < 12.0
    assert sum(second.phase is Phase.MEASURE for second in heard) >= 7, "a listener hears it"
    assert restore(cluster, study_folder.journal_path(study_folder.folder_of(cluster)), told.append) == []
    assert variables(cluster.path) == before
