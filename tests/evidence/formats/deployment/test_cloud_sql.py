"""Flags of Cloud SQL instances are read from JSON, YAML and Terraform; parameter groups from CloudFormation."""

from __future__ import annotations

import json

import pytest

from advisor.errors import InputError
from advisor.evidence import read_path

INSTANCE = {
    "databaseVersion": "MYSQL_8_0_31",
    "name": "prod",
    "settings": {"databaseFlags": [{"name": "sync_binlog", "value": "0"}]},
}
YAML = "databaseVersion: MYSQL_8_4\nname: prod\nsettings:\n  databaseFlags:\n  - name: sync_binlog\n    value: '0'\n"
TERRAFORM = """resource "google_sql_database_instance" "main" {
  database_version = "MYSQL_8_0"
  settings {
    database_flags {
      name  = "sync_binlog"
      value = 0
    }
    database_flags {
      name  = "port"
      value = var.port
    }
  }
}
"""
CLOUDFORMATION = """AWSTemplateFormatVersion: '2010-09-09'
Resources:
  Group:
    Type: AWS::RDS::DBParameterGroup
    Properties:
      Family: mysql8.0
      Parameters:
        sync_binlog: 0
        max_connections: !Ref Connections
        port: !GetAtt [A, B]
"""


@pytest.mark.parametrize(
    ("text", "server", "line"),
    [
        (json.dumps(INSTANCE, indent=1), "mysql 8.0.31", 8),
        (json.dumps([INSTANCE]), "mysql 8.0.31", 1),
        (YAML, "mysql 8.4", 6),
        (TERRAFORM, "mysql 8.0", 6),
        (CLOUDFORMATION, "mysql 8.0", 8),
    ],
    ids=["json", "a list", "yaml", "terraform", "cloudformation"],
)
def test_values_with_their_lines(tmp_path, text, server, line):
    path = tmp_path / "x"
    path.write_text(text, encoding="utf-8")
    (member,) = read_path(str(path)).members
    assert member.server == server
    assert member.variables["sync_binlog"].value == "0"
    assert member.variables["sync_binlog"].source == f"{path}:{line}"
    assert "port" not in member.variables


@pytest.mark.parametrize(
    "text", [YAML.replace("MYSQL_8_4", "POSTGRES_15"), TERRAFORM.replace("MYSQL_8_0", "POSTGRES_15")]
)
def test_other_databases_have_no_settings_here(tmp_path, text):
    path = tmp_path / "x"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="no server settings"):
        read_path(str(path))
