"""The byte code of a plain check is kept in one file, which counts only while the sources are as they were."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "import sys; from advisor.cli import main; main({words!r})"


@pytest.fixture(name="program")
def copy_of_the_program(tmp_path, checkout):
    """A folder with the package and its rules, and an option file."""
    for folder in ("advisor", "rules"):
        shutil.copytree(checkout / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "my.cnf").write_text("[mysqld]\nsync_binlog = 0\nlog_bin = b\n", encoding="utf-8")
    (tmp_path / "my.cnf").chmod(0o644)
    return tmp_path


def check(program: Path, **environment: str) -> tuple[int, str]:
    """Exit code and output of a plain check; `-v` shows what Python imports, and from where."""
    words = ["check", "my.cnf", "--server", "mysql-8.4.8"]
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    own |= {"XDG_CACHE_HOME": str(program / "cache"), **environment}
    command = [sys.executable, "-c", PROGRAM.format(words=words)]
    done = subprocess.run(command, cwd=program, env=own, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout


@pytest.mark.gate
def test_the_second_run_loads_from_the_kept_file_and_sees_changed_sources(program):
    first = check(program)
    (kept,) = (program / "advisor/__pycache__").glob("plain_check.*.kept")
    size = kept.stat().st_size
    for cached in (program / "advisor").rglob("*.pyc"):
        cached.unlink()
    assert check(program, PYTHONDONTWRITEBYTECODE="1") == first
    assert not list((program / "advisor/check").rglob("*.pyc"))

    output = program / "advisor/report/check/text.py"
    output.write_text(output.read_text(encoding="utf-8") + "\n_CHANGED = print('changed')\n", encoding="utf-8")
    assert check(program)[1].startswith("changed\n")
    assert check(program)[1].startswith("changed\n")
    assert kept.stat().st_size > size

    kept.write_bytes(b"damaged")
    assert check(program)[1].startswith("changed\n")


@pytest.mark.gate
def test_nothing_is_kept_where_no_byte_code_may_be_written(program):
    check(program, PYTHONDONTWRITEBYTECODE="1")
    assert not (program / "advisor/__pycache__").exists()
