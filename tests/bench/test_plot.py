"""The picture of a run: drawn where it can be, refused before the run where it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.bench.measure.summary import summarise
from advisor.bench.plot import check_plot, draw
from advisor.errors import UsageError
from tests.bench.measure.test_summary import WHAT, run

pytest.importorskip("matplotlib")


def test_the_picture_names_members_phases_and_the_sustained_rate(tmp_path: Path):
    seconds = run(1000, 400)
    draw(summarise(WHAT, seconds), seconds, "a title of its own", tmp_path / "run.svg")
    text = (tmp_path / "run.svg").read_text(encoding="utf-8")
    for word in ("a title of its own", "applied by m2", "measured", "drain", "sustained 400", "lag, ms", "bound"):
        assert word in text
    assert "applied by m1" not in text
    assert "warm-up" not in text, "this run has none"


def test_a_png_is_one(tmp_path: Path):
    seconds = run(1000, 2000)
    draw(summarise(WHAT, seconds), seconds, "", tmp_path / "run.png")
    assert (tmp_path / "run.png").read_bytes().startswith(b"\x89PNG")


def test_what_cannot_be_drawn_to_is_refused_beforehand(tmp_path: Path):
    check_plot(tmp_path / "run.svg")
    with pytest.raises(UsageError, match="must end in"):
        check_plot(tmp_path / "run.jpg")
    with pytest.raises(UsageError, match="no such folder"):
        check_plot(tmp_path / "none" / "run.svg")
