"""What the command line of `advisor bench` asks for, and what it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from advisor.bench.bundle_recording import observations
from advisor.bench.measure.summary import summarise
from advisor.cli.bench.request import Words, build_request
from advisor.cluster_file import write_cluster
from advisor.data import parse_documents
from advisor.errors import UsageError
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.server import Role, Topology
from tests.bench.measure.test_summary import WHAT, run


@pytest.fixture
def cluster(tmp_path: Path) -> Path:
    """The file of a group of two."""
    members = (
        ClusterMember("m1", Role.SECONDARY, "127.0.0.1", 3306),
        ClusterMember("m2", Role.PRIMARY, "127.0.0.1", 3307),
    )
    path = tmp_path / "cluster.yaml"
    write_cluster(ClusterFile(str(path), "c", Topology.GROUP_REPLICATION, "mysql-9.7.4", "root", "", members))
    return path


def words(cluster: Path | None, **given: Any) -> Words:
    plain: dict[str, Any] = {
        "dsn": "", "cluster": cluster, "lab": "", "password_file": None,
        "workload": "update_index", "threads": "", "rate": 0.0, "seconds": "",
        "lag_bound": "1s", "warm_up": "10s:60s", "drain": "120s", "every": "1s", "writers": "", "tables": 4,
        "rows": 1000, "options": [], "find_sustained": False, "versus": "", "plot": None, "csv": None,
    }  # fmt: skip
    return Words(**{**plain, **given})


def test_the_primary_gets_the_load_wherever_it_stands_in_the_file(cluster: Path):
    plan = build_request(words(cluster)).plans[0]
    assert plan.load.writers == ("m2",)
    assert (plan.load.threads, plan.seconds, plan.lag_bound_ms) == (16, 30.0, 1000.0)
    assert (plan.warm_up_least, plan.warm_up_most) == (10.0, 60.0)


def test_all_members_write_when_asked(cluster: Path):
    assert build_request(words(cluster, writers="all")).plans[0].load.writers == ("m1", "m2")


def test_several_thread_counts_are_several_runs(cluster: Path):
    assert [plan.load.threads for plan in build_request(words(cluster, threads="1,4,16")).plans] == [1, 4, 16]


def test_an_open_loop_has_clients_enough_and_probes_are_short(cluster: Path):
    assert build_request(words(cluster, rate=300.0)).plans[0].load.threads == 64
    assert build_request(words(cluster, find_sustained=True)).plans[0].seconds == 10.0


def test_other_settings_are_for_every_member_or_for_one(cluster: Path):
    found = build_request(words(cluster, versus="sync_binlog=0,m1:replica_parallel_workers=8")).versus
    assert found == {"m1": {"sync_binlog": "0", "replica_parallel_workers": "8"}, "m2": {"sync_binlog": "0"}}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"lab": "x"}, "name one running cluster"),
        ({"threads": "four"}, "--threads 'four'"),
        ({"threads": "1,4", "versus": "a=1"}, "one number of threads"),
        ({"find_sustained": True, "rate": 5.0}, "neither --rate nor --vs"),
        ({"rate": float("nan")}, "--rate nan"),
        ({"versus": ","}, "write name=value"),
        ({"seconds": "soon"}, "--seconds soon"),
        ({"every": "10ms"}, "do not go together"),
        ({"warm_up": "60s:10s"}, "do not go together"),
        ({"versus": "sync_binlog"}, "write name=value"),
        ({"versus": "m9:sync_binlog=0"}, "'m9' is no member"),
        ({"options": ["keys"]}, "write name=value"),
        ({"options": ["speed=9"]}, "knows no option 'speed'"),
        ({"writers": "m9"}, "m9 is no member"),
        ({"plot": Path("run.jpg")}, "must end in"),
        ({"csv": Path("/nowhere/run.csv")}, "no such folder"),
        ({"workload": "nonsense"}, "no workload 'nonsense'"),
    ],
)
def test_what_cannot_be_is_refused_with_the_option_named(cluster: Path, given: dict[str, Any], said: str):
    with pytest.raises(UsageError) as refused:
        build_request(words(cluster, **given))
    assert said in refused.value.message


def test_what_a_run_knows_goes_into_its_bundle_in_the_words_of_the_format():
    found = summarise(WHAT, run(1000, 2000))
    said = next(parse_documents(observations(found), "observations.yaml"))
    assert said["clients"] == "8"
    assert float(said["throughput_per_second"]) == pytest.approx(found.peak_per_second, abs=0.1)
    assert said["latency_ms"] == {"p95": "12.00"}
