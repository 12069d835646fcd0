"""`advisor lab` on the command line: what cannot be is wrong usage, before any server is touched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.lab import state
from tests.cli.runs import Runner


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No server program is found, and nothing of the user's is touched."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("up ring", "no topology 'ring'"),
        ("up async --mysql --mariadb", "one of --mysql, --mariadb and --server"),
        ("up async --durable --relaxed", "one of --durable and --relaxed"),
        ("up semisync --wait-point never", "after_sync or after_commit"),
        ("up async --set sync_binlog", "--set 'sync_binlog' is not NAME=VALUE"),
        ("up async --set datadir=/tmp", "the lab chooses datadir itself"),
        ("up async --member-set sync_binlog=1", "does not begin with a member's number"),
        ("up async --member-set 2:sync_binlog", "--member-set 'sync_binlog' is not NAME=VALUE"),
        ("up async --members 0", "'--members': 0 is not in the range"),
        ("up async --workers 0", "'--workers': 0 is not in the range"),
        ("up async --cpus many", "--cpus many: must be a number of CPUs"),
        ("up async --member-cpus 0.5", "--member-cpus 0.5: does not begin with a member's number"),
        ("up async --member-cpus 2:many", "--member-cpus many: must be a number of CPUs"),
        ("up async --rtt 20", "--rtt 20: not a valid round-trip time"),
        ("up async --bandwidth 1gb", "--bandwidth 1gb: not a bandwidth"),
        ("up async --disk 1.5G", "--disk 1.5G: not a disk size"),
        ("restart x --set sync_binlog", "--set 'sync_binlog' is not NAME=VALUE"),
        ("fault x apply pause --set stopped_ms", "--set 'stopped_ms' is not NAME=VALUE"),
        ("fault x apply pause --for soon", "--for soon: not a length of time"),
        ("down", "name a lab, or use --all"),
        ("down x --all", "name a lab, or use --all"),
        ("down x", "there is no lab called 'x'"),
        ("status ../x", "cannot be the name of a lab"),
        ("logs x", "there is no lab called 'x'"),
        ("shell x", "there is no lab called 'x'"),
        ("install oracle", "cannot install 'oracle'"),
    ],
)
def test_what_cannot_be_is_wrong_usage(run: Runner, words: str, said: str) -> None:
    done = run("lab", *words.split())
    assert done.code == 2
    assert said in done.err
    assert state.names() == []


def test_a_server_that_is_not_there_is_named_with_the_way_to_get_it(run: Runner) -> None:
    done = run("lab", "up", "async", "--server", "nowhere/mysqld")
    assert done.code == 4
    assert "no working server program" in done.err


def test_no_labs_are_no_error(run: Runner) -> None:
    assert run("lab", "list").out == "no labs\n"
    assert run("lab", "down", "--all").code == 0


def test_what_the_lab_lists_is_there_for_programs_too(run: Runner) -> None:
    assert json.loads(run("lab", "servers", "--format", "json").out)["schema"] == "1"
    assert json.loads(run("lab", "list", "--format", "json").out) == {"schema": "1", "labs": []}
    faults = json.loads(run("lab", "faults", "--format", "json").out)["faults"]
    latency = next(fault for fault in faults if fault["fault"] == "latency")
    assert latency["parameters"] == {"rtt_ms": 100.0}
    assert "longer round trip" in latency["does"]


def test_experiments_are_listed_for_programs_with_their_cells(run: Runner) -> None:
    listed = json.loads(run("experiment", "list", "--format", "json").out)
    assert listed["schema"] == "1"
    cells = {experiment["id"]: experiment["cells"] for experiment in listed["experiments"]}
    assert cells["galera-flow-control"] == ["flow_control", "no_flow_control"]
