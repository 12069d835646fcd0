"""The byte code of a plain check is kept in one file, which counts only while the sources are as they were."""

from __future__ import annotations

import marshal
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(name="program")
def copy_of_the_program(tmp_path, checkout):
    """A folder with the package and its rules, and an option file."""
    for folder in ("advisor", "rules"):
        shutil.copytree(checkout / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "my.cnf").write_text("[mysqld]\nsync_binlog = 0\nlog_bin = b\n", encoding="utf-8")
    (tmp_path / "my.cnf").chmod(0o644)
    return tmp_path


def check(program: Path, **environment: str) -> tuple[int, str]:
    """Exit code and output of a plain check in a process of its own."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    own |= {"XDG_CACHE_HOME": str(program / "cache"), **environment}
    command = [sys.executable, "-m", "advisor", "check", "my.cnf", "--server", "mysql-8.4.8"]
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


@pytest.mark.gate
def test_only_what_a_plain_check_loads_is_kept(program):
    check(program)
    (kept,) = (program / "advisor/__pycache__").glob("plain_check.*.kept")
    package, modules = marshal.loads(kept.read_bytes())
    assert package == str(program / "advisor")
    assert "advisor.check.judge" in modules
    assert "advisor.cli" not in modules, "loaded before the kept file is read"

    everything = "import advisor.why, advisor.check.schema; from advisor.cli import main; main({words!r})"
    words = ["check", "my.cnf"]
    subprocess.run([sys.executable, "-c", everything.format(words=words)], cwd=program, check=False)
    (program / "advisor/check/advice.py").touch()
    check(program)
    _, again = marshal.loads(kept.read_bytes())
    assert again.keys() == modules.keys()
    assert again != modules


@pytest.mark.gate
def test_a_copied_program_runs_its_own_sources(program, tmp_path_factory):
    check(program)
    copy = tmp_path_factory.mktemp("copy") / "program"
    shutil.copytree(program, copy)
    output = copy / "advisor/report/check/text.py"
    output.write_text(output.read_text(encoding="utf-8") + "\n_CHANGED = print('changed')\n", encoding="utf-8")
    assert check(copy)[1].startswith("changed\n")
    assert not check(program)[1].startswith("changed\n")
