"""Is this still the process we started? Starting, recognising and ending the processes of a lab.

A process id alone proves nothing: it is reused, and means nothing after a reboot. So it is kept with the start time of
the process and the id of the boot. And because `advisor` may be killed between starting a process and recording it,
processes are also found by their command line, which names an option file in the lab's folder.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

from advisor.errors import LabError
from advisor.model.record import record

_PROC: Final = Path("/proc")
_POLL_SECONDS: Final = 0.02
BELONGING: Final = "--advisor-lab="  # marks a lab's other processes: the word goes on with a file in its folder


@record
class Process:
    """`started` in clock ticks since the boot that `boot` identifies."""

    pid: int
    started: int
    boot: str


def identify(pid: int) -> Process | None:
    """The process with that id; None when there is none, or only a zombie."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else Process(pid, int(fields[19]), _boot())


def alive(process: Process) -> bool:
    """Whether it is still the same process."""
    return identify(process.pid) == process


def start(words: Sequence[str], output: Path) -> int:
    """Start a server in a separate session, so that Ctrl-C does not reach it; its process id.

    Its output is appended to a file. It inherits no other open file: a lock or pipe passed to `advisor` would be held
    for as long as the lab is up. LabError when the program cannot be run.
    """
    append = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    files = [
        *((os.POSIX_SPAWN_CLOSE, number) for number in _handed_on()),
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(output), append, 0o640),
        (os.POSIX_SPAWN_DUP2, 1, 2),
    ]
    try:
        return os.posix_spawnp(words[0], list(words), os.environ, file_actions=files, setsid=True)
    except OSError as error:
        raise LabError(f"cannot start {words[0]}: {error.strerror}") from None


def _handed_on() -> list[int]:
    """Open files beyond the first three that a child would inherit."""
    numbers = []
    for name in os.listdir("/proc/self/fd"):
        try:
            if int(name) > 2 and os.get_inheritable(int(name)):
                numbers.append(int(name))
        except OSError:  # the file of the listing itself
            continue
    return numbers


def ended(pid: int) -> bool:
    """Whether a process has ended; a child is waited for, so that no zombie stays."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return identify(pid) is None


def ask_to_end(pids: Sequence[int], patience_seconds: float) -> None:
    """Shut servers down cleanly, all at once; LabError when one takes too long."""
    for pid in pids:
        os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + patience_seconds
    for pid in pids:
        while not ended(pid):
            if time.monotonic() > until:
                raise LabError(f"process {pid} did not shut down within {patience_seconds:.0f} s")
            time.sleep(_POLL_SECONDS)


def using(folder: Path) -> dict[int, str]:
    """Processes whose command line names an option file in a lab's folder: process id → name of the member's folder."""
    begin = f"--defaults-file={folder}/"
    return {pid: word[len(begin) :].partition("/")[0] for pid, word in naming(begin).items()}


def naming(begin: str) -> dict[int, str]:
    """Processes with a word on their command line that begins like this: process id → the word."""
    named = {}
    for entry in os.listdir(_PROC):
        if entry.isdecimal() and identify(int(entry)):
            try:
                words = (_PROC / entry / "cmdline").read_bytes().decode("utf-8", "surrogateescape").split("\0")
            except OSError:
                continue
            for word in words:
                if word.startswith(begin):
                    named[int(entry)] = word
    return named


@contextmanager
def undisturbed() -> Iterator[None]:
    """During clean-up, ignore further Ctrl-C, here and in the programs that are run."""
    with _answered_by(signal.SIG_IGN):  # what is ignored stays ignored in a child, what is handled does not
        yield


@contextmanager
def held_back() -> Iterator[None]:
    """While statements change settings, hold back Ctrl-C until they are complete. Not for running programs."""
    came: list[int] = []
    try:
        with _answered_by(lambda number, frame: came.append(number)):
            yield
    finally:
        for number in came[:1]:
            signal.raise_signal(number)


@contextmanager
def _answered_by(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> Iterator[None]:
    """Handle the signals that would end us in this way meanwhile (only the main thread receives signals)."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    kinds = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.signal(kind, handler) for kind in kinds]
    try:
        yield
    finally:
        for kind, handler_before in zip(kinds, before, strict=True):
            signal.signal(kind, handler_before)


def end(pids: Iterable[int], patience_seconds: float = 20.0) -> None:
    """Kill processes with everything in their sessions; LabError when one is still alive after a while.

    Not a clean shutdown: the data is deleted anyway, and a paused process would not react.
    """
    waiting = set(pids)
    for pid in waiting:
        _kill(pid)
    until = time.monotonic() + patience_seconds
    while waiting := {pid for pid in waiting if not ended(pid)}:
        if time.monotonic() > until:
            raise LabError(f"process {min(waiting)} did not end")
        time.sleep(_POLL_SECONDS)


def _kill(pid: int) -> None:
    try:
        if os.getpgid(pid) == pid:
            os.killpg(pid, signal.SIGKILL)
        else:
            os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    except PermissionError:
        raise LabError(f"process {pid} belongs to another user") from None


def _boot() -> str:
    return (_PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
