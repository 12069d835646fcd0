"""Running the command line: in this process for its texts and codes, and files to run it on."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.cli import main
from tests.cli.runs import HUNGRY_RULE, MY_CNF, TINY_RULE, Run, Runner


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs in a folder of its own, with `my.cnf` and the folder `ours` of rules."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    (tmp_path / "my.cnf").write_text(MY_CNF, encoding="utf-8")
    (tmp_path / "my.cnf").chmod(0o644)
    (tmp_path / "ours/redo").mkdir(parents=True)
    (tmp_path / "ours/redo/tiny-redo.yaml").write_text(
        TINY_RULE.format(id="redo", severity="warning", risk="R2"), encoding="utf-8"
    )
    (tmp_path / "ours/redo/hungry.yaml").write_text(HUNGRY_RULE, encoding="utf-8")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Runner:
    """Run `advisor` with some words."""

    def run_words(*words: str) -> Run:
        with pytest.raises(SystemExit) as end:
            main(list(words))
        out, err = capsys.readouterr()
        return Run(int(end.value.code or 0), out, err)

    return run_words


@pytest.fixture
def check(run: Runner) -> Runner:
    """Run `advisor check my.cnf` as MySQL 8.0.28, with only the rules of the test."""

    def check_with(*words: str) -> Run:
        only = ["--only", "tiny-redo", "--only", "hungry"]
        return run("check", "my.cnf", "--rules", "ours", "--server", "mysql-8.0.28", *only, *words)

    return check_with
