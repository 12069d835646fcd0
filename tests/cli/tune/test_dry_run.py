"""What `advisor tune --dry-run` says: everything that could be touched, how often, and how long it takes."""

from __future__ import annotations

import json

from advisor.catalog import parse_release
from advisor.cli.tune.dry_run import plan_as_json, plan_as_text
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from advisor.report.words.layout import Page
from advisor.tune.phases import plan_of
from advisor.tune.request.request import AUTO, Request
from advisor.tune.session import Forecast
from advisor.tune.space.encoding import as_text
from advisor.tune.space.resolve import load_space
from advisor.tune.state.journal import OptionFile, Originals
from advisor.tune.trial.run_trial import TuningTarget

MACHINE = {"cpus": 8.0, "memory_bytes": 32.0 * 2**30, "disk_free_bytes": 500.0 * 2**30, "connections": 100.0}
REQUEST = Request("cluster.yaml", "update_index", AUTO, ("db1",), for_seconds=28800.0, soak_seconds=1800.0,
                between="22:00-06:00")  # fmt: skip


def forecast(request: Request, files: bool = True, untouched: tuple[str, ...] = ()) -> Forecast:
    release = parse_release("mysql-8.4.5")[-1]
    space = load_space("async_mysql", release, MACHINE)
    running = {knob.name: knob.default or as_text(knob.low, knob.step) for knob in space.knobs}
    running |= {"innodb_io_capacity": "200"}
    members = (ClusterMember("db1", Role.SOURCE, "db1", 3306), ClusterMember("db2", Role.REPLICA, "db2", 3306))
    cluster = ClusterFile("cluster.yaml", "shop", Topology.ASYNC_MYSQL, "", "u", "", members)
    found = {member.name: OptionFile("/etc/mysql/conf.d/zz.cnf", None) for member in members} if files else {}
    target = TuningTarget(cluster, release, space, Originals("cluster.yaml", {}, files=found), untouched)
    rules = {**running, "innodb_io_capacity": "2000", "innodb_io_capacity_max": "4000"}
    return Forecast(target, plan_of(target, request, running, rules), request, (50.0, 70.0))


def test_a_plan_says_what_is_changed_how_often_and_for_how_long():
    text = " ".join(plan_as_text(forecast(REQUEST), Page(80)).split())
    for words in (
        "This is a dry run: nothing is changed",
        "innodb_io_capacity: 200 now",
        "never changed: innodb_flush_log_at_trx_commit",
        "Initial configuration 1: innodb_io_capacity=2000, innodb_io_capacity_max=4000",
        "Runs only between 22:00 and 06:00, local time",
        "The number of clients is found first",
        "First, 6 baseline runs, each after a restart, show",
        "`why` diagnoses the cluster under load",
        "A trial takes about 50 s, or 70 s with a restart",
        "The winner is soak-tested for 30 min",
        "19 during validation, and one to restore",
        "db2: /etc/mysql/conf.d/zz.cnf",
    ):
        assert words in text, words
    assert max(map(len, plan_as_text(forecast(REQUEST), Page(80)).splitlines())) <= 100, "only settings are longer"


def test_servers_without_a_way_to_restart_keep_running_and_no_file_is_written():
    text = plan_as_text(forecast(replace(REQUEST, threads=8), files=False, untouched=("db1",)), Page(80))
    assert "No server is restarted" in text
    assert "db1 is left unchanged" in " ".join(text.split())
    assert "clients" not in text


def test_the_plan_for_programs_has_the_same():
    plan = json.loads(plan_as_json(forecast(REQUEST)))
    assert plan["clients"] is None
    assert plan["reference_runs"] == 6
    assert plan["asks_why"] is True
    assert plan["option_files"] == {"db1": "/etc/mysql/conf.d/zz.cnf", "db2": "/etc/mysql/conf.d/zz.cnf"}
    assert plan["soak_seconds"] == 1800.0
