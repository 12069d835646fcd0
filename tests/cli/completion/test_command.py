"""Does the script that `advisor completion` prints complete lines, asked as a shell asks?"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

SHELLS = ["bash", "zsh", "fish"]
# A line as typed so far, and something that completes its last word.
LINES = {
    "advisor ch": "check",
    "advisor check --form": "--format",
    "advisor check --format git": "github",
    "advisor check --server mariadb-11": "mariadb-11.8",
    "advisor check --only redo-": "redo-small-for-pool",
    "advisor explain redo-sm": "redo-small-for-pool",
    "advisor completion f": "fish",
    "advisor check --role rep": "replica",
}
PROGRAM = [sys.executable, "-c", "from advisor.cli import main; main()"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_asks_this_program(run, shell):
    done = run("completion", shell)
    assert done.code == 0
    assert "_ADVISOR_COMPLETE" in done.out
    assert "advisor" in done.out


def test_an_unknown_shell_is_refused(run):
    assert run("completion", "tcsh").code == 2


@pytest.mark.parametrize(
    ("shell", "line", "completed"),
    [
        # Every line in one shell, one line in every shell; the rest is left to `make rest`.
        pytest.param(shell, line, completed, id=f"{shell}-{line}", marks=() if few else pytest.mark.gate)
        for shell in SHELLS
        for number, (line, completed) in enumerate(LINES.items())
        for few in [shell == "bash" or number == 2]
    ],
)
def test_a_line_is_completed(shell, line, completed):
    asked = {"_ADVISOR_COMPLETE": f"complete_{shell}", "_TYPER_COMPLETE_ARGS": line}
    asked |= {"_TYPER_COMPLETE_FISH_ACTION": "get-args", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    done = subprocess.run(PROGRAM, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert completed in done.stdout
    assert not done.stderr


@pytest.mark.skipif(not shutil.which("bash"), reason="no bash here")
def test_bash_completes_with_the_script(run, tmp_path):
    (tmp_path / "advisor").write_text(f"#!/bin/sh\nexec {sys.executable} -c '{PROGRAM[2]}' \"$@\"\n")
    (tmp_path / "advisor").chmod(0o755)
    script = run("completion", "bash").out
    ask = 'COMP_WORDS=(advisor check --fail-on cr); COMP_CWORD=3; _advisor_completion advisor; echo "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{ask}"],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "critical"
