"""Where do faults that write keep their rows? In a separate schema, on a member that accepts writes."""

from __future__ import annotations

from typing import Final

from advisor.client import Session
from advisor.lab.fault_injection.target import FaultTarget
from advisor.model.server import Role

_SCHEMA: Final = "advisor_fault"
_WRITERS: Final = (Role.STANDALONE, Role.SOURCE, Role.PRIMARY, Role.NODE)
_MOST_AT_ONCE: Final = 1000  # rows of one statement that fills


def refuse_readers(target: FaultTarget) -> None:
    """LabError for a member that writes would make different from the others."""
    target.refuse_unless(target.member.role in _WRITERS, f"{target.member.name} does not accept writes from clients")


def make_table(session: Session, name: str, rows: int, key: str = "PRIMARY KEY") -> str:
    """A new table of `rows` rows (id INT, counter BIGINT, filler CHAR(100)), id from 1; its full name."""
    table = f"{_SCHEMA}.{name}"
    session.run(
        f"CREATE DATABASE IF NOT EXISTS {_SCHEMA}",
        f"DROP TABLE IF EXISTS {table}",
        f"CREATE TABLE {table} (id INT NOT NULL {key}, counter BIGINT NOT NULL, filler CHAR(100) NOT NULL)"
        " ENGINE=InnoDB",
    )
    for first in range(1, rows + 1, _MOST_AT_ONCE):
        some = range(first, min(first + _MOST_AT_ONCE, rows + 1))
        session.run(f"INSERT INTO {table} VALUES " + ",".join(f"({number},0,'filler')" for number in some))
    return table


def drop_table(target: FaultTarget, name: str) -> None:
    """Remove a fault's table, and the schema when it was the last."""
    if not target.runs:
        return
    with target.session() as session:
        session.run(f"DROP TABLE IF EXISTS {_SCHEMA}.{name}")
        left = session.value("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = %s", _SCHEMA)
        if not left:
            session.run(f"DROP DATABASE IF EXISTS {_SCHEMA}")
