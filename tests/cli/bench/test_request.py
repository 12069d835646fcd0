"""What the command line of `advisor bench` asks for, and what it refuses before anything runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from advisor.bench.run import RunPlan
from advisor.cli.bench.request import BenchRequest, build_request, find_cluster
from advisor.cli.bench.setting_changes import parse_setting_changes
from advisor.cli.shared.load_options import parse_thread_counts
from advisor.errors import UsageError
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.measurement import Load
from advisor.model.record import replace
from advisor.model.server import Role, Topology

CLUSTER = ClusterFile(
    "c.yaml", "c", Topology.GROUP_REPLICATION, "mysql-9.7.4", "root", "",
    (ClusterMember("m1", Role.SECONDARY, "127.0.0.1", 3306), ClusterMember("m2", Role.PRIMARY, "127.0.0.1", 3307)),
)  # fmt: skip
PLAN = RunPlan(Load("update_index", 0, ("m2",)))


def request(versus: str = "", threads: str = "", find_sustained: bool = False, **changes: Any) -> BenchRequest:
    """The request of a command line; `changes` are those of the plan, or of its load."""
    of_load = {name: value for name, value in changes.items() if hasattr(PLAN.load, name)}
    of_plan = {name: value for name, value in changes.items() if name not in of_load}
    plan = replace(PLAN, load=replace(PLAN.load, **of_load), **of_plan)
    counts, settings = parse_thread_counts(threads) if threads else (), parse_setting_changes(versus) if versus else ()
    return build_request(CLUSTER, plan, counts, settings, find_sustained)


def test_several_thread_counts_are_several_runs():
    assert [plan.load.threads for plan in request(threads="1,4, 16").plans] == [1, 4, 16]


def test_an_open_loop_has_clients_enough():
    assert request().plans[0].load.threads == 16
    assert request(rate_per_second=300.0).plans[0].load.threads == 64
    assert request(find_sustained=True).plans[0].load.threads == 64


def test_other_settings_are_for_every_member_or_for_one():
    assert request(versus="sync_binlog=0,m1:replica_parallel_workers=8, init_connect=").versus == {
        "m1": {"sync_binlog": "0", "replica_parallel_workers": "8", "init_connect": ""},
        "m2": {"sync_binlog": "0", "init_connect": ""},
    }


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"threads": "four"}, "--threads 'four' is not a whole number"),
        ({"threads": "1,4", "versus": "a=1"}, "a single value of --threads"),
        ({"threads": "1,4", "find_sustained": True}, "a single value of --threads"),
        ({"find_sustained": True, "rate_per_second": 5.0}, "cannot be combined with --rate or --vs"),
        ({"rate_per_second": float("nan")}, "--rate nan is not a number"),
        ({"versus": ","}, "--vs '' is not NAME=VALUE"),
        ({"versus": "sync_binlog"}, "--vs 'sync_binlog' is not NAME=VALUE"),
        ({"versus": "m9:sync_binlog=0"}, "'m9' is not a member"),
        ({"every_seconds": 0.01}, "--every must be at least 100ms"),
        ({"every_seconds": 2.0, "seconds": 3.0}, "--seconds must be at least twice --every"),
        ({"settings": {"speed": "9"}}, "has no option 'speed'"),
        ({"workload": "nonsense"}, "there is no workload 'nonsense'"),
    ],
)
def test_a_wrong_option_is_refused_by_name(given: dict[str, Any], message: str):
    with pytest.raises(UsageError) as refused:
        request(**given)
    assert message in refused.value.message


@pytest.mark.parametrize(("dsn", "cluster", "lab"), [("", None, ""), ("mysql://u@h", None, "x"), ("", Path("c"), "x")])
def test_exactly_one_cluster_is_named(dsn: str, cluster: Path | None, lab: str):
    with pytest.raises(UsageError, match="name one running cluster"):
        find_cluster(dsn, cluster, lab, None)
