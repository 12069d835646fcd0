"""The command as a process: on a real terminal, into pipes, without UTF-8, with a reader that goes away."""

from __future__ import annotations

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.cli.pty_output import read_all

COMMAND = [sys.executable, "-m", "advisor", "check", "my.cnf", "--rules", "ours", "--server", "mysql-8.0.28"]


def environment(**extra: str) -> dict[str, str]:
    """The test's environment, with nothing in it that says how to write."""
    drop = ("NO_COLOR", "COLUMNS", "PYTHONIOENCODING", "PYTHONUTF8", "LC_ALL", "LANG", "TERM")
    kept = {name: value for name, value in os.environ.items() if name not in drop}
    return {**kept, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", **extra}


def on_terminal(columns: int, *words: str, **extra: str) -> tuple[int, str]:
    """Exit code and output of the command on a pseudo-terminal of that width."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([*COMMAND, *words], stdout=theirs, stderr=theirs, env=environment(**extra))
    os.close(theirs)
    output = read_all(ours)
    return process.wait(), output.decode("utf-8").replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [80, 50])
def test_a_terminal_gets_colour_and_lines_of_its_width(columns: int) -> None:
    code, output = on_terminal(columns)
    assert code == 1
    assert "\x1b[1;33m" in output
    plain = re.sub(r"\x1b\[[0-9;]*m", "", output)
    assert "WARNING   tiny-redo" in plain
    for line in plain.splitlines():
        assert len(line) <= columns or " " not in line.strip()


@pytest.mark.parametrize(
    ("words", "extra", "colour"),
    [
        (["--color", "never"], {}, False),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"TERM": "dumb"}, False),
        (["--color", "always"], {"TERM": "dumb"}, True),
    ],
)
def test_colour_is_as_the_user_wants_it(words: list[str], extra: dict[str, str], colour: bool) -> None:
    _, output = on_terminal(80, *words, **extra)
    assert ("\x1b[" in output) is colour


def test_a_pipe_gets_plain_text_of_80_columns() -> None:
    done = subprocess.run(COMMAND, capture_output=True, text=True, env=environment(), check=False)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_stream_without_utf8_gets_ascii_instead_of_an_error() -> None:
    Path("ours/redo/tiny-redo.yaml").write_text(
        Path("ours/redo/tiny-redo.yaml").read_text(encoding="utf-8").replace("Each redo", "Each – ≥ ü redo"),
        encoding="utf-8",
    )
    done = subprocess.run(COMMAND, capture_output=True, env=environment(PYTHONIOENCODING="ascii"), check=False)
    assert done.returncode == 1
    assert b"Each - >= \\xfc redo" in done.stdout
    assert b"Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 1
    assert errors == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_is_told_once() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(COMMAND, stdout=full, stderr=subprocess.PIPE, env=environment(), check=False)
    assert done.returncode == 2
    assert done.stderr == b"advisor: the output cannot be written: No space left on device\n"


def test_closed_streams_leave_the_exit_code() -> None:
    words = " ".join(COMMAND)
    for streams in (">&-", "2>&- >&-"):
        done = subprocess.run(["sh", "-c", f"{words} {streams}"], capture_output=True, env=environment(), check=False)
        assert (done.returncode, done.stderr) == (1, b"")
