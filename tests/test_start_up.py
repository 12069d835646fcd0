"""`advisor check` must feel instant: what it never imports, and that it needs no more modules than it has to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

# Each costs 5 to 150 ms; none is needed to judge option files and print text.
NEVER = {
    "asyncio", "decimal", "email", "hypothesis", "importlib.metadata", "importlib.resources", "jsonschema",
    "numpy", "optuna", "pydantic", "pymysql", "rich", "sklearn", "sqlite3", "statistics", "tarfile", "tempfile",
    "tomllib", "unittest", "xml",
}  # fmt: skip
PROGRAM = """
import json, sys
from advisor.cli import main
try:
    main({words!r})
except SystemExit as end:
    print(json.dumps([end.code, sorted(sys.modules)]), file=sys.stderr)
"""


def modules_after(words: list[str], folder: Path) -> tuple[int, set[str]]:
    """The exit code and the modules in memory after a run of `advisor` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(words=words)], cwd=folder, capture_output=True, text=True, check=True
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    return code, set(modules)


def test_check_imports_nothing_slow(tmp_path: Path) -> None:
    (tmp_path / "my.cnf").write_text("[mysqld]\nsync_binlog = 1\ninnodb_buffer_pool_size = 8G\n", encoding="utf-8")
    words = ["check", "my.cnf"]
    modules_after(words, tmp_path)  # the first run may parse the rules; what it keeps is used by the second
    code, modules = modules_after(words, tmp_path)
    assert code in (0, 1)
    assert not NEVER & modules
    assert "yaml" not in modules, "rules come from the cache"
    others = {name for name in modules if name.startswith("advisor.cli.commands.")} - {"advisor.cli.commands.check"}
    assert not others, "check does not pay for the other commands"
