"""cluster.yaml: what is written is read again, and what is wrong is said with file and key."""

from __future__ import annotations

import pytest

from advisor.cluster_file import addresses, read_cluster, read_password, write_cluster
from advisor.errors import InputError
from advisor.model.lab import Address, ClusterFile, ClusterMember
from advisor.model.server import Role, Topology

GOOD = """format: 1
name: shop
topology: semisync
server: mysql-8.4.3
user: checker
password_file: client.cnf
members:
  - {name: a, role: source, host: db1, port: 3306}
  - {name: b, role: replica, host: db2, port: 3307, socket: run/b.sock}
"""


def test_what_is_written_is_read_again(tmp_path):
    members = (
        ClusterMember("m1", Role.PRIMARY, "127.0.0.1", 21000, "/x/s.sock", "/x/my.cnf", "/x/e.log", ("env", 'a "b"')),
        ClusterMember("m2", Role.SECONDARY, "127.0.0.1", 21004),
    )
    cluster = ClusterFile(
        path=str(tmp_path / "cluster.yaml"),
        name="it's: a #name",
        topology=Topology.GROUP_REPLICATION,
        server="mysql-9.7.4",
        user="root",
        password_file="/x/client.cnf",
        members=members,
        durability="relaxed",
        made="2026-11-21T20:15:02.481",
    )
    write_cluster(cluster)
    assert read_cluster(cluster.path) == cluster


def test_a_file_written_by_hand_may_leave_out_what_is_not_needed(tmp_path):
    (tmp_path / "c.yaml").write_text(GOOD, encoding="utf-8")
    cluster = read_cluster(tmp_path / "c.yaml")
    assert [(m.name, m.role, m.port, m.start) for m in cluster.members] == [
        ("a", Role.SOURCE, 3306, ()),
        ("b", Role.REPLICA, 3307, ()),
    ]
    assert cluster.password_file == str(tmp_path / "client.cnf")
    assert cluster.members[1].socket == str(tmp_path / "run/b.sock")
    assert cluster.durability == ""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("format: 1", "format: 7", "format '7'"),
        ("topology: semisync", "topology: ring", "topology: 'ring' is not one of"),
        ("role: replica", "role: boss", "role: 'boss' is not one of"),
        ("port: 3307", "port: 99999", "port: '99999' is not a port number"),
        ("port: 3307", "port: x", "port: 'x' is not a port number"),
        ("user: checker", "usr: checker", "has no key 'usr'"),
        ("user: checker\n", "", "user: is required"),
        ("host: db2", "hosts: db2", "has no key 'hosts'"),
        ("socket: run/b.sock", "start: sh", "start: must be a list of words"),
        ("password_file: client.cnf", "password: hunter2", "has no key 'password'"),
    ],
)
def test_what_is_wrong_is_said_with_the_file(tmp_path, old, new, said):
    place = tmp_path / "c.yaml"
    place.write_text(GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_cluster(place)
    assert said in error.value.message
    assert error.value.file == str(place)
    assert "hunter2" not in str(error.value)


@pytest.mark.parametrize("text", ["- a\n- b\n", "format: 1\nname: x\nmembers: []\n", "format: 1\nmembers: 3\n", ""])
def test_another_shape_is_an_input_error(tmp_path, text):
    (tmp_path / "c.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError):
        read_cluster(tmp_path / "c.yaml")


def test_the_password_comes_from_the_client_group_of_the_file_named(tmp_path):
    (tmp_path / "c.yaml").write_text(GOOD, encoding="utf-8")
    text = '[mysqld]\npassword=no\n[client]\nuser = checker\npassword = "s3=cr#t"\n'
    (tmp_path / "client.cnf").write_text(text, encoding="utf-8")
    known = addresses(read_cluster(tmp_path / "c.yaml"))
    assert known["a"] == Address("db1", 3306, "checker", "s3=cr#t")
    assert "s3=cr" not in repr(known)


def test_a_password_that_is_not_there_is_an_input_error(tmp_path):
    (tmp_path / "x.cnf").write_text("[mysqld]\npassword=no\n", encoding="utf-8")
    with pytest.raises(InputError, match="no password"):
        read_password(str(tmp_path / "x.cnf"))
    with pytest.raises(InputError, match="cannot be read"):
        read_password(str(tmp_path / "absent.cnf"))
