"""`advisor bench` from the command line: help that fits, errors that name the option."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.cluster_file import write_cluster
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.server import Role, Topology
from tests.cli.runs import Runner


@pytest.fixture
def cluster(tmp_path: Path) -> str:
    """The file of a cluster of one server, which nothing here connects to."""
    path = tmp_path / "cluster.yaml"
    member = ClusterMember("m1", Role.STANDALONE, "127.0.0.1", 1)
    write_cluster(ClusterFile(str(path), "c", Topology.STANDALONE, "mysql-9.7.4", "root", "", (member,)))
    return str(path)


def test_help_fits_a_terminal(run: Runner, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, run("bench", "--help").out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--threads", "1,many"), "--threads 'many' is not a whole number"),
        (("--seconds", "soon"), "--seconds soon: not a length of time"),
        (("--warm-up", "60s:10s"), "--warm-up 60s:10s: the first value must not exceed the second"),
        (("--option", "keys"), "--option 'keys' is not NAME=VALUE"),
        (("--vs", "sync_binlog"), "--vs 'sync_binlog' is not NAME=VALUE"),
        (("--writers", "m9"), "--writers: 'm9' is not a member"),
        (("--seconds", "0"), "--seconds must be at least twice --every"),
        (("--csv", "nowhere/run.csv"), "--csv nowhere/run.csv: the folder does not exist"),
        (("--format", "html", "--threads", "1,2"), "--format html shows a single run"),
    ],
)
def test_a_wrong_option_is_refused_before_anything_is_measured(
    run: Runner, cluster: str, words: tuple[str, ...], message: str
):
    done = run("bench", "--cluster", cluster, "--workload", "update_index", *words)
    assert done.code == 2
    assert message in done.err
