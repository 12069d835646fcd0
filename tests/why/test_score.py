"""The score over recorded and reported cases does not fall below what is promised."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.diagnosis.cases import main


@pytest.mark.gate
def test_the_score_is_what_is_promised(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(shared / "cases")]) == 0
    told = capsys.readouterr().out
    recorded = re.search(r"^recorded: (\d+) of (\d+) right", told, re.MULTILINE)
    decidable = re.search(r"^reported, decidable: ([\d.]+) of (\d+)", told, re.MULTILINE)
    left_open = re.search(r"^reported, not decidable: (\d+) of (\d+)", told, re.MULTILINE)
    assert recorded is not None
    assert decidable is not None
    assert left_open is not None
    assert recorded[1] == recorded[2]
    assert float(decidable[1]) / float(decidable[2]) >= 0.85
    assert left_open[1] == left_open[2]
    assert "traps: 0" in told
