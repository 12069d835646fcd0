"""`make demo`: its commands are the command line's own, and what it shows fits and keeps the point."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def demo(checkout: Path) -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(checkout / "scripts"))
        return runpy.run_path(str(checkout / "scripts" / "demo.py"))


def advisor(checkout: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "advisor", *words], capture_output=True, text=True, check=False, cwd=checkout
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("step", ["CHECK", "UP", "BENCH", "LOADED", "WHY", "TUNE", "TOLD"])
def test_every_option_of_a_step_is_one_of_its_command(demo: dict[str, Any], checkout: Path, step: str):
    words = demo[step]
    names = [word for word in words[: 2 if words[0] in ("lab", "tune") else 1] if not word.startswith("-")]
    told = advisor(checkout, *names, "--help")
    options = [word for word in words if word.startswith("--")]
    assert options
    assert [option for option in options if f"{option} " not in told] == []
    assert max(map(len, demo["wrapped"](["advisor", *words]).splitlines())) <= 78


def test_of_the_check_critical_findings_and_warnings_are_shown(demo: dict[str, Any], checkout: Path):
    lines = advisor(checkout, *demo["CHECK"]).splitlines()
    kept = demo["before_remarks"](lines)
    assert kept == lines[: len(kept)]
    headings = [line.split()[1] for line in kept if line.startswith(("CRITICAL", "WARNING", "INFO"))]
    assert "gr-flow-control-serial-applier" in headings
    assert not any(line.startswith("INFO") for line in kept)
    assert demo["before_remarks"](["nothing found"]) == ["nothing found"]


def test_of_the_diagnosis_everything_up_to_the_causes_is_shown(demo: dict[str, Any]):
    told = ["546 transactions", "", "first cause", "  Flow control", "  expect  2400", "", "ceilings", "  x"]
    assert demo["until_causes_end"](told) == told[:5]
    assert demo["until_causes_end"](["nobody writes"]) == ["nobody writes"]
    assert demo["until_causes_end"](told[:5]) == told[:5]
