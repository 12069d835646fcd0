"""The tables of the unseen files hold together, and the page quotes their figures."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.unseen_files.__main__ import LOTS, SIDES, figures, rows

CHECKOUT = Path(__file__).parents[2]
FILES = [row for lot in LOTS for row in rows("files.tsv", lot)]
VERDICTS = {"told", "missed", "withdrawn"}


def test_the_side_of_a_file_depends_on_its_name_alone():
    for row in FILES:
        number = int(hashlib.sha256((row["repository"] + row["path"]).encode()).hexdigest(), 16)
        assert row["side"] == ("locked" if number % 2 else "open")
        assert re.fullmatch(r"[0-9a-f]{40}", row["commit"])


def test_no_repository_gives_two_files_in_any_lot():
    assert max(Counter(row["repository"] for row in FILES).values()) == 1
    assert max(Counter(row["key"] for row in FILES).values()) == 1


@pytest.mark.parametrize("lot", LOTS)
@pytest.mark.parametrize(
    ("table", "column", "words"),
    [
        ("findings.tsv", "verdict", {"right", "wrong", "debatable"}),
        ("notes.tsv", "first", VERDICTS),
        ("notes.tsv", "severity", {"must", "should", "could"}),
        ("notes.tsv", "scope", {"in", "out"}),
    ],
)
def test_every_row_is_about_a_file_of_its_lot_and_has_a_verdict(lot, table, column, words):
    assert {row["key"] for row in rows(table, lot)} <= {row["key"] for row in rows("files.tsv", lot)}
    assert {row[column] for row in rows(table, lot)} <= words


@pytest.mark.parametrize("lot", LOTS)
@pytest.mark.parametrize("side", SIDES)
def test_the_last_look_judges_all_notes_of_a_side_or_none(lot, side):
    keys = {row["key"] for row in rows("files.tsv", lot) if row["side"] == side}
    last = {row["last"] for row in rows("notes.tsv", lot) if row["key"] in keys}
    looked = "last" in {row["look"] for row in rows("findings.tsv", lot) if row["key"] in keys}
    assert last <= VERDICTS if looked else last == {""}


@pytest.mark.parametrize("lot", LOTS)
def test_what_is_not_right_has_a_reason(lot):
    assert all(row["why"] for row in rows("findings.tsv", lot) if row["verdict"] != "right")
    assert all(row["why"] for row in rows("notes.tsv", lot) if "withdrawn" in (row["first"], row["last"]))


def test_the_page_quotes_the_figures():
    page = (CHECKOUT / "docs" / "unseen-files.md").read_text(encoding="utf-8")
    quoted = re.findall(r"\| (\w+) \| (\d+) \| (\w+) \| (\d+) of (\d+) \(.*?\) \| (\d+) of (\d+)", page)
    line = re.compile(r"\w+ +(\w+) +(\w+) +(\d+) files +\D+(\d+)/(\d+).*?recall (\d+)/(\d+)")
    counted = [line.match(figure) for figure in figures()]
    assert [(side, files, look, *rest) for side, files, look, *rest in quoted] == [
        (found[1], found[3], found[2], found[4], found[5], found[6], found[7])
        for found in counted
        if found and found[1] in SIDES
    ]
    in_words = " ".join(page.split())
    for found in (found for found in counted if found and found[1] not in SIDES):
        assert f"{found[4]} of {found[5]} findings right" in in_words
        assert f"{found[6]} of {found[7]} important remarks made" in in_words
