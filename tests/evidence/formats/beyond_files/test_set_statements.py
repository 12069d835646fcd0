"""Scripts of SET statements say what a running server would hold."""

from __future__ import annotations

import pytest

from advisor.evidence import read_path


def member_of(folder, text):
    path = folder / "set.sql"
    path.write_text(text, encoding="utf-8")
    cluster = read_path(str(path))
    return cluster.members[0], cluster.problems


def values(folder, text):
    member, _ = member_of(folder, text)
    return {name: (fact.value, int(fact.source.rpartition(":")[2])) for name, fact in member.variables.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SET GLOBAL sync_binlog = 0;", {"sync_binlog": ("0", 1)}),
        (
            "-- tuning\nset persist `max_connections`=5, sync_binlog=1",
            {"max_connections": ("5", 2), "sync_binlog": ("1", 2)},
        ),
        ("SET @@GLOBAL.sql_mode = '';\nSET @@persist.port:=1;", {"sql_mode": ("", 1), "port": ("1", 2)}),
        ("SET GLOBAL a_b = 8 * 1024*1024;", {"a_b": ("8388608", 1)}),
        ("SET GLOBAL port = 1; SET SESSION port = 2, sync_binlog = 3;", {"port": ("1", 1)}),
        ("SET GLOBAL port = 1;\nSET GLOBAL port = 2;", {"port": ("2", 2)}),
        ("SET GLOBAL port = 1; SET GLOBAL port = DEFAULT;", {}),
        (
            "SET GLOBAL init_connect = 'SET x=1; -- ''y''', port = 7;",
            {"init_connect": ("SET x=1; -- 'y'", 1), "port": ("7", 1)},
        ),
        ("/* a; */ SET GLOBAL port = 3; # b\n", {"port": ("3", 1)}),
    ],
)
def test_values_with_their_lines(tmp_path, text, expected):
    assert values(tmp_path, text) == expected


def test_what_the_server_computes_is_unknown(tmp_path):
    member, problems = member_of(tmp_path, "SET GLOBAL port = 1;\nSET GLOBAL port = @@report_port + 1;")
    assert "port" not in member.variables
    assert any("set.sql:2: port is set to what the server computes" in problem for problem in problems)


def test_only_mysql_persists(tmp_path):
    assert member_of(tmp_path, "SET PERSIST port = 1;")[0].server == "mysql 8.0 or later"
    assert member_of(tmp_path, "SET GLOBAL port = 1;")[0].server == ""
