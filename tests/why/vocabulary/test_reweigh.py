"""What a report may claim: words of option lines make no answer where nobody described anything of the kind."""

from __future__ import annotations

from pathlib import Path

from advisor.evidence import read_path
from advisor.why import diagnose
from advisor.why.vocabulary.reweigh import most_told

_OPTIONS = """[mysqld]
innodb_io_capacity = 200
innodb_io_capacity_max = 2000
innodb_lru_scan_depth = 1536
innodb_max_dirty_pages_pct = 90
"""


def confidences(folder: Path, note: str) -> dict[str, float]:
    (folder / "my.cnf").write_text(_OPTIONS)
    (folder / "observations.yaml").write_text(f"notes: [{note!r}]\n")
    found = diagnose(read_path(str(folder)))
    return {each.cause.id: each.confidence for each in found.causes}


def test_options_that_are_listed_make_no_answer(tmp_path: Path) -> None:
    assert max(confidences(tmp_path, "agents are slower in the container").values()) < 0.5


def test_what_is_described_still_does(tmp_path: Path) -> None:
    noted = "page cleaner flushes exactly 200 pages per second on NVMe that is 3 % busy while dirty pages grow to 90 %"
    assert confidences(tmp_path, noted)["io_capacity_low"] >= 0.5


def test_a_sign_of_its_own_or_a_description_makes_an_answer_and_nothing_else_does() -> None:
    assert most_told(has_own_sign=True, described=0.0) > 0.9
    assert most_told(has_own_sign=False, described=0.44) > 0.9
    assert most_told(has_own_sign=False, described=0.05) < 0.5
