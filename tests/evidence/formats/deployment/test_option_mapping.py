"""Options that stand as keys of YAML are read: under the name of a server's group, and as variables of a role."""

from __future__ import annotations

import pytest

from advisor.check import check, load_rules
from advisor.errors import InputError
from advisor.evidence import read_path
from advisor.model.rules import Verdict

ROLE = "---\nmysql_port: '3306'\nmysql_sync_binlog: 0\nmysql_slow_query_time: '2'\nmysql_databases: []\n"


def cluster_of(folder, text):
    path = folder / "main.yml"
    path.write_text(text, encoding="utf-8")
    return read_path(str(path))


@pytest.mark.parametrize(
    "above",
    ["mariadb_custom_cnf", "galera_my_cnf_overrides", "mysql::server::override_options"],
)
def test_a_mapping_under_a_group(tmp_path, above):
    options = "    sync-binlog: 0\n    skip-name-resolve:\n    replicate-do-db: [a, b]\n    x: '{{ y }}'\n"
    (member,) = cluster_of(tmp_path, f"{above}:\n  mysqld:\n{options}").members
    assert [(a.name, a.value, a.line, a.value_unknown) for a in member.options.arguments] == [
        ("sync-binlog", "0", 3, False),
        ("skip-name-resolve", None, 4, False),
        ("replicate-do-db", "a", 5, False),
        ("replicate-do-db", "b", 5, False),
        ("x", "{{ y }}", 6, True),
    ]


def test_variables_of_a_role_are_values(tmp_path):
    cluster = cluster_of(tmp_path, ROLE)
    values = {name: (fact.value, fact.source[-2:]) for name, fact in cluster.members[0].variables.items()}
    assert values == {"port": ("3306", ":2"), "sync_binlog": ("0", ":3"), "long_query_time": ("2", ":4")}
    assert any("its template decides" in problem for problem in cluster.problems)


def test_a_playbook_has_them_under_vars(tmp_path):
    text = (
        "- hosts: db\n  vars:\n    mysql_port: 1\n    mysql_sync_binlog: '{{ sync }}'\n    mysql_max_connections: 9\n"
    )
    cluster = cluster_of(tmp_path, text)
    assert sorted(cluster.members[0].variables) == ["max_connections", "port"]
    assert any("sync_binlog is computed by a template" in problem for problem in cluster.problems)


def test_a_role_never_keeps_a_server_from_starting(tmp_path):
    cluster = cluster_of(tmp_path, "mysql_query_cache_size: 1M\nmysql_port: 1\nmysql_version: '8.0'\n")
    found = [f for f in check(cluster, load_rules()).findings if f.verdict is Verdict.FINDING]
    assert not [f for f in found if f.rule.area == "startup"]


@pytest.mark.parametrize(
    "text", ["mysqld:\n  replicas: 3\n  image: x\n", "mysql_port: 3306\n", "a:\n  mysql_host: b\n"]
)
def test_other_mappings_are_none(tmp_path, text):
    with pytest.raises(InputError, match="no server settings"):
        cluster_of(tmp_path, text)
