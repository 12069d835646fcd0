"""`advisor space`: which settings tuning may change, and what is wrong with your own search space."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runs import Runner

HOST = ("--host", "cpus=16,memory=64G,disk=1T,connections=200")


def test_knobs_are_shown_with_range_effect_and_risk_in_80_columns(run: Runner):
    said = run("space", "show", "group-replication", "--server", "mysql-9.7.4", *HOST)
    assert said.code == 0
    knob = "replica_parallel_workers\n    1 to 64, log\n    member rejoins, risk R2, on appliers, starts at 32"
    assert knob in said.out
    assert "durability: innodb_flush_log_at_trx_commit" in said.out
    assert [line for line in said.out.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize(
    ("typed", "server", "topology"),
    [
        ("asynchronous", "mysql-9.7.4", "async_mysql"),
        ("asynchronous", "mariadb-10.11.14", "async_mariadb"),
        ("Async", "mariadb-10.11.14", "async_mariadb"),
        ("async_mysql", "mysql-9.7.4", "async_mysql"),
        ("async-mysql", "mysql-9.7.4", "async_mysql"),
        ("semi-sync", "mysql-9.7.4", "semisync"),
        ("group_replication", "mysql-9.7.4", "group_replication"),
        ("group", "mysql-9.7.4", "group_replication"),
        ("st", "mysql-9.7.4", "standalone"),
    ],
)
def test_a_topology_is_named_as_for_a_lab_or_by_its_id_or_a_unique_prefix(
    run: Runner, typed: str, server: str, topology: str
) -> None:
    done = run("space", "show", typed, "--server", server, *HOST, "--format", "json")
    assert json.loads(done.out)["topology"] == topology


def test_an_ambiguous_or_unknown_topology_is_refused_with_the_names_to_type(run: Runner) -> None:
    hint = "hint: choose one of asynchronous, galera, group-replication, semisync, standalone"
    for typed, fault in (("s", "'s' could be semisync or standalone"), ("ring", "'ring' is not a topology")):
        done = run("space", "show", typed, "--server", "mysql-9.7.4")
        assert done.code == 2
        assert fault in done.err
        assert hint in done.err


@pytest.mark.parametrize("command", ["", "show", "lint"])
def test_help_fits_a_terminal_and_has_an_example(run: Runner, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = run("space", *filter(None, [command]), "--help")
    assert f"  advisor space {command}".rstrip() in done.out
    assert [line for line in done.out.splitlines() if len(line) > 80] == []


def test_programs_get_the_same(run: Runner):
    said = run("space", "show", "galera", "--server", "mariadb-10.11.14", *HOST, "--format", "json")
    space = json.loads(said.out)
    limit = next(knob for knob in space["knobs"] if knob["name"] == "galera.gcs.fc_limit")
    assert (limit["low"], limit["takes_effect"], limit["default"]) == (16, "provider_option", "16")
    assert "wsrep_sync_wait" in {knob["name"] for knob in space["frozen"]}


def test_pins_exclusions_and_relaxed_guarantees_change_the_space(run: Runner):
    words = ("--pin", "innodb_flush_neighbors=0", "--exclude", "innodb_io_capacity", "--allow", "relaxed-durability")
    said = run("space", "show", "standalone", "--server", "mysql-8.4.5", *HOST, *words, "--format", "json")
    knobs = {knob["name"]: knob for knob in json.loads(said.out)["knobs"]}
    assert knobs["innodb_flush_neighbors"]["choices"] == ["0"]
    assert "innodb_io_capacity" not in knobs
    assert "sync_binlog" in knobs


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "nope", "--server", "mysql-9.7.4"), "'nope' is not a topology with a search space"),
        (("show", "galera", "--server", "mysql-9.7.4"), "has no Galera"),
        (("show", "standalone"), "--server is required"),
        (("show", "standalone", "--server", "mysql-9.7.4", "--host", "cpus=many"), "--host cpus=many: not a number"),
        (("show", "standalone", "--server", "mysql-9.7.4", "--host", "ram=64G"), "--host: unknown name 'ram'"),
        (
            ("show", "standalone", "--server", "mysql-9.7.4", "--pin", "sync_binlog"),
            "--pin 'sync_binlog' is not NAME=VALUE",
        ),
        (("show", "standalone", "--server", "mysql-9.7.4", "--pin", "sync_binlog=0"), "relaxed-durability"),
        (("show", "standalone", "--server", "mysql-9.7.4", "--allow", "durability"), "relaxed-durability"),
        (("show", "standalone", "--server", "mysql-9.7.4", "--spaces", "/no/such"), "no such folder"),
    ],
)
def test_what_is_not_understood_is_refused_with_exit_code_2(run: Runner, words: tuple[str, ...], said: str):
    found = run("space", *words)
    assert found.code == 2
    assert said in found.err
    assert "Traceback" not in found.err


def test_lint_takes_the_shipped_spaces_and_names_what_is_wrong_with_others(run: Runner, tmp_path: Path):
    assert run("space", "lint").code == 0
    (tmp_path / "standalone.yaml").write_text("topology: standalone\nfamilies: {mysql: '>=8.0'}\nparts: [engin]\n")
    found = run("space", "lint", "--spaces", str(tmp_path))
    assert found.code == 3
    assert "no part 'engin'" in found.err
