"""Servers of one file that replicate with each other are told with their server_id; strangers are not."""

from __future__ import annotations

import pytest

from advisor.evidence import read_path

GROUP = "--group-replication-group-name=aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"


def beside(folder, part, **services):
    lines = [f"  {name}:\n    image: {image}\n    command: {command}" for name, (image, command) in services.items()]
    file = folder / "compose.yaml"
    file.write_text("services:\n" + "\n".join(lines), encoding="utf-8")
    (member,) = read_path(f"{file}#{part}").members
    return member.server_ids_beside


def test_members_of_one_group_are_told_with_loose_options_too(tmp_path):
    one = ("mysql:8.0", f"--server-id=1 --loose{GROUP[1:]}")
    two = ("mysql:8.0", f"--server-id=1 {GROUP}")
    assert beside(tmp_path, "a", a=one, b=two) == {"b": "1"}


def test_a_replica_and_the_other_server_are_told(tmp_path):
    servers = {"db": ("mariadb:11.4", "--server-id=1"), "db-replica": ("mariadb:11.4", "--server-id=2")}
    assert beside(tmp_path, "db-replica", **servers) == {"db": "1"}
    assert beside(tmp_path, "db", **servers) == {"db-replica": "2"}


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (("mysql:8.0", "--server-id=1"), ("mysql:8.0", "--server-id=1")),
        (("mysql:8.0", f"--server-id=1 {GROUP}"), ("mysql:8.0", f"--server-id=1 {GROUP}0")),
        (("mysql:8.0", f"--server-id=1 {GROUP}"), ("mysql:8.0", GROUP)),
    ],
    ids=["databases of two applications", "two groups", "without a number"],
)
def test_others_are_not(tmp_path, one, two):
    assert beside(tmp_path, "a", a=one, b=two) == {}


@pytest.mark.parametrize(
    ("image", "command"),
    [("mysql:8.0", "--server-id=1"), ("mariadb:11.4", "--server-id=1 --wsrep-cluster-address=gcomm://a,b")],
    ids=["another family", "a node of Galera"],
)
def test_neither_are_strangers_beside_a_replica(tmp_path, image, command):
    other = ("mariadb:11.4", command)
    assert beside(tmp_path, "a-replica", **{"a-replica": (image, command), "b": other}) == {}
