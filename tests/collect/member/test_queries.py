"""What is asked: reading only, spelt for the release, in an order that facts rely on."""

from __future__ import annotations

import pytest

from advisor.collect.member.missing_privileges import Denials
from advisor.collect.member.process_list import counted, outline
from advisor.collect.member.queries import SESSION, queries_for
from advisor.errors import ServerError
from advisor.model.server import Family, Version

RELEASES: list[tuple[Family, Version]] = [
    (Family.MYSQL, (5, 7, 44)), (Family.MYSQL, (8, 0, 20)), (Family.MYSQL, (8, 0, 40)), (Family.MYSQL, (8, 4, 6)),
    (Family.MYSQL, (9, 7, 4)), (Family.MARIADB, (10, 4, 34)), (Family.MARIADB, (10, 11, 19)),
]  # fmt: skip


@pytest.mark.parametrize(("family", "version"), RELEASES)
def test_every_statement_only_reads(family: Family, version: Version) -> None:
    asked = queries_for(family, version)
    assert all(query.statement.startswith(("SELECT ", "SHOW ")) for query in asked)
    assert all(statement.startswith("SET SESSION ") for statement in SESSION)
    names = [query.table for query in asked]
    assert len(names) == len(set(names))
    assert names[-1] == "file_summary_by_event_name"


def test_each_release_is_asked_in_its_own_words() -> None:
    def words(family: Family, version: Version) -> set[str]:
        return {query.statement for query in queries_for(family, version)}

    assert {"SHOW SLAVE STATUS", "SHOW MASTER STATUS"} <= words(Family.MYSQL, (5, 7, 44))
    assert {"SHOW REPLICA STATUS", "SHOW BINARY LOG STATUS"} <= words(Family.MYSQL, (8, 4, 6))
    assert {"SHOW ALL SLAVES STATUS", "SHOW MASTER STATUS"} <= words(Family.MARIADB, (10, 11, 19))
    grants = {query.grant for query in queries_for(Family.MARIADB, (10, 4, 34))}
    assert "SLAVE MONITOR ON *.*" not in grants, "MariaDB split the privilege in 10.5"


def test_a_privilege_that_is_missing_is_told_once_with_its_grant() -> None:
    denials = Denials()
    denials.add_error("PROCESS ON *.*", "innodb_metrics", ServerError("db1:3306: Access denied", number=1227))
    denials.add("PROCESS ON *.*", "processlist")
    denials.add_error("", "plugins", ServerError("db1:3306: Something else", number=1205))
    one, other = denials.lacks("watch@%")
    assert (one.what, one.command) == ("innodb_metrics, processlist", "GRANT PROCESS ON *.* TO 'watch'@'%'")
    assert (other.what, other.why, other.command) == ("plugins", "Something else", "")


def test_sessions_that_do_the_same_are_counted_together() -> None:
    rows = [
        {"Id": number, "User": "app", "Command": "Sleep", "State": "", "Time": seconds, "Info": None}
        for number, seconds in enumerate([0, 1, 0, 600, 900])
    ]
    found = counted([*rows, {"Id": 9, "User": "app", "Command": "Query", "State": "updating", "Time": 0,
                             "Info": "UPDATE t SET a = 'secret'"}])  # fmt: skip
    assert [(row["count"], row["time"], row["info"]) for row in found] == [(1, 0, "UPDATE …"), (3, 1, ""), (2, 900, "")]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("", ""),
        ("insert into t values (1)", "INSERT …"),
        ("/* app:shop */ (select 1)", "SELECT …"),
        ("select * from information_schema.processlist", "SELECT … processlist information_schema"),
        ("Group replication applier module", "GROUP …"),
    ],
)
def test_of_a_statement_the_verb_is_kept(statement: str, told: str) -> None:
    assert outline(statement) == told
