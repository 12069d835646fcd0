"""Would the servers start with their option files as they are now? Their own check answers and starts nothing.

MySQL has `--validate-config` since 8.0.16; MariaDB reads everything before it answers `--verbose --help`. Both also
report errors that do not keep them from starting, such as a wrong option of a plugin, with exit code 0: what counts is
an error that the file did not cause before.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from advisor.bench.measure.host import server_processes
from advisor.model.lab import ClusterMember
from advisor.model.record import record
from advisor.model.server import Family, Release
from advisor.nodes import Node
from advisor.tune.trial import restart

_VALIDATES: Final = (8, 0, 16)
_SECONDS: Final = 30.0  # it takes 0.05 to 0.5 s; a machine under load may be slow
_ERROR: Final = re.compile(r"\[ERROR\]\s*(?:\[MY-\d+\]\s*)?(?:\[\w+\]\s*)?(?:\S*/(?:mysqld|mariadbd): )?(.+)")
_EMPTY: Final = "{empty}"
_NOT_ITS_DATA: Final = f"--datadir={_EMPTY}"  # MariaDB looks for its list of plugins there, and a server may be running
_LAST_WORDS: Final = "Aborting"


@record
class Check:
    """A member, and the command that makes its server binary check the option files it would start with."""

    member: ClusterMember
    words: tuple[str, ...]


def checks_of(members: Sequence[ClusterMember], nodes: Sequence[Node], release: Release) -> list[Check]:
    """The members that can be checked from here: a lab's, and those whose server runs on this machine."""
    check_arguments = _check_arguments(release)
    here = {name.partition(":")[2]: pids[0] for name, pids in server_processes(nodes).items()}
    checks = []
    for member in members:
        words = member.start or (_started_with(here[member.name]) if member.name in here else ())
        if words and check_arguments and restart.option_file_of(member):
            checks.append(Check(member, (*words, *check_arguments)))
    return checks


def unchecked(members: Sequence[ClusterMember], nodes: Sequence[Node], release: Release) -> str:
    """Which members' option files cannot be validated beforehand, and why, in words; "" when all can."""
    if not _check_arguments(release):
        return f"{release.label} cannot validate option files, so each setting that it refuses costs a restart"
    can = {check.member.name for check in checks_of(members, nodes, release)}
    cannot = [member.name for member in members if member.name not in can and (member.start or member.restart)]
    if not cannot:
        return ""
    names = ", ".join(cannot)
    return f"{names}: there is no server binary here to validate option files, so each refused setting costs a restart"


def complaints(check: Check) -> frozenset[str] | None:
    """The errors that the server finds in its option files as they are now; None when it cannot be asked."""
    option_file = restart.option_file_of(check.member)
    return _complaints(check.words, option_file.text if option_file else None)


@lru_cache(maxsize=64)
def _complaints(words: tuple[str, ...], text: str | None) -> frozenset[str] | None:
    """`text` is what the files said: the same need not be checked again."""
    with tempfile.TemporaryDirectory(prefix="advisor-check-") as empty:
        try:
            completed = subprocess.run(
                [word.replace(_EMPTY, empty) for word in words],
                capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
    errors = frozenset(errors_in(completed.stderr))
    return errors if errors or not completed.returncode else None  # it failed before it read the options


def errors_in(text: str) -> list[str]:
    """The errors in a server's output, without time, number and path."""
    errors = [match[1].strip() for line in text.splitlines() if (match := _ERROR.search(line))]
    return [error for error in errors if error != _LAST_WORDS]


def _check_arguments(release: Release) -> tuple[str, ...]:
    if release.family is Family.MARIADB:
        return (_NOT_ITS_DATA, "--loose-wsrep-on=OFF", "--verbose", "--help")
    return ("--validate-config",) if release.version >= _VALIDATES else ()


def _started_with(pid: int) -> tuple[str, ...]:
    """The words a running server was started with; () where they cannot be seen."""
    try:
        program = os.readlink(f"/proc/{pid}/exe")
        words = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "surrogateescape").split("\0")[1:-1]
    except OSError:
        return ()
    return (program, *words)
