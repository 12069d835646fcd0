"""Option files that stand inside YAML are read as if they were files, with the lines of the YAML."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.errors import InputError
from advisor.evidence import read_path
from advisor.evidence.formats.places import SeveralServersError
from advisor.model.rules import Verdict
from advisor.model.server import Role

RULES = load_rules()
HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: db\ndata:\n"


def member_of(folder, text, part=""):
    file = folder / "map.yaml"
    file.write_text(text, encoding="utf-8")
    (member,) = read_path(str(file) + part).members
    return member


def options(folder, text, part=""):
    return [(a.name, a.value, a.line) for a in member_of(folder, text, part).options.arguments]


TEXTS = {
    "a block": ("  my.cnf: |\n    [mysqld]\n    sync_binlog = 0\n", 8),
    "a block with empty lines": ("  my.cnf: |+\n\n    # note\n    [mysqld]\n\n    sync_binlog = 0\n\n", 11),
    "a block with its indentation given": ("  my.cnf: |2-\n     [mysqld]\n     sync_binlog = 0\n", 8),
    "a text in quotes": ('  my.cnf: "[mysqld]\\nsync_binlog = 0\\n"\n', 6),
    "behind other keys": ("  readme: text\n  my.cnf: |\n    [mysqld]\n    sync_binlog = 0\n  z: |\n    [client]\n", 9),
}


@pytest.mark.parametrize(("text", "line"), TEXTS.values(), ids=TEXTS)
def test_the_lines_are_those_of_the_yaml(tmp_path, text, line):
    assert options(tmp_path, HEAD + text) == [("sync_binlog", "0", line)]


def test_the_finding_names_the_line_of_the_yaml(tmp_path):
    file = tmp_path / "map.yaml"
    file.write_text(f"{HEAD}  my.cnf: |\n    [mysqld]\n    sync_binlgo = 0\n", encoding="utf-8")
    findings = check(read_path(str(file)), RULES).findings
    (finding,) = (f for f in findings if f.rule.id == "option-unknown" and f.verdict is Verdict.FINDING)
    assert (finding.file, finding.line) == (str(file), 8)


def test_several_option_files_are_several_servers(tmp_path):
    text = f"{HEAD}  primary.cnf: |\n    [mysqld]\n    log-bin\n  replica.cnf: |\n    [mysqld]\n    super-read-only\n"
    with pytest.raises(SeveralServersError) as several:
        member_of(tmp_path, text)
    assert [part.rpartition("#")[2] for part in several.value.parts] == ["db.primary.cnf", "db.replica.cnf"]
    assert options(tmp_path, text, "#db.replica.cnf") == [("super-read-only", None, 11)]


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("kind: MariaDB\nspec:\n  myCnf: |\n    [mariadb]\n    port=1\n", "mariadb"),
        ("primary:\n  configuration: |-\n    [mysqld]\n    port=1\n", ""),
    ],
)
def test_resources_of_operators_and_values_of_charts(tmp_path, text, server):
    member = member_of(tmp_path, text)
    assert [a.value for a in member.options.arguments] == ["1"]
    assert member.server.startswith(server)


def test_what_stands_once_with_two_names_is_read_once(tmp_path):
    text = f"{HEAD}  a.cnf: &a |\n    [mysqld]\n    port=1\n  b.cnf: *a\n"
    assert options(tmp_path, text) == [("port", "1", 8)]


@pytest.mark.parametrize("value", ["${SERVER_ID}", "$(SERVER_ID)", "10{{ ORDINAL }}"])
def test_a_value_that_is_filled_in_elsewhere_is_unknown(tmp_path, value):
    file = tmp_path / "map.yaml"
    file.write_text(f"{HEAD}  my.cnf: |\n    [mysqld]\n    server_id = {value}\n", encoding="utf-8")
    judgement = check(read_path(str(file)), RULES)
    assert set(judgement.would_start.values()) == {None}
    assert not [f for f in judgement.findings if f.rule.id == "value-refused"]


def test_an_include_is_not_looked_for_on_this_machine(tmp_path):
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d/a.cnf").write_text("[mysqld]\nport=1\n", encoding="utf-8")
    member = member_of(tmp_path, f"{HEAD}  my.cnf: |\n    !includedir {tmp_path}/conf.d\n    [mysqld]\n    port=2\n")
    assert [a.value for a in member.options.arguments] == ["2"]
    assert member.options.problems[0].line == 7


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "  my.cnf: |\n    [client]\n    port=1\n",
        "mysql:\n  sync_binlog: 0\n",
        "---\n- a\n- b\n",
        "apiVersion: v1\nkind: Service\n",
    ],
    ids=["clients", "no option file", "a list", "another resource"],
)
def test_what_holds_no_server_says_so(tmp_path, text):
    with pytest.raises(InputError, match="no server settings"):
        member_of(tmp_path, text)


@pytest.mark.parametrize("text", ["{{- if .x }}\na: {{ .y }}\n", "a: {{ .y | quote }}\n{{- end }}\n"])
def test_a_template_is_named_as_one(tmp_path, text):
    with pytest.raises(InputError) as refused:
        member_of(tmp_path, text)
    assert "template" in refused.value.hint


@pytest.mark.parametrize("text", ["a: 1\n[mysqld]\nport=1\n", "# x: y\n[mysqld]\nport=1\n", "[mysqld]\nport: 1\n"])
def test_an_option_file_is_not_taken_for_yaml(tmp_path, text):
    assert member_of(tmp_path, text).options.kept_in == ""


@pytest.mark.parametrize(
    ("head", "server"),
    [
        ("image: mysql\nimageTag: 5.7.30\n", "mysql 5.7.30"),
        ("image:\n  repository: bitnami/mariadb\n  tag: 11.4.2-debian-12\n", "mariadb 11.4.2"),
        ("image: mysql\n", "mysql unknown"),
        ("image: mysql:latest\n", "mysql latest"),
        ("image: busybox\n", ""),
        ("", ""),
    ],
)
def test_the_values_of_a_chart_name_the_image(tmp_path, head, server):
    assert member_of(tmp_path, f"{head}configuration: |\n  [mysqld]\n  port=1\n").server == server


def of_key(folder, key, lines):
    file = folder / "map.yaml"
    text = "".join(f"    {line}\n" for line in ["[mysqld]", *lines])
    file.write_text(f"kind: ConfigMap\nmetadata:\n  name: db\ndata:\n  {key}: |\n{text}", encoding="utf-8")
    return read_path(str(file))


@pytest.mark.parametrize("key", ["slave.cnf", "mysql-replica.cnf", "replica1.conf"])
def test_a_key_may_name_a_replica_and_the_report_says_so(tmp_path, key):
    cluster = of_key(tmp_path, key, ["read_only"])
    assert cluster.members[0].role is Role.REPLICA
    assert any(f"{key} counts as the file of a replica" in problem for problem in cluster.problems)


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("master.cnf", "read_only"),
        ("my-replication.cnf", "read_only"),
        ("replica.cnf", "loose-group-replication-group-name = aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"),
        ("slave.cnf", "wsrep_on = ON"),
    ],
)
def test_other_keys_and_members_of_clusters_are_no_replicas_by_name(tmp_path, key, line):
    assert of_key(tmp_path, key, [line]).members[0].role is not Role.REPLICA


def test_a_file_that_all_replicas_mount_cannot_have_their_server_id(tmp_path):
    cluster = of_key(tmp_path, "replica.cnf", ["super-read-only"])
    rules = [rule for rule in RULES if rule.id == "replica-server-id-left-at-default"]
    assert not check(cluster, rules, parse_release("mysql-8.4.3")).findings
