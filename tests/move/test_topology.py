"""What another topology asks of a server, which of its options mean nothing there, and where it cannot run."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.catalog import all_releases, load, parse_release
from advisor.conditions import names
from advisor.evidence import read_path
from advisor.model.move import Move
from advisor.model.server import Family, Topology
from advisor.move import plan_move
from advisor.move.topology import load_topologies
from advisor.report.move import document, markdown, text
from advisor.report.words.layout import Page

CLAIMS = load_topologies()


def moved(folder: Path, lines: str, release: str, topology: Topology) -> Move:
    file = folder / "my.cnf"
    file.write_text(f"[mysqld]\n{lines}", encoding="utf-8")
    return plan_move(read_path(str(file)), parse_release(release), None, to_topology=topology)


def test_every_topology_of_several_servers_has_its_claim() -> None:
    assert set(CLAIMS) == set(Topology) - {Topology.STANDALONE}
    assert all(link.startswith("https://") for claim in CLAIMS.values() for link in claim.see)


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=lambda claim: str(claim.topology))
def test_claims_name_what_a_release_has(claim: object) -> None:
    asked = {name for each in claim.asked for name in each.settings}  # type: ignore[attr-defined]
    read = {name for each in claim.asked if each.tree for name in names(each.tree)}  # type: ignore[attr-defined]
    idle = {name for each in claim.idle for name in each.options}  # type: ignore[attr-defined]
    known = {name for release in all_releases() for name in load(release).names()}
    assert {name.removeprefix("configured.") for name in asked | read | idle} - known == set()


def test_a_group_asks_for_what_is_missing_and_names_what_means_nothing_there(tmp_path: Path) -> None:
    lines = "log_bin = b\ngtid_mode = ON\nenforce_gtid_consistency = ON\nrpl_semi_sync_source_enabled = 1\n"
    move = moved(tmp_path, lines, "mysql-8.4.8", Topology.GROUP_REPLICATION)
    assert move.topology_move is not None
    (member,) = move.topology_move.members
    assert {"gtid_mode", "enforce_gtid_consistency", "log_bin"} <= set(member.right)
    assert {name for name, _, _ in member.to_set} >= {"plugin_load_add", "group_replication_group_name"}
    assert "binlog_checksum" not in {name for name, _, _ in member.to_set}, "not since 8.0.21"
    assert [name for name, _ in member.idle] == ["rpl_semi_sync_source_enabled"]
    assert move.release_stays


def test_an_old_release_is_asked_for_more_in_its_own_spelling(tmp_path: Path) -> None:
    move = moved(tmp_path, "server_id = 1\n", "mysql-5.7.44", Topology.GROUP_REPLICATION)
    assert move.topology_move is not None
    wanted = {name for name, _, _ in move.topology_move.members[0].to_set}
    assert {"binlog_checksum", "transaction_write_set_extraction", "log_slave_updates", "gtid_mode"} <= wanted


def test_what_a_release_cannot_run_is_in_the_way(tmp_path: Path) -> None:
    move = moved(tmp_path, "server_id = 1\n", "mariadb-11.8.6", Topology.GROUP_REPLICATION)
    assert "mariadb 11.8.6 cannot run group replication" in move.obstacles


def test_every_form_has_it(tmp_path: Path) -> None:
    move = moved(tmp_path, "slave_parallel_threads = 4\n", "mariadb-11.8.6", Topology.GALERA)
    told = text.render(move, Page(80, False))
    assert "TOPOLOGY  not known → galera" in told
    assert "ORDER OF STEPS" not in told, "the release stays"
    assert [line for line in told.splitlines() if len(line) > 80 and "http" not in line] == []
    assert "## Topology: not known → galera" in markdown.render(move)
    found = document.document(move).to_topology
    assert found is not None
    assert [idle.name for idle in found.members[0].no_meaning] == ["slave_parallel_threads"]


def test_families_are_told_apart() -> None:
    assert CLAIMS[Topology.ASYNC_MYSQL].releases == {str(Family.MYSQL): ""}
