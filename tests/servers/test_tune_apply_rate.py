"""Tuning how fast replicas apply: a backlog is left to grow and worked off; appliers run again however it ends."""

from __future__ import annotations

import contextlib
from pathlib import Path

from advisor.bench.catch_up import catch_up
from advisor.bench.open_cluster import open_cluster
from advisor.model.lab import ClusterFile
from advisor.model.server import Family, Role
from advisor.model.tuning import Objective, Task, TrialKind
from advisor.tune.request.request import bench_plan
from advisor.tune.space.member_values import running_settings
from advisor.tune.state.journal import Journal, read_journal
from advisor.tune.trial.restore import restore
from advisor.tune.trial.run_trial import ClusterTrials, TrialListener
from advisor.tune.trial.survey import survey
from tests.servers.conftest import Up
from tests.servers.killed_session import request, variables


def appliers(cluster: ClusterFile) -> list[str]:
    """Whether the applier of each replica runs, as the server says it."""
    with open_cluster(cluster) as opened:
        replicas = [node for node in opened.nodes if node.role is Role.REPLICA]
        return [str(node.session.rows("SHOW SLAVE STATUS")[0]["Slave_SQL_Running"]) for node in replicas]


def test_a_trial_measures_how_fast_a_replica_works_off_a_backlog_and_changes_the_replica_alone(up: Up, tmp_path: Path):
    cluster = up("async", Family.MARIADB, 2, durability="relaxed")
    before = variables(cluster.path)
    asked = request(cluster.path, threads=8, rate_per_second=0.0, seconds=10.0, objective=Objective.APPLY_RATE.value)
    target = survey(cluster, asked, print)
    source = next(member.name for member in cluster.members if member.role is Role.SOURCE)
    assert target.untouched == (source,)
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    journal.begin(target.originals)
    listener = TrialListener()
    trials = ClusterTrials(target, bench_plan(asked), journal, (), listener, Objective.APPLY_RATE)
    running = running_settings(target.space, target.cluster.members, target.originals.values)
    workers = {**running, "slave_parallel_threads": "4"}
    outcomes = [trials.run(Task(TrialKind.SEARCH, settings), lambda windows: False) for settings in (running, workers)]
    for outcome in outcomes:
        assert (outcome.fault, outcome.infeasible) == ("", "")
        assert outcome.windows[0] > 0
        assert (outcome.lag_ms, outcome.backlog_slope) == (None, None), "they limit nothing here"
    assert variables(cluster.path)[source] == before[source]
    assert appliers(cluster) == ["Yes"]
    assert not read_journal(path).appliers_stopped
    assert restore(cluster, path, print) == []
    assert variables(cluster.path) == before


def test_appliers_that_a_killed_run_left_stopped_are_started_when_the_cluster_is_restored(up: Up, tmp_path: Path):
    cluster = up("async", Family.MARIADB, 2, durability="relaxed")
    asked = request(cluster.path, threads=4, seconds=10.0, objective=Objective.APPLY_RATE.value)
    target = survey(cluster, asked, print)
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    journal.begin(target.originals)

    class Killed(BaseException):
        """Nothing after it runs, as after kill -9: not even what starts the appliers again."""

    def stop_and_die(stopped: bool) -> None:
        journal.note_appliers(stopped)
        if stopped:
            with open_cluster(cluster) as opened:
                for node in opened.nodes:
                    if node.role is Role.REPLICA:
                        node.session.run(node.dialect.stop_applier)
            raise Killed

    with contextlib.suppress(Killed):
        catch_up(cluster, bench_plan(asked).load, 5.0, stop_and_die)
    assert appliers(cluster) == ["No"]
    assert read_journal(path).appliers_stopped
    assert restore(cluster, path, print) == []
    assert appliers(cluster) == ["Yes"]
    assert not read_journal(path).appliers_stopped
