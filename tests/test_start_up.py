"""`advisor check` must feel instant: what it never imports, and that it does no more than it has to."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.check import check, load_rules
from advisor.evidence import read_path
from advisor.options import infer, resolve

# Each costs 5 to 150 ms; none is needed to judge option files and print text.
NEVER = {
    "asyncio", "decimal", "email", "hypothesis", "importlib.metadata", "importlib.resources", "jsonschema",
    "numpy", "optuna", "pydantic", "pymysql", "rich", "sklearn", "sqlite3", "statistics", "tarfile", "tempfile",
    "tomllib", "unittest", "xml", "yaml",
}  # fmt: skip
# Each costs 1 to 50 ms; Typer brings most of them, and a plain check needs no Typer.
NOT_PLAINLY = {
    "argparse", "ast", "click", "dataclasses", "datetime", "difflib", "dis", "fnmatch", "gettext", "inspect", "json",
    "locale", "logging", "pathlib", "pickle", "platform", "random", "re", "selectors", "shutil", "signal", "socket",
    "string", "subprocess", "textwrap", "threading", "tokenize", "traceback", "typer", "typing", "urllib", "uuid",
    "zlib",
}  # fmt: skip
MOST_MODULES = 96  # of the package, without those of derived facts: about 0.2 ms each
PROGRAM = """
import sys
from advisor.cli import main
try:
    main({words!r})
except SystemExit as end:
    print([int(end.code), sorted(sys.modules)], file=sys.stderr)
"""


def modules_after(words: list[str], folder: Path) -> tuple[int, set[str]]:
    """The exit code and the modules in memory after a run of `advisor` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(words=words)], cwd=folder, capture_output=True, text=True, check=True
    )
    code, modules = ast.literal_eval(done.stderr.splitlines()[-1])
    return code, set(modules)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an option file, after a run whose cache of rules the next one uses."""
    (tmp_path / "my.cnf").write_text("[mysqld]\nsync_binlog = 1\ninnodb_buffer_pool_size = 8G\n", encoding="utf-8")
    (tmp_path / "my.cnf").chmod(0o644)
    modules_after(["check", "my.cnf"], tmp_path)
    return tmp_path


@pytest.mark.parametrize("more", [[], ["--server", "mysql-8.0.36"]], ids=["inferred", "stated"])
def test_a_plain_check_imports_little(folder: Path, more: list[str]) -> None:
    code, modules = modules_after(["check", "my.cnf", *more], folder)
    assert code in (0, 1)
    assert not (NEVER | NOT_PLAINLY) & modules
    own = [name for name in modules if name.startswith("advisor") and not name.startswith("advisor.evidence.facts.")]
    assert len(own) <= MOST_MODULES


def test_check_with_options_imports_nothing_slow(folder: Path) -> None:
    code, modules = modules_after(["check", "my.cnf", "--quiet"], folder)
    assert code in (0, 1)
    assert "typer" in modules
    assert not NEVER & modules
    others = {name for name in modules if name.startswith("advisor.cli.commands.")} - {"advisor.cli.check.command"}
    assert not others, "check does not pay for the other commands"


def test_only_releases_that_can_win_are_resolved_and_each_once(checkout: Path) -> None:
    cluster = read_path(str(checkout / "examples/group-replication-member.cnf"))
    reading = cluster.members[0].options
    assert reading is not None
    resolve.cache_clear()
    releases, _ = infer(reading)
    assert len(releases) < 6
    assert resolve.cache_info().misses == len(releases)
    check(cluster, load_rules())
    assert resolve.cache_info().misses == len(releases), "judging takes what inferring resolved"
