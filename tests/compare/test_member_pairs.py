"""Members stand against members of the same name, else of the same role."""

from __future__ import annotations

from advisor.compare.member_pairs import pair_members
from advisor.model.evidence import Member
from advisor.model.server import Role


def members(*names: str, writer: str = "") -> list[Member]:
    roles = {name: Role.SOURCE if name == writer else Role.REPLICA for name in names} if writer else {}
    return [Member(name, role=roles.get(name)) for name in names]


def test_single_servers_stand_against_each_other_whatever_they_are_called() -> None:
    assert pair_members(members("a"), members("b")).counterparts == (0,)


def test_members_of_the_same_name_stand_against_each_other() -> None:
    found = pair_members(members("db1", "db2", writer="db1"), members("db2", "db1", writer="db2"))
    assert (found.counterparts, found.unmatched) == ((1, 0), ())


def test_without_common_names_writers_stand_against_writers() -> None:
    found = pair_members(members("a", "b", "c", writer="a"), members("x", "y", "z", writer="z"))
    assert found.counterparts == (2, 0, 1)


def test_where_no_role_is_known_the_first_member_is_the_writer() -> None:
    assert pair_members(members("a", "b"), members("x", "y", writer="y")).counterparts == (1, 0)


def test_a_single_server_stands_against_the_writer_and_the_others_are_left() -> None:
    found = pair_members(members("a"), members("x", "y", "z", writer="y"))
    assert (found.counterparts, found.unmatched) == ((1,), ("x", "z"))


def test_a_member_without_a_counterpart_has_none() -> None:
    assert pair_members(members("a", "b", writer="b"), members("x")).counterparts == (None, 0)
