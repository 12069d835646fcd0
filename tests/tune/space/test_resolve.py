"""Search spaces: every knob and range is the server's, and what is wrong with one is said when it is read."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.errors import RuleError, UsageError
from advisor.model.applying import Application
from advisor.model.rules import Risk
from advisor.model.tuning import Guarantee, SearchSpace
from advisor.tune.space.lint import lint_spaces
from advisor.tune.space.resolve import load_space, restrict
from tests.tune.conftest import MACHINE

SpaceOf = Callable[[str, str], SearchSpace]


def knob(space: SearchSpace, name: str):
    return {one.name: one for one in (*space.knobs, *space.frozen)}[name]


def test_the_shipped_spaces_hold_on_every_release_they_are_meant_for():
    assert lint_spaces() == []


def test_names_are_spelt_as_the_release_spells_them(space_of: SpaceOf):
    assert knob(space_of("async_mysql", "mysql-8.0.20"), "slave_parallel_workers")
    assert knob(space_of("async_mysql", "mysql-9.7.4"), "replica_parallel_workers")
    assert knob(space_of("galera", "pxc-8.4.5"), "wsrep_applier_threads")
    assert knob(space_of("semisync", "mariadb-10.11.14"), "rpl_semi_sync_master_wait_point").promise


def test_the_redo_log_is_sized_by_the_variable_the_release_has(space_of: SpaceOf):
    def names(release):
        return {one.name for one in space_of("standalone", release).knobs}

    assert "innodb_redo_log_capacity" in names("mysql-8.4.5")
    assert "innodb_log_file_size" not in names("mysql-8.4.5")
    assert "innodb_log_file_size" in names("mysql-8.0.29")
    assert "innodb_log_file_size" in names("mariadb-11.4.5")


def test_how_a_change_takes_effect_is_the_releases_own(space_of: SpaceOf):
    name = "innodb_log_buffer_size"
    assert knob(space_of("standalone", "mysql-9.7.4"), name).how is Application.DYNAMIC
    restarting = knob(space_of("standalone", "mariadb-10.11.14"), name)
    assert restarting.how is Application.SERVER_RESTART
    assert Risk.R2 in restarting.risk
    workers = "replica_parallel_workers"
    assert knob(space_of("async_mysql", "mysql-9.7.4"), workers).how is Application.APPLIER_RESTART
    assert knob(space_of("group_replication", "mysql-9.7.4"), workers).how is Application.MEMBER_REJOIN
    cut = knob(space_of("async_mysql", "mysql-9.7.4"), "replica_checkpoint_group")
    assert cut.how is Application.APPLIER_RESTART
    assert Risk.R2 in cut.risk
    provider = space_of("galera", "mariadb-10.11.14")
    assert knob(provider, "galera.gcs.fc_limit").how is Application.PROVIDER_OPTION
    assert knob(provider, "galera.gcache.size").how is Application.SERVER_RESTART


@pytest.mark.parametrize(
    ("topology", "release"),
    [("group_replication", "mysql-9.7.4"), ("galera", "mariadb-10.11.14"), ("semisync", "mysql-8.4.5")],
)
def test_promises_are_frozen(space_of: SpaceOf, topology: str, release: str):
    space = space_of(topology, release)
    frozen = {one.name for one in space.frozen}
    assert {"innodb_flush_log_at_trx_commit", "sync_binlog", "innodb_doublewrite"} <= frozen
    assert not frozen & {one.name for one in space.knobs}
    assert {one.promise for one in space.frozen} >= {Guarantee.DURABILITY, Guarantee.CONSISTENCY}


def test_a_promise_is_given_up_by_name_only(space_of: SpaceOf):
    space = restrict(space_of("group_replication", "mysql-9.7.4"), {}, [], [Guarantee.DURABILITY])
    assert knob(space, "sync_binlog") in space.knobs
    assert knob(space, "group_replication_consistency") in space.frozen


def test_a_frozen_knob_is_not_pinned_silently(space_of: SpaceOf):
    with pytest.raises(UsageError, match="relaxed-durability"):
        restrict(space_of("standalone", "mysql-9.7.4"), {"sync_binlog": "0"}, [], [])


def test_a_misspelt_knob_is_named_with_what_was_meant(space_of: SpaceOf):
    with pytest.raises(UsageError, match="innodb_io_capacity"):
        restrict(space_of("standalone", "mysql-9.7.4"), {}, ["innodb_io_capacit"], [])


def test_bounds_follow_the_machine():
    release = parse_release("mysql-9.7.4")[0]
    small = load_space("standalone", release, {**MACHINE, "memory_bytes": 2.0 * 2**30})
    pool = knob(small, "innodb_buffer_pool_size")
    assert pool.high <= 0.8 * 2 * 2**30
    assert pool.low % pool.step == pool.high % pool.step == 0


def test_a_machine_nobody_described_is_asked_for():
    with pytest.raises(UsageError, match=r"memory_bytes") as told:
        load_space("standalone", parse_release("mysql-9.7.4")[0], {"cpus": 4.0})
    assert "--host" in told.value.hint


def test_a_server_without_galera_has_no_galera_space(space_of: SpaceOf):
    with pytest.raises(UsageError, match="has no Galera"):
        space_of("galera", "mysql-9.7.4")


OWN = """
    topology: standalone
    families: {{mysql: ">=8.0"}}
    knobs:
      {knob}
"""


@pytest.mark.parametrize(
    ("knob_text", "said"),
    [
        ("innodb_io_capacity: {low: 10, high: 5000, risk: R1, why: x}", "outside the server's range, 100"),
        ("innodb_io_capacit: {low: 200, high: 5000, risk: R1, why: x}", "no such variable"),
        ("innodb_io_capacity: {low: 5000, high: 200, risk: R1, why: x}", "no value lies between"),
        ("innodb_io_capacity: {low: 200, risk: R1, why: x}", "either choices, or low and high"),
        ("innodb_io_capacity: {low: 200, high: 5000, step: 0, risk: R1, why: x}", "is not above 0"),
        ("innodb_io_capacity: {low: 200, high: 5000, step: -5, risk: R1, why: x}", "is not above 0"),
        ("innodb_io_capacity: {low: 200, high: 900, for: {mysql: [8]}, risk: R1, why: x}", "not a version constraint"),
        ("innodb_io_capacity: {low: 200, high: 900, active: 1 >, inactive: 200, risk: R1, why: x}", "1 >"),
        ("innodb_io_capacity: {low: 200, high: host.ram, risk: R1, why: x}", "host.ram"),
        ("innodb_io_capacity: {low: 200, high: 900, special: ['300'], risk: R1, why: x}", "outside the range"),
        ("innodb_flush_neighbors: {choices: ['0', '3'], risk: R1, why: x}", "does not accept '3'"),
        ("innodb_flush_neighbors: {choices: ['0'], riks: R1, why: x}", "no key 'riks'"),
        ("innodb_flush_neighbors: {choices: ['0', '1'], risk: R9, why: x}", "'R9' is not one of"),
        (
            "innodb_flush_neighbors: {choices: ['0', '1'], active: innodb_x > 1, risk: R1, why: x}",
            "'inactive' is required",
        ),
    ],
)
def test_what_is_wrong_with_a_space_is_said_with_its_file(tmp_path: Path, knob_text: str, said: str):
    (tmp_path / "standalone.yaml").write_text(textwrap.dedent(OWN.format(knob=knob_text)))
    with pytest.raises(RuleError, match=said) as told:
        load_space("standalone", parse_release("mysql-8.4.5")[0], MACHINE, [str(tmp_path)])
    assert told.value.file.endswith("standalone.yaml")


def test_a_space_of_ones_own_takes_shipped_parts_and_comes_before_the_shipped_one(tmp_path: Path):
    own = (
        'topology: standalone\nfamilies: {mysql: ">=8.0"}\nparts: [engine]\nknobs:\n  innodb_io_capacity: {high: 900}\n'
    )
    (tmp_path / "standalone.yaml").write_text(own)
    space = load_space("standalone", parse_release("mysql-8.4.5")[0], MACHINE, [str(tmp_path)])
    assert (knob(space, "innodb_io_capacity").low, knob(space, "innodb_io_capacity").high) == (200, 900)


@pytest.mark.parametrize(
    "misspelt",
    [
        "rules:\n- {must: innodb_io_capacity < innodb_io_capacity_mx, why: x}\n",
        "knobs:\n  innodb_io_capacity: {active: innodb_io_capacity_mx > 0, inactive: 200}\n",
    ],
)
def test_lint_names_a_rule_or_condition_about_what_is_no_knob(tmp_path: Path, misspelt: str):
    own = 'topology: standalone\nfamilies: {mysql: ">=8.0"}\nparts: [engine]\n' + misspelt
    (tmp_path / "standalone.yaml").write_text(own)
    (line,) = [line for line in lint_spaces([str(tmp_path)]) if "innodb_io_capacity_mx" in line]
    assert line.startswith(str(tmp_path / "standalone.yaml"))
