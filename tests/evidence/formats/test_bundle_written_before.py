"""Bundles that `advisor collect` 0.1.0 wrote before its modules were renamed say today what they said then.

The archives in written_before/ were packed by the code of commit 576add0 from the recording in tests/collect.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.check import check, load_rules
from advisor.evidence import read_path
from advisor.model.server import Role
from advisor.why import diagnose
from tests.collect.recordings import REPLICA, VARIABLES

WRITTEN = Path(__file__).parent / "written_before"


def test_everything_in_the_bundle_is_read() -> None:
    cluster = read_path(str(WRITTEN / "bundle.tar.gz"))
    (member,) = cluster.members
    assert (member.name, member.role, member.server) == ("orders-db1", Role.REPLICA, "mysql 9.7.4-2")
    assert {name: fact.value for name, fact in member.variables.items()}.items() >= {
        ("binlog_format", "ROW"), ("sync_binlog", "1"), ("datadir", VARIABLES["datadir"]),
    }  # fmt: skip
    assert [sample.at_seconds for sample in member.samples] == [0.1, 1.1, 2.1, 3.1]
    assert [sample.values["Questions"] for sample in member.samples] == [1000, 1050, 1100, 1150]
    status = [table for table in member.tables if table.table == "replica_status"]
    assert [table.at_seconds for table in status] == [0.2, 1.2, 2.2, 3.2]
    assert status[0].rows[0]["Last_SQL_Error"] == REPLICA["Last_SQL_Error"]
    assert "TRANSACTIONS" in member.innodb_status
    assert (member.host["cpus"].value, member.host["memory_bytes"].value) == (4, 8 << 30)
    assert member.options is not None
    assert [argument.value for argument in member.options.arguments if argument.name == "sync_binlog"] == ["1"]
    assert cluster.problems == (
        "orders-db1: replica_status – needs REPLICATION CLIENT – GRANT … TO 'watch'@'10.9.8.7'",
    )


def test_a_redacted_bundle_is_read_and_names_nobody() -> None:
    (member,) = read_path(str(WRITTEN / "bundle-redacted.tar.gz")).members
    assert [sample.values["Questions"] for sample in member.samples] == [1000, 1050, 1100, 1150]
    shown = repr(member)
    assert [name for name in ("shopkeeper", "copyist", "orders-db0", "customers", "Miller") if name in shown] == []


@pytest.mark.parametrize("name", ["bundle.tar.gz", "bundle-redacted.tar.gz"])
def test_it_is_checked_and_diagnosed(name: str) -> None:
    cluster = read_path(str(WRITTEN / name))
    assert check(cluster, load_rules()).findings
    assert diagnose(cluster) is not None
