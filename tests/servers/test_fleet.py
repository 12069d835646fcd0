"""A fleet of real servers is read side by side; dead names among them cost nobody else anything."""

from __future__ import annotations

import time
from pathlib import Path

from advisor.cli.check.fleet import FleetRequest, judge_fleet
from advisor.cli.check.run import CheckRequest
from advisor.fleet.live_servers import LiveLimits
from advisor.model.server import Family


def test_members_of_a_running_cluster_and_a_dead_one_are_one_report(up, tmp_path):
    lab = up("async", Family.MYSQL, 2)
    inventory = tmp_path / "fleet.yaml"
    members = [f"mysql://{lab.user}@{member.host}:{member.port}" for member in lab.members]
    dead = ["mysql://nobody@127.0.0.1:1", "mysql://nobody@no-such-host.invalid"]
    inventory.write_text(
        f"clusters:\n  live: {members}\n  half: {[members[0].replace('127.0.0.1', 'localhost'), *dead]}\n"
    )
    request = FleetRequest(
        CheckRequest(()), inventory=inventory, limits=LiveLimits(3, 10.0), password_file=Path(lab.password_file)
    )
    began = time.monotonic()
    report = judge_fleet(request)
    assert time.monotonic() - began < 15
    by_name = {cluster.name: cluster for cluster in report.clusters}
    assert [server.failure for server in by_name["live"].servers] == ["", ""]
    assert by_name["live"].servers[0].release.startswith("mysql ")
    assert by_name["half"].unreadable == 2
    assert sum(len(server.findings) for server in by_name["half"].servers) > 0
