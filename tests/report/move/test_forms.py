"""The report of a move as text and Markdown: its width, its order, its sources."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.report.move import markdown, text
from advisor.report.words.layout import Page
from tests.move.moved import move_text

PAIRS = [
    ("mysql-5.7.44", "mysql-9.7"),
    ("mysql-8.0.36", "mysql-8.4"),
    ("mariadb-10.5.23", "mariadb-11.8"),
    ("mysql-8.0.36", "mariadb-11.4"),
    ("mariadb-11.4.7", "mysql-8.4"),
]
TEXT = "log_slave_updates = 1\nquery_cache_type = 0\ntx_isolation = READ-COMMITTED\ninnodb_log_file_size = 1G\n"


@pytest.mark.parametrize(("origin", "target"), PAIRS)
def test_text_keeps_its_width(tmp_path: Path, origin: str, target: str) -> None:
    told = text.render(move_text(tmp_path, TEXT, origin, target), Page(80), every=True, diff=False)
    unbreakable = [line for line in told.splitlines() if len(line) > 80 and " " in line.strip()]
    assert unbreakable == []


def test_text_tells_in_the_order_of_the_decisions(tmp_path: Path) -> None:
    told = text.render(move_text(tmp_path, TEXT, "mysql-5.7.44", "mysql-8.0"), Page(80))
    titles = ["PATH", "OPTIONS", "DEFAULTS THAT CHANGE", "FEATURES", "ORDER OF STEPS", "RATE TO EXPECT", "FILES FOR"]
    assert sorted(titles, key=told.index) == titles
    assert told.rstrip().endswith("in the way: the server does not start with its files as they are")


def test_a_rate_is_never_made_up(tmp_path: Path) -> None:
    told = text.render(move_text(tmp_path, "", "mysql-8.4.3", "mysql-9.7"), Page(80))
    rates = told.partition("RATE TO EXPECT")[2]
    assert "unknown for your load. Before the first server moves, measure it" in rates
    assert "(Callaghan, December 2025)" in rates


def test_markdown_has_every_source(tmp_path: Path) -> None:
    move = move_text(tmp_path, TEXT, "mysql-8.0.36", "mysql-8.4")
    told = markdown.render(move, every=True)
    told_changes = [change for member in move.members for change in member.defaults if change.claim and change.loaded]
    links = {link for change in told_changes if change.claim for link in change.claim.see}
    links |= {link for feature in move.features for link in feature.claim.see}
    assert len(links) > 10
    assert [link for link in links if link not in told] == []
    assert "```diff" in told


def test_members_with_the_same_defaults_are_told_once(tmp_path: Path) -> None:
    from advisor.catalog import parse_release
    from advisor.evidence import read_members
    from advisor.move import plan_move, target_release

    for name in ("a", "b"):
        (tmp_path / f"{name}.cnf").write_text(f"[mysqld]\nserver_id = {ord(name)}\n", encoding="utf-8")
    cluster = read_members([str(tmp_path / "a.cnf"), str(tmp_path / "b.cnf")])
    told = text.render(plan_move(cluster, parse_release("mysql-8.0.36"), target_release("mysql-8.4")), Page(80))
    assert told.count("DEFAULTS THAT CHANGE") == 1
    assert "OPTIONS  a, b: 1 stay" in told
    assert "DEFAULTS THAT CHANGE  a, b: " in told
