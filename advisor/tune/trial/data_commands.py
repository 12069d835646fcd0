"""Which commands of the user run around a run under load? `--restore` brings the data back, `--prepare` makes it ready.

`--restore` runs before the settings of a run are applied, so it may stop the servers, take their data back to a
snapshot and start them; it runs once more when everything is put back. `--prepare` runs when the servers are up with
these settings, before the load. The journal has each command before it begins, so that `resume` and `rollback` end one
that was left running and bring the data back.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import tempfile
import time
from collections.abc import Mapping
from typing import IO, Final

from advisor.cluster_file import addresses
from advisor.errors import MachineError
from advisor.lab.processes import Process, alive, identify
from advisor.model.lab import ClusterFile
from advisor.model.record import record
from advisor.report.words.values import printable
from advisor.tune.state.journal import Journal

PREPARE, RESTORE = "prepare", "restore"
_POLL_SECONDS: Final = 0.05
_END_SECONDS: Final = 5.0  # until a command that was asked to end is killed
_SHOWN_LINES, _SHOWN_BYTES, _SHOWN_CHARACTERS = 3, 4096, 200
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@record
class DataCommands:
    """The commands as a shell takes them, "" for none, and how long each may take at most, in seconds."""

    prepare: str = ""
    restore: str = ""
    limit_seconds: float = 600.0


def environment_of(
    cluster: ClusterFile, writer: str, kind: str = "", changes: Mapping[str, str] | None = None
) -> dict[str, str]:
    """What a command is told: the cluster, its writer's address, the kind of the trial, its settings that differ.

    `kind` is "" when the data is brought back at the end. No password is among it.
    """
    login = addresses(cluster)[writer]
    return {
        **os.environ,
        "ADVISOR_TRIAL_CLUSTER": cluster.path,
        "ADVISOR_TRIAL_KIND": kind,
        "ADVISOR_TRIAL_CHANGES": json.dumps(dict(changes or {})),
        "ADVISOR_TRIAL_HOST": login.host,
        "ADVISOR_TRIAL_PORT": str(login.port),
        "ADVISOR_TRIAL_SOCKET": login.socket,
        "ADVISOR_TRIAL_USER": login.user,
    }


def run_command(name: str, text: str, limit_seconds: float, environment: Mapping[str, str], journal: Journal) -> None:
    """Run a command to its end. MachineError with its last lines when it fails or takes too long.

    However it is left (Ctrl-C too), its process group has ended, unless it ended well: servers that it started stay.
    """
    told = {"command": name, "text": text, "limit_seconds": limit_seconds}
    told["environment"] = {key: value for key, value in environment.items() if key.startswith("ADVISOR_TRIAL_")}
    journal.note("command", **told)
    with tempfile.TemporaryFile() as output:
        pid = _start(text, environment, output)
        try:
            if process := identify(pid):
                journal.note("command", **told, process=[process.pid, process.started, process.boot])
            code = _code_of(pid, limit_seconds)
        except BaseException:
            _end_group(pid)
            raise
        if code is None:
            _end_group(pid)
        journal.note("command_ended", command=name, ended_well=code == 0)
        if code is None:
            raise MachineError(
                f"--{name} did not end within {limit_seconds:.0f} s{_last_lines(output)}", hint="--command-limit"
            )
        if code:
            ended = f"failed with exit code {code}" if code > 0 else f"was ended by signal {-code}"
            raise MachineError(f"--{name} {ended}{_last_lines(output)}")


def end_left_running(process: Process) -> None:
    """End the command that a killed program left running, with everything in its group."""
    if alive(process):
        _end_group(process.pid)


def _start(text: str, environment: Mapping[str, str], output: IO[bytes]) -> int:
    """A shell in a session of its own, which Ctrl-C does not reach, and which heeds every signal."""
    files = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, output.fileno(), 1),
        (os.POSIX_SPAWN_DUP2, output.fileno(), 2),
    ]
    words = ["/bin/sh", "-c", text]
    return os.posix_spawn(words[0], words, environment, file_actions=files, setsid=True, setsigdef=_SIGNALS)


def _code_of(pid: int, limit_seconds: float) -> int | None:
    """The exit code, below 0 for a signal; None when the time is over."""
    until = time.monotonic() + limit_seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(_POLL_SECONDS)
    return None


def _end_group(pid: int) -> None:
    """Ask the group to end, and kill what is left of it."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        until = time.monotonic() + _END_SECONDS
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, number)
            while time.monotonic() < until:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)  # a zombie would keep its group
                os.killpg(pid, 0)
                time.sleep(_POLL_SECONDS)
            continue
        return


def _last_lines(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - _SHOWN_BYTES))
    lines = [line.strip() for line in output.read().decode("utf-8", "replace").splitlines() if line.strip()]
    shown = [printable(line)[:_SHOWN_CHARACTERS] for line in lines[-_SHOWN_LINES:]]
    return f": {' / '.join(shown)}" if shown else ", without any output"
