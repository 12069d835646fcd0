"""The whole story on one machine in twelve minutes: check a file, the same problem on real servers, why, tune.

`make demo` runs it. It gets the programs it lacks, shows every command as one types it, shortens what they print, and
takes its cluster down however it ends.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from get_servers import missing

from advisor.errors import AdvisorError
from advisor.lab import down, state
from advisor.lab.processes import undisturbed
from advisor.lab.servers.install import install
from advisor.tune.state import study_folder

CHECKOUT: Final = Path(__file__).resolve().parents[1]
LAB: Final = "make-demo"
REPORT: Final = "demo-report"
FILE: Final = "examples/group-replication-member.cnf"
LOAD: Final = ("--lab", LAB, "--workload", "update_index", "--threads", "16", "--tables", "2", "--rows", "5000")
CHECK: Final = ("check", FILE, "--server", "mysql-8.0.36")
UP: Final = (
    "lab", "up", "group_replication", "--name", LAB, "--mysql", "--durable", "--workers", "1",
    "--set", "innodb_io_capacity=200", "--set", "group_replication_flow_control_applier_threshold=250",
)  # fmt: skip
BENCH: Final = ("bench", *LOAD, "--seconds", "10s", "--warm-up", "5s:8s")
LOADED: Final = ("bench", *LOAD, "--seconds", "60s", "--warm-up", "5s:5s")
WHY: Final = ("why", "--lab", LAB, "--for", "10s")
SHORT: Final = ("--trials", "5", "--seconds", "10s", "--warm-up", "4s:6s", "--no-shorten", "--no-preflight")
TUNE: Final = ("tune", *LOAD, *SHORT)
TOLD: Final = ("tune", "report", REPORT, "--lab", LAB)
_END_SECONDS: Final = 60.0
_RISE_SECONDS: Final = 8.0  # until the backlog of a member that cannot follow has reached the threshold
_NOTHING_PROVED: Final = 1

Kept = Callable[[list[str]], list[str]]


def main() -> int:
    """The exit code of the first step that fails; 0 when all went as they should."""
    for kind in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(kind, _interrupt)
    os.chdir(CHECKOUT)
    began = time.monotonic()
    try:
        _story()
    except KeyboardInterrupt:
        _say("interrupted")
        return 130
    except (Failed, AdvisorError) as error:
        _say(f"the demo ends here: {error}")
        return 4
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    _say(f"That took {minutes}:{seconds:02d}. The report: {CHECKOUT / REPORT / 'report.html'}")
    return 0


class Failed(Exception):
    """A command ended otherwise than it should."""


def _story() -> None:
    _say("1. An option file: a group member moved from MySQL 5.7 to 8.0. What is wrong?")
    _show(CHECK, allowed=(0, 1), keep=before_remarks)
    _say("2. Three servers with that problem: one applying thread, behind flow control")
    _get_programs()
    with _lab():
        _say("3. How fast is it? What is committed counts only if every member follows")
        _show(BENCH)
        _say("4. Why not more? Asked while clients write")
        with _background(LOADED):
            time.sleep(_RISE_SECONDS)
            _show(WHY, keep=until_causes_end)
        _say("5. Which settings sustain more? Tried, validated in blocks, everything restored")
        _show(TUNE, allowed=(0, _NOTHING_PROVED))
        shutil.rmtree(REPORT, ignore_errors=True)
        Path(REPORT).mkdir()
        _show(TOLD)


@contextmanager
def _lab() -> Iterator[None]:
    """The cluster, which goes with everything that was kept of it but the report."""
    if LAB in state.names():  # left by a demo that was killed
        down.take_down(LAB)
    try:
        _show(UP)
        try:
            yield
        finally:
            shutil.rmtree(study_folder.folder_of(state.read_lab(LAB)), ignore_errors=True)
    finally:
        with undisturbed():
            if LAB in state.names():
                _show(["lab", "down", LAB])


def _get_programs() -> None:
    for product in missing():
        if product != "mariadb":
            print(f"getting {product} first, into a folder of your own; nothing on the system is changed", flush=True)
            install(product, lambda line: None)


def _show(words: Sequence[str], allowed: Sequence[int] = (0,), keep: Kept = list) -> None:
    """Run a command and print what it prints, shortened; Failed when it ends otherwise than it should."""
    print("$ " + wrapped(["advisor", *words]), flush=True)
    child = _start(words, subprocess.PIPE if keep is not list else None)
    text, _ = _patiently(child)
    if keep is not list:
        lines = (text or "").splitlines()
        kept = keep(lines)
        rest = len(lines) - len(kept)
        print("\n".join([*kept, *([f"… {rest} more lines"] if rest else [])]), flush=True)
    if child.returncode not in allowed:
        raise Failed(f"`advisor {words[0]}` ended with {child.returncode}")


@contextmanager
def _background(words: Sequence[str]) -> Iterator[None]:
    """A command that runs meanwhile and is ended after."""
    print("$ " + wrapped(["advisor", *words]) + " &", flush=True)
    child = _start(words, subprocess.DEVNULL)
    try:
        yield
    finally:
        _end(child)


def _start(words: Sequence[str], output: int | None) -> subprocess.Popen[str]:
    """In a session of its own: Ctrl-C is ours, and what is running is ended in order."""
    quiet = subprocess.DEVNULL if output == subprocess.DEVNULL else None
    command = [sys.executable, "-m", "advisor", *words]
    return subprocess.Popen(command, stdout=output, stderr=quiet, text=True, start_new_session=True)


def _patiently(child: subprocess.Popen[str]) -> tuple[str | None, str | None]:
    try:
        return child.communicate()
    except BaseException:
        _end(child)
        raise


def _end(child: subprocess.Popen[str]) -> None:
    """Let it put things right and end; it is killed when it does not in time."""
    child.terminate()
    killing = threading.Timer(_END_SECONDS, child.kill)
    killing.start()
    child.communicate()
    killing.cancel()


def before_remarks(lines: list[str]) -> list[str]:
    """Critical findings and warnings."""
    return _until(lines, next((number for number, line in enumerate(lines) if line.startswith("INFO")), len(lines)))


def until_causes_end(lines: list[str]) -> list[str]:
    """The reply, where the time goes, and the first cause."""
    begin = lines.index("first cause") if "first cause" in lines else len(lines)
    after = (number for number, line in enumerate(lines) if number > begin and line[:1].strip())
    return _until(lines, next(after, len(lines)))


def _until(lines: list[str], end: int) -> list[str]:
    """The lines before that one, and before the blank ones above it."""
    while end and not lines[end - 1]:
        end -= 1
    return lines[:end]


def wrapped(words: Sequence[str]) -> str:
    """A command line that fits, options kept with their values."""
    lines, line = [], ""
    for number, word in enumerate(words):
        value = f" {words[number + 1]}" if word.startswith("--") and number + 1 < len(words) else ""
        if len(line) + len(word) + len(value) > 74:
            lines.append(line)
            line = "   "
        line += (" " if line else "") + word
    return " \\\n".join([*lines, line])


def _say(text: str) -> None:
    print(f"\n{text}", flush=True)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
