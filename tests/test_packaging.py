"""Is everything in the wheel that the program reads when it runs? Built from the checkout, without a network."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files of a wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=checkout, capture_output=True, text=True, check=True
    )
    return set(zipfile.ZipFile(folder / built.stdout.split()[-1]).namelist())


def test_every_module_and_every_file_beside_one_is_in_it(wheel: set[str], checkout: Path) -> None:
    wanted = {
        path.relative_to(checkout).as_posix()
        for path in (checkout / "advisor").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "advisor/report/html/assets/uPlot.iife.min.js" in wanted
    assert wanted <= wheel


@pytest.mark.parametrize("kind", ["rules", "experiments"])
def test_the_shipped_data_is_in_it(wheel: set[str], checkout: Path, kind: str) -> None:
    wanted = {f"advisor/_data/{path.relative_to(checkout).as_posix()}" for path in (checkout / kind).rglob("*.yaml")}
    assert wanted
    assert wanted <= wheel


def test_what_others_wrote_travels_with_its_licence(wheel: set[str]) -> None:
    assert "advisor/report/html/assets/uPlot.LICENSE.txt" in wheel
