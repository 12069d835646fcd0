"""A unit of systemd with its drop-ins gives the options that systemd would start the server with."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.errors import InputError
from advisor.evidence import expand, read_path, read_together, read_where_servers_look
from advisor.options import select

# The unit of MariaDB's packages, shortened.
UNIT = """[Unit]
Description=MariaDB 10.11.6 database server
[Service]
Type=notify
User=mysql
ExecStartPre=/bin/sh -c "systemctl unset-environment _WSREP_START_POSITION"
ExecStart=/usr/sbin/mariadbd $MYSQLD_OPTS $_WSREP_NEW_CLUSTER \\
# a comment in the midst
    --sync-binlog=0 --init-connect="SET NAMES utf8"
"""


def options(path):
    (member,) = read_path(str(path)).members
    return [(a.name, a.value, a.file.rpartition("/")[2], a.line) for a in member.options.arguments]


def unit(folder, text=UNIT, **drop_ins):
    path = folder / "mariadb.service"
    path.write_text(text, encoding="utf-8")
    (folder / "mariadb.service.d").mkdir()
    for name, content in drop_ins.items():
        (folder / f"mariadb.service.d/{name}.conf").write_text(content, encoding="utf-8")
    return path


def test_a_unit_alone(tmp_path):
    assert options(unit(tmp_path)) == [
        ("sync-binlog", "0", "mariadb.service", 7),
        ("init-connect", "SET NAMES utf8", "mariadb.service", 7),
    ]
    (member,) = read_path(str(tmp_path / "mariadb.service")).members
    assert member.server == "mariadb unknown"
    assert member.options.kept_in == "a systemd unit"


def test_variables_of_a_drop_in_stand_where_they_are_set(tmp_path):
    path = unit(tmp_path, a='[Service]\nEnvironment="MYSQLD_OPTS=--port=3307 --log-bin"\n')
    assert options(path)[:2] == [("port", "3307", "a.conf", 2), ("log-bin", None, "a.conf", 2)]


def test_an_empty_command_forgets_the_one_before(tmp_path):
    path = unit(tmp_path, b="[Service]\nExecStart=\nExecStart=/usr/sbin/mariadbd --port=1\n")
    assert options(path) == [("port", "1", "b.conf", 3)]


def test_a_drop_in_alone(tmp_path):
    path = tmp_path / "override.conf"
    path.write_text('[Service]\nLimitNOFILE=1\nEnvironment="MYSQLD_OPTS=--port=2"\n', encoding="utf-8")
    assert options(path) == [("port", "2", "override.conf", 3)]


def test_what_systemd_fills_in_is_unknown(tmp_path):
    path = unit(tmp_path, "[Service]\nExecStart=/usr/sbin/mysqld --defaults-group-suffix=@%I --port=%i\n")
    (member,) = read_path(str(path)).members
    assert [(a.name, a.value_unknown) for a in member.options.arguments] == [("port", True)]


def test_files_that_the_unit_names_are_said_to_be_missing(tmp_path):
    path = unit(
        tmp_path, "[Service]\nEnvironmentFile=-/etc/sysconfig/mysql\nExecStart=/usr/sbin/mysqld --defaults-file=/a\n"
    )
    (member,) = read_path(str(path)).members
    assert [(p.line, p.message.partition(":")[0]) for p in member.options.problems] == [
        (3, "--defaults-file=/a"),
        (2, "/etc/sysconfig/mysql"),
    ]


@pytest.mark.parametrize(
    "text", ["[Unit]\nDescription=x\n", "[Service]\nExecStart=/usr/bin/redis --port 1\n", "[Service]\nLimitNOFILE=1\n"]
)
def test_a_unit_of_something_else_says_so(tmp_path, text):
    with pytest.raises(InputError, match="a systemd unit, not an option file; it has no server settings"):
        read_path(str(unit(tmp_path, text)))


def test_below_a_root_the_command_line_wins_over_the_option_file(tmp_path):
    (tmp_path / "etc/systemd/system/mariadb.service.d").mkdir(parents=True)
    (tmp_path / "lib/systemd/system").mkdir(parents=True)
    (tmp_path / "etc/my.cnf").write_text("[mysqld]\nsync_binlog=1\n", encoding="utf-8")
    (tmp_path / "etc/my.cnf").chmod(0o644)
    (tmp_path / "lib/systemd/system/mariadb.service").write_text(UNIT, encoding="utf-8")
    drop_in = tmp_path / "etc/systemd/system/mariadb.service.d/a.conf"
    drop_in.write_text('[Service]\nEnvironment="MYSQLD_OPTS=--port=7"\n', encoding="utf-8")
    (member,) = read_where_servers_look(root=str(tmp_path)).members
    assert [(a.name, a.value) for a in member.options.arguments] == [
        ("sync_binlog", "1"),
        ("port", "7"),
        ("sync-binlog", "0"),
        ("init-connect", "SET NAMES utf8"),
    ]
    assert member.options.kept_in == ""


NODE = """[mysqld]
max_connections = 11
sync_binlog = 1
[mysqld_a]
max_connections = 22
"""


def copy_of_server(root, command):
    """A server's files below `root`, with the unit of a package that starts it by this command."""
    unit = root / "lib/systemd/system/mariadb.service"
    unit.parent.mkdir(parents=True)
    unit.write_text(f"[Service]\nExecStart=/usr/sbin/mariadbd {command}\n", encoding="utf-8")
    (root / "etc/mysql").mkdir(parents=True)
    for name, text in {"my.cnf": "[mysqld]\nserver_id = 5\n", "mysql/node.cnf": NODE}.items():
        (root / "etc" / name).write_text(text, encoding="utf-8")
        (root / "etc" / name).chmod(0o644)
    return unit


FOUND = [
    ("--defaults-file=/etc/mysql/node.cnf", ["--max_connections=11", "--sync_binlog=1"]),
    ("--defaults-extra-file=/etc/mysql/node.cnf", ["--server_id=5", "--max_connections=11", "--sync_binlog=1"]),
    (
        "--defaults-extra-file=/etc/my.cnf --defaults-file=/etc/mysql/node.cnf",
        ["--max_connections=11", "--sync_binlog=1"],
    ),
    (
        "--defaults-group-suffix=_A --defaults-file=/etc/mysql/node.cnf",
        ["--max_connections=11", "--sync_binlog=1", "--max_connections=22"],
    ),
    ("--no-defaults", []),
]


@pytest.mark.parametrize(("command", "expected"), FOUND, ids=[command for command, _ in FOUND])
def test_the_files_that_a_unit_names_are_read_below_its_root(tmp_path, command, expected):
    unit = copy_of_server(tmp_path, f"{command} --port=7")
    (member,) = read_where_servers_look(root=str(tmp_path)).members
    release = parse_release("mariadb-10.11.6")[0]
    assert [argument.text for argument in select(member.options, release)] == [*expected, "--port=7"]
    if "extra-file=/etc/mysql" not in command:  # without a root, files that the server finds by itself are not read
        (alone,) = read_path(str(unit)).members
        assert [argument.text for argument in select(alone.options, release)] == [*expected, "--port=7"]


def test_an_option_file_next_to_a_unit_in_another_folder_is_the_one_that_it_names(tmp_path):
    path = unit(tmp_path, "[Service]\nExecStart=/usr/sbin/mysqld --defaults-file=/srv/db/node.cnf\n")
    (tmp_path / "node.cnf").write_text(NODE, encoding="utf-8")
    (tmp_path / "node.cnf").chmod(0o644)
    assert ("sync_binlog", "1", "node.cnf", 3) in options(path)
    assert [target for target in expand([str(tmp_path)]) if target.endswith(".cnf")] == []


def test_a_unit_and_the_option_file_that_it_names_are_one_server_together(tmp_path):
    path = unit(tmp_path, "[Service]\nExecStart=/usr/sbin/mysqld --defaults-file=/etc/db.cnf --sync-binlog=0\n")
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies/db.cnf").write_text(NODE, encoding="utf-8")
    (member,) = read_together([str(path), str(tmp_path / "copies/db.cnf")]).members
    assert [argument.text for argument in member.options.arguments][-2:] == ["--max_connections=22", "--sync-binlog=0"]
    assert member.options.problems == ()


@pytest.mark.parametrize(
    ("lines", "folder", "counts"),
    [
        ("", "var/lib/mysql", True),
        ("datadir = /srv/data\n", "srv/data", True),
        ("datadir = /srv/data\n", "var/lib/mysql", False),
        ("persisted_globals_load = OFF\n", "var/lib/mysql", False),
    ],
)
def test_persisted_variables_of_a_copy_count_where_the_server_reads_them(tmp_path, lines, folder, counts):
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/my.cnf").write_text(f"[mysqld]\nsync_binlog = 1\n{lines}", encoding="utf-8")
    (tmp_path / "etc/my.cnf").chmod(0o644)
    (tmp_path / folder).mkdir(parents=True)
    persisted = '{"Version": 2, "mysql_dynamic_variables": {"sync_binlog": {"Value": "0"}}}'
    (tmp_path / folder / "mysqld-auto.cnf").write_text(persisted, encoding="utf-8")
    (member,) = read_where_servers_look(root=str(tmp_path)).members
    assert ("sync_binlog" in member.variables) is counts
