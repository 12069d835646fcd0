"""The tables of the unseen files hold together, and the page quotes their figures."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.unseen_files.__main__ import figures, rows

CHECKOUT = Path(__file__).parents[2]
FILES = {row["key"]: row for row in rows("files.tsv")}


def test_the_side_of_a_file_depends_on_its_name_alone():
    for row in FILES.values():
        number = int(hashlib.sha256((row["repository"] + row["path"]).encode()).hexdigest(), 16)
        assert row["side"] == ("locked" if number % 2 else "open")
        assert re.fullmatch(r"[0-9a-f]{40}", row["commit"])


def test_no_repository_gives_two_files():
    assert max(Counter(row["repository"] for row in FILES.values()).values()) == 1


@pytest.mark.parametrize(
    ("table", "column", "words"),
    [
        ("findings.tsv", "verdict", {"right", "wrong", "debatable"}),
        ("notes.tsv", "first", {"told", "missed", "withdrawn"}),
        ("notes.tsv", "last", {"told", "missed", "withdrawn"}),
        ("notes.tsv", "severity", {"must", "should", "could"}),
        ("notes.tsv", "scope", {"in", "out"}),
    ],
)
def test_every_row_is_about_a_file_and_has_a_verdict(table, column, words):
    assert {row["key"] for row in rows(table)} <= set(FILES)
    assert {row[column] for row in rows(table)} <= words


def test_what_is_not_right_has_a_reason():
    assert all(row["why"] for row in rows("findings.tsv") if row["verdict"] != "right")
    assert all(row["why"] for row in rows("notes.tsv") if "withdrawn" in (row["first"], row["last"]))


def test_the_page_quotes_the_figures():
    page = (CHECKOUT / "docs" / "unseen-files.md").read_text(encoding="utf-8")
    quoted = re.findall(r"\| (\w+) \| (\d+) \| (\w+) \| (\d+) of (\d+) \(.*?\) \| (\d+) of (\d+)", page)
    counted = [re.match(r"(\w+) +(\w+) +(\d+) files +\D+(\d+)/(\d+).*?recall (\d+)/(\d+)", line) for line in figures()]
    assert [(side, files, look, *rest) for side, files, look, *rest in quoted] == [
        (found[1], found[3], found[2], found[4], found[5], found[6], found[7]) for found in counted if found
    ]
