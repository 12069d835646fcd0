"""A server's log that is read as a replica reads it is the log that lies in its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.read import LogReading
from advisor.binlog.read_server import Section, ServerLogReading, section_between, section_from_now
from advisor.binlog.source.server_log import Place, log_files
from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.errors import InputError, ServerError
from advisor.model.record import replace
from advisor.model.server import Family
from tests.servers.conftest import Up
from tests.servers.test_binlog import SETTINGS

BEFORE = """
    CREATE DATABASE shop; CREATE TABLE shop.orders (id INT AUTO_INCREMENT PRIMARY KEY, note VARCHAR(300));
    INSERT INTO shop.orders (note) VALUES ('a'), ('b'); FLUSH BINARY LOGS; BEGIN;
    UPDATE shop.orders SET note = REPEAT('n', 300); DELETE FROM shop.orders WHERE id = 1; COMMIT
"""
AFTER = "INSERT INTO shop.orders (note) VALUES ('c')"


@pytest.mark.parametrize("family", list(Family))
def test_a_servers_log_is_read_like_its_files(up: Up, family: Family) -> None:
    cluster = up("standalone", family, 1, settings=SETTINGS[family])
    member = cluster.members[0]
    address = addresses(cluster)[member.name]
    with connect(address) as session:
        session.run(*map(str.strip, BEFORE.split(";")))
        files = log_files(session)
    wanted = Wanted(keys=True, steps=True)
    folder = Path(str(member.option_file)).parent / "data"
    from_files = LogReading([str(folder / file.file) for file in files], wanted)
    sent = ServerLogReading(address, wanted, section_between(address, 0.0, lambda number: None), check_sums=True)
    assert list(sent.transactions()) == list(from_files.transactions())
    assert (sent.notes, [file.name for file in sent.files]) == ([], [file.file for file in files])

    with connect(address) as session:
        part = section_from_now(address, 1.0, lambda seconds: session.run(AFTER))
        session.run(AFTER)
    (only,) = ServerLogReading(address, wanted, part).transactions()
    assert [(step.table, step.rows) for step in only.steps] == [("shop.orders", 1)]
    with pytest.raises(InputError, match="nothing was logged"):
        section_from_now(address, 0.0)

    with connect(address) as session:
        session.run("CREATE USER nobody@localhost IDENTIFIED BY 'secret-of-nobody'")
    nobody = replace(address, user="nobody", password="secret-of-nobody")
    with pytest.raises(ServerError, match="error") as refused:
        section_between(nobody, 0.0, lambda number: None)
    assert "REPLICATION SLAVE" in refused.value.hint
    absent = Section(Place("binlog.999999", 4), Place("binlog.999999", 400))
    with pytest.raises(ServerError):
        list(ServerLogReading(address, wanted, absent).transactions())
