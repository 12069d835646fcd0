"""What was set before tuning changed it, and what has been changed since? A file that survives a crash.

Lines of JSON, each on disk before what it announces is done. `begin` has every member's values and option file; what
follows is not undone until a line says `restored`. A torn last line announced something that was never done.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from advisor.errors import InputError, WriteError
from advisor.lab.processes import Process
from advisor.model.record import field, record

FORMAT: Final = "1"
_BEGINS: Final = '{"event": "'
_BY_HAND: Final = "restore the values listed in it by hand, then move the file away"


@record
class OptionFile:
    """A member's option file: that of a lab, or the include file that is ours (`text` None: it did not exist)."""

    path: str
    text: str | None


@record
class Originals:
    """Every member as it was found: values by the server's name, as SHOW VARIABLES gave them, and its option file.

    `values` are of knobs that may change, `relied` of protected settings, which are only compared.
    """

    cluster: str
    values: Mapping[str, Mapping[str, str]]
    relied: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    files: Mapping[str, OptionFile] = field(default_factory=dict)


@record
class DataCommand:
    """The user's command that brings the data back: its text, how long it may take, and what it is told."""

    text: str
    limit_seconds: float
    environment: Mapping[str, str] = field(default_factory=dict)


@record
class JournalState:
    """What a journal says. `originals` None: nothing was ever changed; `open`: not everything is restored yet.

    `restart`: option files were written since, so a server may run with them, or start with them at any time.
    `applied`: the change is permanent; only `rollback` undoes it. `differences`: the settings that still differed when
    everything else had been restored, in words. `appliers_stopped`: the appliers of replicas were stopped to let a
    backlog grow, and not started since. `data`: the command that brings the data back, None where there is none or
    nothing wrote since it ran. `command`: a command of the user's that was begun, and did not end as far as we know.
    """

    originals: Originals | None
    open: bool = False
    restart: bool = False
    applied: bool = False
    differences: tuple[str, ...] = ()
    appliers_stopped: bool = False
    data: DataCommand | None = None
    command: Process | None = None
    last: Mapping[str, Any] = field(default_factory=dict)


class Journal:
    """A journal to be written. Every line is on disk when `note` returns; WriteError when it cannot be.

    With `must` False a line that cannot be written is skipped: restoring matters more than recording it, and without
    the last line the cluster is restored once more.
    """

    def __init__(self, path: Path, must: bool = True) -> None:
        self._path, self._must = path, must
        self._torn = True

    def begin(self, originals: Originals) -> None:
        """From here on the cluster may be changed."""
        files = {member: [file.path, file.text] for member, file in originals.files.items()}
        values = {member: dict(settings) for member, settings in originals.values.items()}
        relied = {member: dict(settings) for member, settings in originals.relied.items()}
        self.note("begin", format=FORMAT, cluster=originals.cluster, values=values, relied=relied, files=files)

    def note(self, event: str, **details: object) -> None:
        """Announce what is done next, or say what happened."""
        line = json.dumps({"event": event, "at": round(time.time(), 3), **details})
        try:
            if self._torn:
                self._mend()
            with open(self._path, "a", encoding="utf-8") as stream:
                self._torn = True
                stream.write(line + "\n")
                stream.flush()
                os.fsync(stream.fileno())
            self._torn = False
        except OSError as error:
            if self._must:
                raise WriteError(f"cannot be written: {error.strerror}", file=str(self._path)) from None

    def note_appliers(self, stopped: bool) -> None:
        """Announce that the appliers of replicas are stopped, or say that they were started."""
        self.note("appliers", stopped=stopped)

    def note_load(self) -> None:
        """Announce that a load writes from now on."""
        self.note("load")

    def _mend(self) -> None:
        """End a torn last line, so that the next does not become part of it."""
        if self._path.exists() and (text := self._path.read_bytes()) and not text.endswith(b"\n"):
            with open(self._path, "ab") as stream:
                stream.write(b"\n")


def read_journal(path: Path) -> JournalState:
    """The state that a journal describes; InputError for a line, other than a torn one, that is not of a journal."""
    originals: Originals | None = None
    opened = restart = applied = stopped = False
    differences: tuple[str, ...] = ()
    last: dict[str, Any] = {}
    data = _Data()
    for number, line in enumerate(_lines(path), 1):
        if (row := _row(line, path, number)) is None:
            continue
        event = row["event"]
        if event == "begin":
            originals, opened, restart, applied = _originals(row, path, number), True, False, False
            differences = ()
        elif event == "restored":
            opened = restart = applied = False
            differences = tuple(row.get("differences", ()))
        elif event == "files":
            restart = True
        elif event == "appliers":
            stopped = bool(row.get("stopped"))
        elif event == "applied":
            applied = True
        try:
            data = data.after(row)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise InputError(
                "a line of the journal is incomplete", file=str(path), line=number, hint=_BY_HAND
            ) from None
        last = row
    due = data.restores if data.changed else None
    return JournalState(originals, opened, restart, applied, differences, stopped, due, data.running, last)


@record
class _Data:
    """What the lines so far say of the user's commands: the one that brings the data back, and whether it is due."""

    restores: DataCommand | None = None
    changed: bool = False
    running: Process | None = None

    def after(self, row: Mapping[str, Any]) -> _Data:
        """The same after one more line."""
        event = row["event"]
        if event == "begin":
            return _Data()
        if event == "command":
            process = Process(*row["process"]) if "process" in row else None
            if row["command"] != "restore":
                return _Data(self.restores, True, process)
            environment = {str(name): str(value) for name, value in row["environment"].items()}
            return _Data(DataCommand(row["text"], float(row["limit_seconds"]), environment), True, process)
        if event == "command_ended":
            return _Data(self.restores, self.changed and not (row["command"] == "restore" and row["ended_well"]))
        if event == "load":
            return _Data(self.restores, True)
        return _Data(self.restores, False) if event == "restored" else self


def _row(line: str, path: Path, number: int) -> dict[str, Any] | None:
    """What a line announces; None for a torn one."""
    try:
        row = json.loads(line)
    except ValueError:
        if line.startswith(_BEGINS) or _BEGINS.startswith(line):
            return None
        row = None
    if not isinstance(row, dict) or "event" not in row:
        raise InputError("not a line of a journal", file=str(path), line=number, hint=_BY_HAND)
    return row


def _originals(row: Mapping[str, Any], path: Path, number: int) -> Originals:
    if (written := row.get("format")) != FORMAT:
        fault = f"format {written!r}, but this release of advisor reads {FORMAT}"
        raise InputError(
            fault,
            file=str(path),
            line=number,
            hint="restore the cluster with the release of advisor that wrote this file",
        )
    try:
        files = {member: OptionFile(*file) for member, file in row["files"].items()}
        values, relied = (
            {member: dict(settings) for member, settings in row[key].items()} for key in ("values", "relied")
        )
        return Originals(row["cluster"], values, relied, files)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InputError(
            "the `begin` line of the journal is incomplete", file=str(path), line=number, hint=_BY_HAND
        ) from None


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text(encoding="utf-8").split("\n") if line]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(path)) from None
    except UnicodeDecodeError:
        raise InputError("not text", file=str(path), hint=_BY_HAND) from None
