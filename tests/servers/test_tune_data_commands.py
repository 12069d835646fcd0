"""Tuning on the user's own tables, which a command of theirs brings back: before every run, and however it ends."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Second
from advisor.model.server import Family
from advisor.model.tuning import Outcome, Task, TrialKind
from advisor.tune.request.request import bench_plan
from advisor.tune.space.member_values import running_settings
from advisor.tune.state.journal import Journal, read_journal
from advisor.tune.trial.data_commands import DataCommands
from advisor.tune.trial.restore import restore
from advisor.tune.trial.run_trial import ClusterTrials, TrialListener
from advisor.tune.trial.survey import survey
from tests.servers.conftest import Up
from tests.servers.killed_session import request

LOAD = """
format: 1
database: shop
transactions:
  - statements:
      - UPDATE account SET balance = balance + 1 WHERE id = {row:account.id}
      - UPDATE ticket SET seen = seen + 1 WHERE code = {row:ticket.code}
      - UPDATE ticket SET found = found + 1 WHERE token = {row:ticket.token}
"""
BACK = """
import os
from advisor.client import connect
from advisor.cluster_file import addresses, read_cluster
with connect(addresses(read_cluster(os.environ["ADVISOR_TRIAL_CLUSTER"]))["m1"]) as session:
    changed = session.value("SELECT SUM(balance) FROM shop.account")
    session.run("UPDATE shop.account SET balance = 0")
print(os.environ["ADVISOR_TRIAL_KIND"], changed, file=open("{log}", "a"))
"""


def balance(cluster: ClusterFile) -> int:
    with connect(addresses(cluster)["m1"]) as session:
        return int(str(session.value("SELECT SUM(balance) FROM shop.account")))


class Killed(BaseException):
    """Nothing after it runs, as after kill -9."""


@pytest.fixture
def cluster(up: Up) -> ClusterFile:
    """One server with tables of its owner's."""
    cluster = up("standalone", Family.MARIADB, 1, durability="relaxed")
    with connect(addresses(cluster)["m1"]) as session:
        session.run(
            "CREATE DATABASE shop", "CREATE TABLE shop.account (id INT PRIMARY KEY, balance INT NOT NULL)",
            "INSERT INTO shop.account SELECT 1000000 * seq, 0 FROM mysql.seq_1_to_50",
            "CREATE TABLE shop.ticket (code VARCHAR(60) CHARACTER SET latin1 PRIMARY KEY, token BINARY(16) NOT NULL,"
            " seen INT NOT NULL DEFAULT 0, found INT NOT NULL DEFAULT 0, UNIQUE (token))",
            "INSERT INTO shop.ticket (code, token)"
            " SELECT CONCAT('o''neill ', UUID()), UNHEX(MD5(seq)) FROM mysql.seq_1_to_50",
        )  # fmt: skip
    return cluster


def test_own_tables_are_brought_back_before_every_run_and_after_a_kill(cluster: ClusterFile, tmp_path: Path):
    load, script, log = tmp_path / "load.yaml", tmp_path / "back.py", tmp_path / "log"
    load.write_text(LOAD)
    script.write_text(BACK.replace("{log}", str(log)))
    asked = request(cluster.path, workload=str(load), rate_per_second=0.0, seconds=2.0)
    target, path = survey(cluster, asked, print), tmp_path / "journal.jsonl"
    journal, running = Journal(path), running_settings
    journal.begin(target.originals)
    commands = DataCommands(prepare=f"echo ready >> {log}", restore=f"{sys.executable} {script}", limit_seconds=60.0)
    task = Task(TrialKind.BASELINE, running(target.space, target.cluster.members, target.originals.values))

    def run(listener: TrialListener, commands: DataCommands) -> Outcome:
        trials = ClusterTrials(target, bench_plan(asked), journal, (), listener, commands=commands)
        return trials.run(task, lambda windows: False)

    for _ in range(2):
        outcome = run(TrialListener(), commands)
        assert (outcome.fault, outcome.infeasible) == ("", "")
        assert balance(cluster) > 0
        with connect(addresses(cluster)["m1"]) as session:
            seen = session.rows("SELECT SUM(seen) AS seen, SUM(found) AS found FROM shop.ticket")[0]
        assert int(str(seen["seen"])) == int(str(seen["found"])) > 0, "every key that was drawn is one of the table's"
    told = [line.split() for line in log.read_text().splitlines()]
    assert [line[0] for line in told] == ["baseline", "ready", "baseline", "ready"]
    assert told[0][1] == "0", "nothing wrote before the first run"
    assert int(told[2][1]) > 0, "the second began with what the first had written, and took it back"

    failing = run(TrialListener(), DataCommands(prepare="echo no such snapshot >&2; exit 7"))
    assert failing.fault == "--prepare failed with exit code 7: no such snapshot"

    def die(second: Second) -> None:
        raise Killed

    with contextlib.suppress(Killed):
        run(TrialListener(second=die), commands)
    assert read_journal(path).data, "the journal knows that the data is not as it was"
    assert restore(cluster, path, print) == []
    assert balance(cluster) == 0
    assert read_journal(path).data is None
