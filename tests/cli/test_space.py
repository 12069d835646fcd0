"""`advisor space`: what tuning may turn, and what is wrong with a space of one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.runs import Runner

HOST = ("--host", "cpus=16,memory=64G,disk=1T,connections=200")


def test_knobs_are_shown_with_range_manner_and_risk_in_80_columns(run: Runner):
    said = run("space", "show", "group-replication", "--server", "mysql-9.7.4", *HOST)
    assert said.code == 0
    assert "replica_parallel_workers\n    1 to 64, log\n    member rejoins, R2, on appliers, begins at 32" in said.out
    assert "durability: innodb_flush_log_at_trx_commit" in said.out
    assert [line for line in said.out.splitlines() if len(line) > 80] == []


def test_programs_get_the_same(run: Runner):
    said = run("space", "show", "galera", "--server", "mariadb-10.11.14", *HOST, "--format", "json")
    space = json.loads(said.out)
    limit = next(knob for knob in space["knobs"] if knob["name"] == "galera.gcs.fc_limit")
    assert (limit["low"], limit["takes_effect"], limit["default"]) == (16, "provider_option", "16")
    assert "wsrep_sync_wait" in {knob["name"] for knob in space["frozen"]}


def test_pins_exclusions_and_promises_given_up_are_heard(run: Runner):
    words = ("--pin", "innodb_flush_neighbors=0", "--exclude", "innodb_io_capacity", "--allow", "relaxed-durability")
    said = run("space", "show", "standalone", "--server", "mysql-8.4.5", *HOST, *words, "--format", "json")
    knobs = {knob["name"]: knob for knob in json.loads(said.out)["knobs"]}
    assert knobs["innodb_flush_neighbors"]["choices"] == ["0"]
    assert "innodb_io_capacity" not in knobs
    assert "sync_binlog" in knobs


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "nope", "--server", "mysql-9.7.4"), "no search space 'nope'"),
        (("show", "galera", "--server", "mysql-9.7.4"), "has no Galera"),
        (("show", "standalone"), "--server"),
        (("show", "standalone", "--server", "mysql-9.7.4", "--host", "cpus=many"), "--host cpus=many: not a number"),
        (("show", "standalone", "--server", "mysql-9.7.4", "--host", "ram=64G"), "--host: nothing is called 'ram'"),
        (("show", "standalone", "--server", "mysql-9.7.4", "--pin", "sync_binlog"), "NAME=VALUE"),
        (("show", "standalone", "--server", "mysql-9.7.4", "--pin", "sync_binlog=0"), "relaxed-durability"),
        (("show", "standalone", "--server", "mysql-9.7.4", "--allow", "durability"), "relaxed-durability"),
        (("show", "standalone", "--server", "mysql-9.7.4", "--spaces", "/no/such"), "no such folder"),
    ],
)
def test_what_is_not_understood_is_said(run: Runner, words: tuple[str, ...], said: str):
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
