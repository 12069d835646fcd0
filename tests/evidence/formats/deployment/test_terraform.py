"""Parameter groups of RDS and Aurora, in Terraform and as AWS prints them, keep their lines; unknown stays unknown."""

from __future__ import annotations

import json

import pytest

from advisor.check import check, load_rules
from advisor.errors import InputError
from advisor.evidence import read_path
from advisor.evidence.formats.deployment.parameter_group import server_of_family
from advisor.evidence.formats.deployment.terraform import servers
from advisor.model.rules import Verdict

RULES = load_rules()


def group(parameters, family='"mysql8.0"', kind="aws_db_parameter_group"):
    return f'resource "{kind}" "main" {{\n  family = {family}\n{parameters}}}\n'


def parameter(name, value):
    return f'  parameter {{\n    name  = "{name}"\n    value = {value}\n  }}\n'


def read(text):
    ((_, builder),) = servers(text, "main.tf")
    return builder


VALUES = {
    '"0"': "0", "0": "0", "-1": "-1", "0.5": "0.5", "true": "1", '"a \\"b\\" $${c}"': 'a "b" ${c}',
    "var.x": None, '"${var.x}"': None, "local.a ? 1 : 0": None, "max(1, 2)": None, '"a" # b': "a", "null": None,
}  # fmt: skip


@pytest.mark.parametrize(("written", "value"), VALUES.items(), ids=VALUES)
def test_literal_values_are_read_and_no_others(written, value):
    builder = read(group(parameter("max_connections", written)))
    found = builder.variables.get("max_connections")
    assert (found.value if found else None) == value
    assert bool(found) or any("these values are unknown: max_connections" in problem for problem in builder.problems)


def test_each_value_has_its_line_and_the_family_is_the_server():
    builder = read(group(parameter("a", '"1"') + "  # c }\n" + parameter("b", '"2"'), '"mariadb10.11"'))
    assert {name: fact.source for name, fact in builder.variables.items()} == {"a": "main.tf:5", "b": "main.tf:10"}
    assert builder.server == "mariadb 10.11"


def test_comments_texts_and_other_blocks_do_not_confuse_it():
    text = (
        'variable "x" { default = "}" }\n/* resource "aws_db_parameter_group" "no" { */\n'
        'locals { t = <<EOT\nresource "aws_db_parameter_group" "no" {\nEOT\n}\n'
    )
    text += group('  tags = { parameter = "x", name = "y" }\n  lifecycle { a = true }\n' + parameter("a", '"{"'))
    assert {name: fact.value for name, fact in read(text).variables.items()} == {"a": "{"}


def test_a_dynamic_block_is_said_to_be_unknown():
    builder = read(
        group('  dynamic "parameter" {\n    for_each = var.p\n    content {\n      name = "a"\n    }\n  }\n')
    )
    assert not builder.variables
    said = "main.tf:3: only Terraform knows the parameters of a dynamic block"
    assert any(said in problem for problem in builder.problems)


def test_other_engines_are_passed_over():
    assert not list(servers(group(parameter("a", "1"), '"postgres16"'), "main.tf"))


@pytest.mark.parametrize("family", ["var.family", '"postgres${var.version}"', '"${var.engine}${var.version}"'])
def test_of_a_family_that_terraform_alone_knows_the_names_of_the_parameters_decide(family):
    postgres = parameter("log_statement", '"all"') + parameter("max_connections", "7")
    assert not list(servers(group(postgres, family), "main.tf"))
    assert not list(servers(group("", family), "main.tf"))
    assert read(group(parameter("binlog_format", '"ROW"'), family)).server == ""


def test_a_file_without_a_parameter_group_says_so(tmp_path):
    (tmp_path / "s3.tf").write_text('resource "aws_s3_bucket" "b" {\n}\n', encoding="utf-8")
    with pytest.raises(InputError, match="Terraform, not an option file; it has no server settings"):
        read_path(str(tmp_path / "s3.tf"))


@pytest.mark.parametrize(
    ("family", "server", "aurora"),
    [
        ("mysql8.0", "mysql 8.0", False),
        ("mariadb10.11", "mariadb 10.11", False),
        ("aurora-mysql8.0", "mysql 8.0", True),
        ("aurora-mysql5.7", "mysql 5.7", True),
        ("aurora5.6", "mysql 5.6", True),
        ("aurora-postgresql15", "", True),
        ("postgres16", "", False),
        ("", "", False),
    ],
)
def test_the_server_of_a_family(family, server, aurora):
    assert server_of_family(family) == (server, aurora)


def reported(path):
    judgement = check(read_path(str(path)), RULES)
    return {f.rule.id: (f.file, f.line) for f in judgement.findings if f.verdict is Verdict.FINDING}


def test_a_finding_of_a_group_names_its_line_in_terraform(tmp_path):
    file = tmp_path / "main.tf"
    file.write_text(group(parameter("innodb_flush_log_at_trx_commit", '"0"')), encoding="utf-8")
    assert reported(file)["redo-not-written-at-commit"] == (str(file), 5)


def test_nothing_follows_from_settings_that_aurora_has_no_use_for(tmp_path):
    file = tmp_path / "main.tf"
    text = group(
        parameter("innodb_flush_log_at_trx_commit", '"0"') + parameter("sync_binlog", "0"),
        '"aurora-mysql8.0"',
        "aws_rds_cluster_parameter_group",
    )
    file.write_text(text, encoding="utf-8")
    assert not {"redo-not-written-at-commit", "binlog-not-synced"} & reported(file).keys()
    assert any("Aurora has its own storage" in problem for problem in read_path(str(file)).problems)


def printed(*parameters):
    rows = [{"ParameterName": name, "ParameterValue": value, "Source": source} for name, value, source in parameters]
    return json.dumps({"Parameters": rows}, indent=4)


def test_what_aws_prints_keeps_its_lines(tmp_path):
    file = tmp_path / "group.json"
    rows = (("sync_binlog", "1", "user"), ("innodb_flush_log_at_trx_commit", "0", "user"))
    file.write_text(printed(*rows), encoding="utf-8")
    assert reported(file)["redo-not-written-at-commit"] == (str(file), 9)
    file.write_text(json.dumps(json.loads(printed(*rows))), encoding="utf-8")
    assert reported(file)["redo-not-written-at-commit"][1] == 0


def test_of_an_aurora_group_only_what_was_chosen_counts(tmp_path):
    file = tmp_path / "group.json"
    rows = [("aurora_parallel_query", "0", "engine-default"), ("max_connections", "7", "user"), ("port", "1", "system")]
    file.write_text(printed(*rows), encoding="utf-8")
    (member,) = read_path(str(file)).members
    assert set(member.variables) == {"max_connections"}


def test_logs_of_cloud_sql_go_to_files_unless_a_flag_says_otherwise(tmp_path):
    def found(*flags):
        blocks = "".join(f'database_flags {{\n name = "{name}"\n value = "{value}"\n}}\n' for name, value in flags)
        file = tmp_path / "main.tf"
        head = 'resource "google_sql_database_instance" "a" {\ndatabase_version = "MYSQL_8_0"\nsettings {\n'
        file.write_text(f"{head}{blocks}}}\n}}\n", encoding="utf-8")
        rules = [rule for rule in RULES if rule.id == "general-log-on"]
        return [finding.rule.id for finding in check(read_path(str(file)), rules, ()).findings if finding.changes]

    assert found(("general_log", "on")) == ["general-log-on"]
    assert found(("general_log", "on"), ("log_output", "NONE")) == []
