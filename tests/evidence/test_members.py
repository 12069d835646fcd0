"""Several paths as the members of one cluster."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.evidence import read_members
from advisor.evidence.source.member_names import member_names
from advisor.model.server import Role, Topology

SAMPLES = Path(__file__).parent / "samples"
GROUP = "[mysqld]\ngroup_replication_group_name = aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa\nserver_id = {}\n"


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (("conf/db1.cnf", "conf/db2.cnf"), ("db1", "db2")),
        (("db1/my.cnf", "db2/my.cnf"), ("db1", "db2")),
        (("db1/etc/my.cnf", "db2/etc/my.cnf"), ("db1", "db2")),
        (("db1", "db2/", "conf/db3.cnf"), ("db1", "db2", "db3")),
        (("a/x.cnf", "b/x.cnf", "b/y.cnf"), ("a/x", "b/x", "b/y")),
        (("one.tar.gz", "db1/variables.txt"), ("one", "variables")),
    ],
)
def test_members_are_named_by_what_tells_their_paths_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, paths: tuple[str, ...], names: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    for path in paths:
        if "." in Path(path).name:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).touch()
        else:
            Path(path).mkdir()
    assert member_names(paths) == names


def test_option_files_of_a_group_are_one_cluster(tmp_path: Path) -> None:
    paths = [tmp_path / f"db{number}.cnf" for number in (1, 2, 3)]
    for number, path in enumerate(paths, 1):
        path.write_text(GROUP.format(number))
    cluster = read_members(list(map(str, paths)))
    assert [member.name for member in cluster.members] == ["db1", "db2", "db3"]
    assert cluster.topology is Topology.GROUP_REPLICATION


def test_roles_follow_from_all_members_whatever_shape_each_has(tmp_path: Path) -> None:
    (tmp_path / "source.cnf").write_text("[mysqld]\nserver_id = 1\nlog_bin = binlog\ngtid_mode = ON\n")
    replica = tmp_path / "replica"
    replica.mkdir()
    (replica / "my.cnf").write_text("[mysqld]\nserver_id = 2\n")
    (replica / "replica.txt").write_text(
        "*************************** 1. row ***************************\n"
        "           Replica_IO_State: Waiting for source to send event\n"
        "                Source_Host: db1\n"
        "           Source_Server_Id: 1\n"
    )
    cluster = read_members([str(tmp_path / "source.cnf"), f"{replica}/"])
    assert cluster.topology is Topology.ASYNC_MYSQL
    assert {member.name: member.role for member in cluster.members} == {"source": Role.SOURCE, "replica": Role.REPLICA}


def test_what_is_no_member_is_refused_with_a_word(tmp_path: Path) -> None:
    one, two = tmp_path / "one.cnf", tmp_path / "two"
    one.write_text("[mysqld]\n")
    two.mkdir()
    for name in ("a.cnf", "b.cnf"):
        (two / name).write_text("[mysqld]\n")
    shutil.copytree(SAMPLES / "bundle", tmp_path / "bundle")
    for other, says in (
        (two, "contains 2 servers, but --members needs one server per path"),
        (tmp_path / "bundle", "servers, but --members needs one server per path"),
        (one, "is given twice"),
        (tmp_path / "absent", "there is no such file or folder"),
    ):
        with pytest.raises(InputError, match=says):
            read_members([str(one), str(other)])
    with pytest.raises(InputError, match="--members needs at least two paths"):
        read_members([str(one)])


def test_two_dumps_of_one_server_are_one_member(tmp_path: Path) -> None:
    for name in ("v1.txt", "v2.txt"):
        (tmp_path / name).write_text("Variable_name\tValue\nhostname\tdb1\nport\t3306\nserver_uuid\tx\n")
    with pytest.raises(InputError, match="one member is given twice"):
        read_members([str(tmp_path / "v1.txt"), str(tmp_path / "v2.txt")])


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ("wsrep_on=ON\nwsrep_provider=/x.so\nwsrep_cluster_address=gcomm://a,b\n", "two in a Galera cluster"),
        ("slave_parallel_mode=optimistic\n", "two is MariaDB, which has no group replication"),
        (
            "innodb_log_write_ahead_size=4096\naria_pagecache_buffer_size=1M\n",
            "two is MariaDB, which has no group replication",
        ),
    ],
)
def test_servers_that_cannot_be_one_cluster_are_refused(tmp_path: Path, other: str, says: str) -> None:
    (tmp_path / "one.cnf").write_text(GROUP.format(1))
    (tmp_path / "two.cnf").write_text(f"[mysqld]\n{other}")
    with pytest.raises(InputError, match=f"one is in a replication group,? and {says}"):
        read_members([str(tmp_path / "one.cnf"), str(tmp_path / "two.cnf")])
