"""A move rehearsed on two real servers of different families: both start, and replication is tried."""

from __future__ import annotations

from pathlib import Path

from advisor.catalog import parse_release
from advisor.lab import state
from advisor.model.server import Family
from advisor.rehearsal import RehearsalPlan, rehearse
from tests.move.moved import move_text, only_member
from tests.servers.conftest import server_for


def test_both_start_and_replication_is_tried(tmp_path: Path) -> None:
    old, new = server_for("standalone", Family.MARIADB).name, server_for("standalone", Family.MYSQL).name
    text = "log_bin = binlog\nserver_id = 3\ninnodb_log_file_size = 64M\nport = 3399\ninnodb_buffer_pool_size = 900G\n"
    member = only_member(move_text(tmp_path, text, old, new))
    before = state.names()
    plan = RehearsalPlan(seconds=1.0, pairs=0)
    done = rehearse(member, parse_release(old)[0], parse_release(new)[0], plan, lambda line: None)
    assert (done.old, done.new, done.started, done.refusal) == (old, new, True, "")
    assert {each.text for each in done.left_out} >= {"port = 3399", "innodb_buffer_pool_size = 900G"}
    shown = {name: (before, after) for name, before, after in done.variables}
    assert shown["innodb_io_capacity"] == ("200", "10000")
    assert done.replication is not None
    assert done.replication.tried
    assert not done.replication.alike, "MySQL does not replicate from MariaDB"
    assert done.replication.why
    assert state.names() == before, "nothing is left running"
