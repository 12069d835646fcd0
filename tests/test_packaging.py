"""Is everything in the wheel that the program reads when it runs, and does it run in an environment without a checkout?

The wheel is built from the checkout and installed without a network.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

BUILD = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"


@pytest.fixture(scope="module")
def wheel_file(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)], cwd=checkout, capture_output=True, text=True, check=True
    )
    return folder / built.stdout.split()[-1]


@pytest.fixture(scope="module")
def wheel(wheel_file: Path) -> set[str]:
    """The files of a wheel."""
    return set(zipfile.ZipFile(wheel_file).namelist())


@pytest.fixture(scope="module")
def installed(wheel_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel, as pip installs it; the libraries that it needs are those of this one."""
    place = tmp_path_factory.mktemp("installed") / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place], check=True)
    (libraries,) = place.glob("lib/python3*/site-packages")
    (libraries / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(place / "bin/python")]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel_file)], check=True)
    return place


def run(installed: Path, folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the installed program in a folder, without what this environment says of Python."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    own |= {"XDG_CACHE_HOME": str(folder / "cache"), **environment}
    return subprocess.run([*words], cwd=folder, env=own, capture_output=True, text=True, check=False)


def test_every_module_and_every_file_beside_one_is_in_it(wheel: set[str], checkout: Path) -> None:
    wanted = {
        path.relative_to(checkout).as_posix()
        for path in (checkout / "advisor").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "advisor/report/html/assets/uPlot.iife.min.js" in wanted
    assert wanted <= wheel


@pytest.mark.parametrize(
    "pattern", ["rules/**/*.yaml", "experiments/**/*.yaml", "search_spaces/**/*.yaml", "schemas/*.json"]
)
def test_the_shipped_data_is_in_it(wheel: set[str], checkout: Path, pattern: str) -> None:
    wanted = {f"advisor/_data/{path.relative_to(checkout).as_posix()}" for path in checkout.glob(pattern)}
    assert wanted
    assert wanted <= wheel


def test_what_others_wrote_travels_with_its_licence(wheel: set[str]) -> None:
    assert "advisor/report/html/assets/uPlot.LICENSE.txt" in wheel


@pytest.mark.gate
def test_the_installed_program_runs_and_its_byte_code_is_there(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "my.cnf").write_text("[mysqld]\nsync_binlog = 0\nlog_bin = b\n", encoding="utf-8")
    (tmp_path / "my.cnf").chmod(0o644)
    advisor = str(installed / "bin/advisor")
    checked = run(installed, tmp_path, advisor, "check", "my.cnf", "--server", "mysql-8.4.8", "--format", "json")
    assert checked.returncode == 1, checked.stderr
    (report,) = json.loads(checked.stdout)["reports"]
    assert "binlog-not-synced" in {finding["rule"] for finding in report["findings"]}
    explained = run(installed, tmp_path, advisor, "explain", "binlog-not-synced", "--format", "json")
    assert Path(json.loads(explained.stdout)["file"]).is_relative_to(installed), "not the rules of a checkout"
    space = ["space", "show", "galera", "--server", "mariadb-11.4"]
    for words in (["explain", "sync_binlog"], ["compare", "my.cnf", "my.cnf"], space):
        done = run(installed, tmp_path, advisor, *words)
        assert done.returncode == 0, done.stderr
    (package,) = installed.glob("lib/python3*/site-packages/advisor")
    sources = {path for path in package.rglob("*.py") if "_data" not in path.parts}
    assert {path for path in sources if not list(path.parent.glob(f"__pycache__/{path.stem}.*.pyc"))} == set()


@pytest.mark.gate
def test_an_installation_that_may_not_be_written_compiles_nothing(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "my.cnf").write_text("[mysqld]\nsync_binlog = 0\nlog_bin = b\n", encoding="utf-8")
    (tmp_path / "my.cnf").chmod(0o644)
    for kept in installed.glob("lib/python3*/site-packages/advisor/__pycache__/plain_check.*"):
        kept.unlink()  # what an earlier run wrote, which may write
    words = [str(installed / "bin/python"), "-v", "-m", "advisor", "check", "my.cnf", "--server", "mysql-8.4.8"]
    run(installed, tmp_path, *words, PYTHONDONTWRITEBYTECODE="1")  # the user's own cache of parsed rules
    done = run(installed, tmp_path, *words, PYTHONDONTWRITEBYTECODE="1")
    assert done.returncode == 1
    assert compiled(done.stderr) == []
    assert "import 'yaml'" not in done.stderr
    (byte_code,) = installed.glob("lib/python3*/site-packages/advisor/check/__pycache__/judge.*.pyc")
    content = byte_code.read_bytes()
    byte_code.unlink()
    assert len(compiled(run(installed, tmp_path, *words, PYTHONDONTWRITEBYTECODE="1").stderr)) == 1
    byte_code.write_bytes(content)


def compiled(words_of_python: str) -> list[str]:
    """The modules that `python -v` had to compile."""
    return [
        line for line in words_of_python.splitlines() if line.startswith("# code object from ") and line.endswith(".py")
    ]
