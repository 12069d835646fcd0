"""Whatever a deployment file has become on its way, reading it ends in settings or in one sentence."""

from __future__ import annotations

import random

import pytest

from advisor.errors import InputError
from advisor.evidence import read_path
from advisor.evidence.formats.deployment import terraform
from tests.calls import calls_of

COMPOSE = """x-db: &db
  image: mysql:8.0.36
services:
  db:
    <<: *db
    command: --server-id=1 --init-connect='SET x=1'
      --log-bin=$NAME
    volumes: [./my.cnf:/etc/my.cnf]
"""
MAP = """apiVersion: v1
kind: ConfigMap
data:
  my.cnf: |
    [mysqld]
    sync_binlog = 0  # "note"
    !include x
"""
GROUP = """resource "aws_db_parameter_group" "a" {
  family = "mysql8.0" /* c */
  parameter {
    name = "a" # c
    value = "${var.x}{y}"
  }
  t = <<-E
    x
    E
}
"""
UNIT = """[Service]
Environment="MYSQLD_OPTS=--port=1" 'A=b'
ExecStart=/usr/sbin/mysqld $MYSQLD_OPTS \\
  --log-bin
"""
STATEMENTS = "SET GLOBAL port = 1, @@persist.sync_binlog = 2*3; -- x\nSET PERSIST sql_mode = 'a,''b';\n"
PROCESSES = "UID PID CMD\nmysql 12 /usr/sbin/mysqld --port=1 --init-connect=SET x=1\n"
RESOURCE = """apiVersion: pxc.percona.com/v1
kind: PerconaXtraDBCluster
spec:
  pxc:
    image: percona/percona-xtradb-cluster:8.0.36
    resources: {limits: {memory: 4Gi}}
    configuration: |
      [mysqld]
      port={{ containerMemoryLimit / 4 }}
"""
TEXTS = {"unit": UNIT, "statements": STATEMENTS, "processes": PROCESSES, "resource": RESOURCE}
SIGNS = "{}[]()\"'\\\n\t :#&*|>-$=!<é\x00\x1b"


OPENED = ['"${', "<<a\n", "/*", "{", "[", '"', 'parameter {\n name = "a"\n', "<<-a\n  ", GROUP[:40] + "\n"]


@pytest.mark.parametrize("opened", OPENED)
def test_what_is_opened_and_never_closed_takes_no_longer_with_every_line(tmp_path, opened):
    def calls(count):
        text = 'resource "aws_db_parameter_group" "a" {\n family = "mysql8.0"\n' + opened * count
        return calls_of(lambda: list(terraform.servers(text, "main.tf")))

    calls(10)
    assert calls(2000) < 12 * calls(200)


@pytest.mark.parametrize("text", [COMPOSE, MAP, GROUP, *TEXTS.values()], ids=["compose", "map", "group", *TEXTS])
def test_a_damaged_file_is_read_or_refused(tmp_path, text):
    chance = random.Random(20261123)
    file = tmp_path / "f"
    read = 0
    for _ in range(400):
        damaged = text
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(damaged))
            damaged = damaged[:at] + chance.choice(["", chance.choice(SIGNS), damaged[at:][:40]]) + damaged[at + 1 :]
        file.write_text(damaged, encoding="utf-8")
        file.chmod(0o644)
        try:
            read_path(str(file))
        except InputError:
            continue
        read += 1
    assert 0 < read < 400
