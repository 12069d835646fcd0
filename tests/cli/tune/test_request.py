"""What the command line of `advisor tune` asks for, and what it cannot: told before anything is touched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from advisor.cli.tune.request import Words, build_request
from advisor.cluster_file import write_cluster
from advisor.errors import UsageError
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.server import Role, Topology
from advisor.tune.request.request import AUTO


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    """The file of a source and its replica."""
    members = (
        ClusterMember("m1", Role.SOURCE, "127.0.0.1", 3306),
        ClusterMember("m2", Role.REPLICA, "127.0.0.1", 3307),
    )
    path = tmp_path / "cluster.yaml"
    write_cluster(ClusterFile(str(path), "c", Topology.ASYNC_MYSQL, "mysql-9.7.4", "root", "", members))
    return path


def words(cluster: Path | None, **given: Any) -> Words:
    plain: dict[str, Any] = {
        "cluster": cluster, "lab": "", "workload": "update_index", "threads": "16", "for_": "", "trials": 20,
        "seconds": "30s", "lag_bound": "1s", "warm_up": "10s:60s", "writers": "", "tables": 4, "rows": 1000,
        "options": None, "folders": None, "pin": None, "exclude": None, "allow": None, "host": None, "between": "",
        "not_primary": False, "sampler": "own", "seed": 0, "blocks": 6, "shorten": True, "experience": "",
        "preflight": True, "storage": "", "study": "", "password_file": None, "soak": "", "patience": 12,
    }  # fmt: skip
    return Words(**{**plain, **given})


def test_what_is_left_out_is_what_the_manual_says(cluster: Path):
    asked = build_request(words(cluster))
    assert asked.writers == ("m1",)
    assert (asked.seconds, asked.lag_bound_ms, asked.blocks, asked.threads) == (30.0, 1000.0, 6, 16)
    assert asked.patience == 12


@pytest.mark.parametrize("text", ["0", "-4", "many", "1.5", ""])
def test_a_number_of_clients_is_whole_and_above_zero(cluster: Path, text: str):
    with pytest.raises(UsageError, match="a whole number from 1, or auto"):
        build_request(words(cluster, threads=text))
    assert build_request(words(cluster, threads="auto")).threads == AUTO


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"trials": 0}, "how long"),
        ({"trials": 3}, "--trials 3: 4 at least"),
        ({"for_": "5m"}, "too little time"),
        ({"lag_bound": "0s"}, "--lag-bound 0s: above 0"),
        ({"sampler": "magic"}, "no sampler 'magic'"),
        ({"seconds": "5s"}, "do not go together"),
        ({"warm_up": "20s:10s"}, "do not go together"),
        ({"between": "22-6"}, "is no window"),
        ({"soak": "1s"}, "longer than a trial"),
        ({"soak": "10m", "blocks": 0}, "after a proof"),
        ({"for_": "2h", "soak": "90m"}, "half of --for"),
        ({"study": "march"}, "--study names a study that is shared"),
        ({"pin": ["innodb_io_capacity"]}, "write NAME=VALUE"),
        ({"allow": ["durability"]}, "no such promise"),
        ({"writers": "m9"}, "m9 is no member"),
        ({"experience": "/nowhere/nights.jsonl"}, "--experience /nowhere/nights.jsonl: cannot be written"),
    ],
)
def test_what_cannot_be_is_said_before_a_server_is_asked(cluster: Path, given: dict[str, Any], said: str):
    with pytest.raises(UsageError, match=said):
        build_request(words(cluster, **given))
