"""One slice through every topology and every command that talks to servers: up, check, collect, bench, why, tune, down.

Part of `make test`; the other files of this folder go into each command's depth (`make test-all`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.lab import state
from advisor.model.server import Family
from advisor.tune import session
from advisor.tune.trial.run_trial import TrialListener
from tests.servers.conftest import Up, server_for
from tests.servers.killed_session import request, variables

pytestmark = pytest.mark.slice

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB
LABS = [
    ("standalone", MYSQL, ()),
    ("standalone", MARIADB, ()),
    ("asynchronous", MYSQL, ("--members", "2", "--workers", "4")),
    ("asynchronous", MARIADB, ("--members", "2", "--workers", "4")),
    ("semisync", MYSQL, ("--members", "2")),
    ("group_replication", MYSQL, ("--members", "2")),
    ("group_replication", MYSQL, ("--members", "2", "--multi-primary")),
    ("galera", MARIADB, ("--members", "2")),
]
LOAD = ("--workload", "update_index", "--threads", "4", "--tables", "1", "--rows", "500", "--warm-up", "1s:1s")


def advisor(*words: str, accepted: tuple[int, ...] = (0,)) -> str:
    """Run the command and return what it prints; the exit code must be one of those accepted."""
    done = subprocess.run(
        [sys.executable, "-m", "advisor", *words], capture_output=True, text=True, check=False, timeout=180
    )
    assert done.returncode in accepted, f"{' '.join(words)}\n{done.stdout}{done.stderr}"
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("topology", "family", "options"), LABS, ids=lambda part: part if isinstance(part, str) else " ".join(part)
)
def test_a_cluster_comes_up_is_checked_loaded_explained_and_gone(
    topology: str, family: Family, options: tuple[str, ...], tmp_path: Path
) -> None:
    server_for(topology, family)
    name = f"slice-{topology}-{family}".replace("_", "-")
    bundle = str(tmp_path / "run.tar.gz")
    try:
        advisor("lab", "up", topology, f"--{family}", "--relaxed", "--name", name, *options)
        status = json.loads(advisor("lab", "status", name, "--format", "json"))
        assert status["running"] == [member["name"] for member in status["members"]]

        (checked,) = json.loads(advisor("check", "--lab", name, "--format", "json", accepted=(0, 1)))["reports"]
        assert checked["would_start"] is not False

        run = json.loads(
            advisor("bench", "--lab", name, *LOAD, "--seconds", "3s", "--format", "json", "--output", bundle)
        )
        assert run["runs"][0]["measurement"]["peak_per_second"] > 0

        diagnosis = json.loads(advisor("why", bundle, "--format", "json"))
        assert diagnosis["topology"]
        advisor("check", bundle, accepted=(0, 1))

        collected = str(tmp_path / "now.tar.gz")
        advisor("collect", "--lab", name, "--for", "1s", "-o", collected)
        assert json.loads(advisor("why", collected, "--format", "json", accepted=(0, 1)))["causes"] is not None
    finally:
        advisor("lab", "down", name, accepted=(0, 2, 4))
    assert name not in state.names()


def test_a_tuning_run_ends_with_a_report_and_the_settings_as_they_were(up: Up) -> None:
    cluster = up("asynchronous", MARIADB, 2, durability="relaxed")
    before = variables(cluster.path)
    listener = session.SessionListener(TrialListener(tell=print))
    recommendation = session.begin(request(cluster.path, preflight=False), listener)
    assert recommendation.trials
    assert variables(cluster.path) == before
    assert "settings are as they were before tuning" in advisor("tune", "status", "--cluster", cluster.path)
