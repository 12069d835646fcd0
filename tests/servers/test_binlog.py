"""Binary logs that real servers write are read as these list them, and as mysqlbinlog does where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.binlog.events.format_description import read_format_description
from advisor.binlog.events.types import EventType, name_of
from advisor.binlog.events.walk import HEADER, walk
from advisor.binlog.source.log_file import FIRST_POSITION, open_log
from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.model.lab import ClusterFile, ServerBinary
from advisor.model.server import Family
from tests.servers.conftest import Up, server_for
from tests.servers.listed_events import ListedEvent, mysqlbinlog, show_binlog_events

STATEMENTS = """
    CREATE DATABASE shop; USE shop; CREATE TABLE orders (id INT AUTO_INCREMENT PRIMARY KEY, note VARCHAR(300));
    CREATE TABLE plain (a INT); INSERT INTO orders (note) VALUES ('a'), ('b'); BEGIN;
    UPDATE orders SET note = REPEAT('n', 300); DELETE FROM orders WHERE id = 1; COMMIT; SET @v = 3;
    SET SESSION binlog_format = STATEMENT; INSERT INTO orders (note) VALUES (@v); SET SESSION binlog_format = ROW;
    XA START 'x'; INSERT INTO plain VALUES (1); XA END 'x'; XA PREPARE 'x'; XA COMMIT 'x'; TRUNCATE TABLE plain
"""
OF_FAMILY = {
    Family.MYSQL: "SET SESSION binlog_transaction_compression = ON; INSERT INTO orders (note) SELECT note FROM orders",
    Family.MARIADB: "SET GLOBAL log_bin_compress = 1; INSERT INTO orders (note) SELECT note FROM orders",
}
SETTINGS = {Family.MYSQL: (), Family.MARIADB: (("log_bin", "binlog"), ("binlog_format", "ROW"))}


def read(path: Path) -> list[ListedEvent]:
    """Our own list."""
    events = []
    family = Family.MYSQL
    with open_log(str(path)) as stream:
        for code, at_seconds, server_id, position, size, data, offset in walk(stream, FIRST_POSITION, fail):
            if code == EventType.FORMAT_DESCRIPTION:
                description = read_format_description(data, offset, size)
                family = description.family if description else family
            end = HEADER.unpack_from(data, offset)[4]
            events.append(ListedEvent(name_of(code, family), position, end, server_id, at_seconds))
    return events


def fail(position: int, reason: str) -> None:
    pytest.fail(f"{position}: {reason}")


def lister(binary: ServerBinary) -> list[str]:
    """The program next to the server's client that lists logs; [] where it is not installed."""
    name = "mariadb-binlog" if binary.family is Family.MARIADB else "mysqlbinlog"
    path = Path(binary.client[-1]).with_name(name) if binary.client else Path(name)
    return [*binary.client[:-1], str(path)] if path.exists() else []


@pytest.mark.parametrize("family", list(Family))
def test_a_log_is_read_event_by_event_as_the_server_lists_it(up: Up, family: Family) -> None:
    cluster: ClusterFile = up("standalone", family, 1, settings=SETTINGS[family])
    member = cluster.members[0]
    with connect(addresses(cluster)[member.name]) as session:
        session.run(*filter(None, map(str.strip, f"{STATEMENTS};{OF_FAMILY[family]};FLUSH BINARY LOGS".split(";"))))
        name = str(session.rows("SHOW BINARY LOGS")[0]["Log_name"])
        listed = [event for event in show_binlog_events(session, name) if event.position != event.end]
    path = Path(str(member.option_file)).parent / "data" / name
    ours = read(path)
    assert [event[:4] for event in ours] == [event[:4] for event in listed]
    assert len(ours) > 30
    if command := lister(server_for("standalone", family)):
        timed = list(mysqlbinlog(command, path))
        assert len(timed) > 30
        assert {event[1:] for event in timed} <= {event[1:] for event in ours}
