"""What the report says of servers on which a move was rehearsed."""

from __future__ import annotations

from pathlib import Path

from advisor.model.measurement import Interval
from advisor.model.move.rehearsal import LeftOut, Rehearsal, ReplicationTrial
from advisor.model.record import replace
from advisor.report.move import document, markdown, text
from advisor.report.move.rehearsed import rehearsed
from advisor.report.words.layout import Page
from tests.move.moved import move_text

DONE = Rehearsal(
    old="mariadb-10.11.19",
    new="mariadb-11.8.9",
    started=True,
    workload="read_write",
    threads=8,
    seconds=10.0,
    rates_old=(1000.0, 1100.0),
    rates_new=(1210.0, 1200.0),
    ratio=Interval(0.95, 1.15, 1.39),
    replication=ReplicationTrial(True, 200, True, 0.4),
    variables=(("innodb_snapshot_isolation", "OFF", "ON"), ("of_nobody", "1", "2")),
    left_out=(LeftOut("port = 1", "the lab chooses addresses and accounts"),),
)


def said(tmp_path: Path, done: Rehearsal) -> dict[str, str]:
    return dict(rehearsed(replace(move_text(tmp_path, "", "mariadb-10.11.19", "mariadb-11.8.9"), rehearsal=done)))


def test_the_ratio_comes_with_its_interval_and_what_it_shows(tmp_path: Path) -> None:
    told = said(tmp_path, DONE)
    assert told["rate"].startswith("1.15 times the rate of the old release, 95 % interval 0.95 to 1.39: no difference")
    faster = replace(DONE, ratio=Interval(1.05, 1.15, 1.39))
    assert "no difference" not in said(tmp_path, faster)["rate"]
    assert said(tmp_path, replace(DONE, ratio=None))["rate"] == "no load was asked for"


def test_what_the_plan_did_not_name_is_named(tmp_path: Path) -> None:
    told = said(tmp_path, DONE)
    assert told["variables"].startswith("2 differ; 1 are")
    assert told["not named"] == "of_nobody 1 → 2"


def test_replication_that_fails_says_what_the_server_said(tmp_path: Path) -> None:
    failed = replace(DONE, replication=ReplicationTrial(True, 200, False, why="m1 is not receiving: SSL is required"))
    assert said(tmp_path, failed)["replication"].endswith(
        "does not replicate from mariadb-10.11.19: m1 is not receiving: SSL is required"
    )
    assert said(tmp_path, replace(DONE, started=False, refusal="mysql-9.7.4: unknown variable"))["start"].endswith(
        "unknown variable"
    )


def test_every_form_has_it(tmp_path: Path) -> None:
    move = replace(move_text(tmp_path, "", "mariadb-10.11.19", "mariadb-11.8.9"), rehearsal=DONE)
    assert "ON REAL SERVERS" in text.render(move, Page(80, False))
    assert "## On real servers" in markdown.render(move)
    told = document.document(move).rehearsal
    assert told is not None
    assert told.rate is not None
    assert (told.rate.low, told.rate.ratio, told.rate.high) == (0.95, 1.15, 1.39)
