"""Which files and which command line belong together on one server, and which of them wins?

Option files, then the command line, then what SET PERSIST wrote (https://dev.mysql.com/doc/refman/8.4/en/
persisted-system-variables.html).
"""

from __future__ import annotations

import os
from typing import Final

from advisor.errors import InputError
from advisor.evidence.folder_contents import AUTO_FILE
from advisor.evidence.formats.any_text import read_text_evidence
from advisor.evidence.formats.beyond_files import process_list, systemd_unit
from advisor.evidence.formats.option_text import joined
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.source.files import as_text, read_bytes
from advisor.evidence.topology_hints import last_written
from advisor.model.options import Reading
from advisor.model.record import replace
from advisor.options import read_default_files, read_file
from advisor.options.files import under

_DATADIR: Final = "/var/lib/mysql"  # of the packages


def read_by_itself(root: str) -> Reading:
    """The option files and the command line of the systemd unit below `root`; the latter wins over them."""

    def read(path: str) -> Reading | None:
        copy = under(root, path)
        return read_file(copy, root=root, same_host=True, go_on=True) if os.path.isfile(copy) else None

    by_itself = read_default_files(root)
    unit = systemd_unit.installed_unit(root) if root not in ("", "/") else None
    if unit is None or not (unit.command.arguments or unit.command.files):
        return by_itself
    return unit.with_files([by_itself], read, "")


def with_command_line(one: Reading, other: Reading, path: str) -> Reading:
    """An option file, and behind it what a unit or a process shows of the command line. InputError for another pair."""
    file, command = (one, other) if not one.kept_in else (other, one)
    if file.kept_in or command.kept_in not in (process_list.KIND, systemd_unit.KIND):
        raise InputError("two option files for one server", file=path, hint="check each option file on its own")
    name = os.path.basename(file.files[0]) if file.files else ""
    problems = tuple(problem for problem in command.problems if f"/{name}: this file is not" not in problem.message)
    return joined([file, replace(command, problems=problems)], "")


def add_persisted(builder: MemberBuilder, root: str) -> None:
    """What SET PERSIST wrote into the data directory that the option files name, where that is below `root`.

    Without a name it is that of the packages. A server with persisted_globals_load=OFF reads nothing there.
    """
    datadir = (last_written(builder.options, "datadir") if builder.options else "") or _DATADIR
    if builder.options and last_written(builder.options, "persisted_globals_load").lower() in ("off", "0"):
        return
    path = os.path.join(root, datadir.lstrip("/"), AUTO_FILE)
    if not datadir.startswith("/") or not os.path.isfile(path) or not os.access(path, os.R_OK):
        return
    builder.add(read_text_evidence(as_text(read_bytes(path, path), path), path))
