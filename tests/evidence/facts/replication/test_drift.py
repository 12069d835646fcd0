"""Facts about members that differ: what counts as the same, what is unknown, and which AUTO_INCREMENT series meet."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member, TableSnapshot
from advisor.model.server import Role, Topology
from advisor.options import read_text, resolve


def cluster(
    *servers: tuple[str, str], topology: Topology = Topology.ASYNC_MYSQL, rings: Sequence[int] = (), **running: str
) -> MemberFacts:
    """The first of several members; `rings`: for each member the server_id of its source."""
    views = []
    for place, (server, lines) in enumerate(servers):
        options = read_text(f"[mysqld]\n{lines}\n", f"m{place}.cnf")
        release = parse_release(server)[0]
        status = {"Source_Server_Id": rings[place]} if rings else None
        tables = (TableSnapshot("replica_status", (status,)),) if status else ()
        variables = {name: Fact(name, value) for name, value in running.items()} if place == 0 else {}
        member = Member(f"m{place}", role=Role.NODE, options=options, tables=tables, variables=variables)
        views.append(MemberFacts(member, release, resolve(options, release), topology))
    for view in views:
        view.peers = views
    return views[0]


def names(view: MemberFacts, fact: str) -> list[str]:
    return [item["name"] for item in view.value(f"fact.{fact}")]


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        ("sql_mode = ANSI_QUOTES,STRICT_ALL_TABLES", "sql_mode = STRICT_ALL_TABLES,ANSI_QUOTES", []),
        ("sql_mode = ''", "sql_mode = ANSI_QUOTES", ["sql_mode"]),
        ("character_set_server = utf8", "character_set_server = utf8mb3", []),
        ("character_set_server = utf8", "character_set_server = utf8mb4", ["character_set_server"]),
        ("default_time_zone = '+00:00'", "", ["time_zone"]),
        ("default_time_zone = SYSTEM", "", []),
        ("transaction_isolation = read-committed", "transaction_isolation = READ-COMMITTED", []),
    ],
)
def test_values_that_mean_the_same_are_no_difference(first: str, second: str, differ: list[str]) -> None:
    view = cluster(("mysql 8.0.36", first), ("mysql 8.0.36", second))
    assert names(view, "sql_differences") == differ


def test_a_difference_is_told_member_by_member_at_the_line_that_differs() -> None:
    view = cluster(("mysql 8.0.36", "max_connections=500"), ("mysql 8.0.36", "port=1\nmax_connections=200"))
    (item,) = view.value("fact.size_differences")
    assert (item["name"], item["values"], item["source"]) == ("max_connections", "m0 500, m1 200", "m1.cnf:3")


def test_what_one_member_does_not_have_is_not_compared() -> None:
    view = cluster(("mysql 5.7.44", "log_bin=x"), ("mysql 8.0.36", "binlog_row_metadata = FULL"))
    assert names(view, "binlog_differences") == []


def test_a_missing_value_matters_only_where_no_difference_is_known() -> None:
    strange = ("mysql 27.1.0", "max_connections = 500")
    assert names(cluster(strange, ("mysql 8.0.36", "max_connections = 200")), "size_differences") == ["max_connections"]
    alike = cluster(strange, ("mysql 8.0.36", "max_connections = 500")).value("fact.size_differences")
    assert isinstance(alike, Missing)
    assert "innodb_buffer_pool_size" in alike.needs


def test_one_member_alone_has_nobody_to_differ_from() -> None:
    view = cluster(("mysql 8.0.36", "max_connections = 500"))
    for fact in ("size_differences", "sql_differences", "binlog_differences", "disagreements", "shared_server_ids"):
        missing = view.value(f"fact.{fact}")
        assert isinstance(missing, Missing)
        assert not missing.needs


def test_server_id_0_is_none_and_shared_by_nobody() -> None:
    view = cluster(("mysql 5.7.44", "server_id = 0"), ("mysql 5.7.44", ""), ("mysql 5.7.44", "server_id = 7"))
    assert view.value("fact.shared_server_ids") == []


@pytest.mark.parametrize(
    ("servers", "differ"),
    [
        (("mysql 8.0.36", "mysql 8.0.36"), False),
        (("mysql 8.0.36", "mysql 8.0.37"), True),
        (("mysql 8.0", "mysql 8.4"), True),
        (("mysql 8.4", "mysql 8.4.3"), Missing(("version",))),
    ],
)
def test_releases_differ_where_that_is_certain(servers: tuple[str, str], differ: object) -> None:
    assert cluster(*((server, "") for server in servers)).value("fact.versions_differ") == differ


def writer(number: int, first: int, step: int) -> tuple[str, str]:
    lines = f"server_id={number}\nauto_increment_offset={first}\nauto_increment_increment={step}"
    return ("mysql 8.0.36", lines)


@given(st.tuples(*[st.integers(1, 12)] * 4))
def test_series_collide_exactly_when_they_share_a_value(numbers: tuple[int, int, int, int]) -> None:
    first, step, other, width = numbers
    view = cluster(writer(1, first, step), writer(2, other, width), rings=(2, 1))
    start, begin = (first if first <= step else 1), (other if other <= width else 1)
    values = set(range(start, 400, step)) & set(range(begin, 400, width))
    assert bool(view.value("fact.auto_increment_collisions")) == bool(values)


def test_a_ring_of_three_is_a_ring_and_a_chain_is_none() -> None:
    three = [writer(1, 1, 3), writer(2, 2, 3), writer(3, 2, 3)]
    told = cluster(*three, rings=(3, 1, 2)).value("fact.auto_increment_collisions")
    assert told == "m1 and m2 (from 2 in steps of 3, from 2 in steps of 3)"
    assert cluster(*three, rings=(9, 1, 2)).value("fact.auto_increment_collisions") == ""


def test_a_running_time_zone_counts_before_the_file() -> None:
    view = cluster(("mysql 8.0.36", "default_time_zone = '+01:00'"), time_zone="SYSTEM", system_time_zone="CET")
    assert view.value("fact.session_time_zone") == "CET"
