"""Findings about a managed database come with the commands that change it there."""

from __future__ import annotations

import json

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.check.stated import parse_host, state
from advisor.evidence import read_path
from advisor.evidence.rewriting.cloud_commands import cloud_commands
from advisor.model.evidence import CloudSettings
from advisor.model.rules import Change, TakesEffect
from advisor.model.server import Role

NOW, RESTART = TakesEffect.AT_ONCE, TakesEffect.SERVER_RESTART
GROUP = "--name GROUP --parameters \\"
AWS = CloudSettings("aws modify", "--name GROUP", "aws reset", frozenset({"log_bin"}), {"general_log": "OFF,ON"})
GOOGLE = CloudSettings("gcloud patch", "prod", kept={"sync_binlog": "0", "slow_query_log": "on"})


@pytest.mark.parametrize(
    ("cloud", "changes", "lines"),
    [
        (
            AWS,
            [Change("sync_binlog", "1", NOW)],
            [
                "aws modify \\", GROUP,
                "ParameterName=sync_binlog,ParameterValue=1,ApplyMethod=immediate",
            ],
        ),
        (
            AWS,
            [
                Change("innodb_redo_log_capacity", "2G", RESTART),
                Change("general_log", "OFF", NOW), Change("x", "ON", NOW),
            ],
            [
                "aws modify \\", GROUP,
                "ParameterName=innodb_redo_log_capacity,ParameterValue=2147483648,ApplyMethod=pending-reboot \\",
                "ParameterName=general_log,ParameterValue=OFF,ApplyMethod=immediate \\",
                "ParameterName=x,ParameterValue=1,ApplyMethod=immediate",
            ],
        ),
        (
            AWS,
            [Change("sql_mode", "A,B", NOW)],
            [
                "aws modify \\", GROUP,
                "\"ParameterName=sql_mode,ParameterValue='A,B',ApplyMethod=immediate\"",
            ],
        ),
        (
            AWS,
            [Change("slave_skip_errors", None, RESTART), Change("log_bin", "ON", RESTART)],
            [
                "aws reset \\", GROUP,
                "ParameterName=slave_skip_errors,ApplyMethod=pending-reboot",
                "# AWS does not let you change log_bin",
            ],
        ),
        (
            GOOGLE,
            [Change("sync_binlog", "1", NOW)],
            ["gcloud patch prod \\", "--database-flags=slow_query_log=on,sync_binlog=1"],
        ),
        (GOOGLE, [Change("slow_query_log", None, NOW)], ["gcloud patch prod \\", "--database-flags=sync_binlog=0"]),
    ],
)  # fmt: skip
def test_the_changes_are_written_for_the_cloud(cloud, changes, lines):
    assert list(cloud_commands(cloud, changes)) == lines


PARAMETERS = {
    "sync_binlog": ("0", True),
    "log_bin": ("1", False),
    "innodb_checksum_algorithm": ("none", False),
    "innodb_buffer_pool_size": ("{DBInstanceClassMemory*3/4}", True),
    "max_connections": ("LEAST({DBInstanceClassMemory/12582880},5000)", True),
    "read_only": ("{TrueIfReplica}", True),
    "table_open_cache": ("{log(DBInstanceClassMemory/8187281418)*1000}", True),
}


def group(folder, **more):
    """The cluster that a parameter group describes."""
    listed = [
        {"ParameterName": name, "ParameterValue": value, "IsModifiable": modifiable, **more}
        for name, (value, modifiable) in PARAMETERS.items()
    ]
    file = folder / "group.json"
    file.write_text(json.dumps({"Parameters": listed}, indent=1), encoding="utf-8")
    return read_path(str(file))


def commands(cluster):
    """The commands of each finding, by rule."""
    judged = check(cluster, load_rules(), parse_release("mysql-8.0.36"))
    return {finding.rule.id: finding.commands for finding in judged.findings if finding.commands}


def test_what_users_cannot_change_is_said(tmp_path):
    found = commands(state(group(tmp_path), Role.SOURCE, None, {}))
    assert found["page-checksums-off"] == ("# AWS does not let you change innodb_checksum_algorithm",)
    assert found["binlog-not-synced"][0] == "aws rds modify-db-parameter-group \\"


def test_a_group_of_a_cluster_has_commands_of_its_own(tmp_path):
    found = commands(state(group(tmp_path, SupportedEngineModes=["provisioned"]), Role.SOURCE, None, {}))
    assert found["binlog-not-synced"][:2] == (
        "aws rds modify-db-cluster-parameter-group \\",
        "--db-cluster-parameter-group-name GROUP --parameters \\",
    )


def test_formulas_are_computed_for_the_stated_machine_and_role(tmp_path):
    cluster = state(group(tmp_path), Role.REPLICA, None, parse_host(["memory=16G"]))
    values = {name: fact.value for name, fact in cluster.members[0].variables.items()}
    assert values["innodb_buffer_pool_size"] == str(12 << 30)
    assert values["max_connections"] == str((16 << 30) // 12582880)
    assert values["read_only"] == "1"
    assert any("RDS counts somewhat less memory" in problem for problem in cluster.problems)
    assert [problem for problem in cluster.problems if "table_open_cache" in problem and "not understood" in problem]


def test_without_the_machine_formulas_are_unknown_by_name(tmp_path):
    problems = state(group(tmp_path), None, None, {}).problems
    needs_memory = [problem for problem in problems if "DBInstanceClassMemory (--host memory=16G)" in problem]
    assert "max_connections" in needs_memory[0]
    assert any("TrueIfReplica (--role source" in problem and "read_only" in problem for problem in problems)
