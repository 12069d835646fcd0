"""Which option files does a real server program accept, and which values does it read from them?

MySQL is asked with --validate-config, MariaDB with --help --verbose, both in an empty data directory. The latter goes
on without a plugin whose options are wrong, where a real start ends (docs/start-verdicts.md), and says so in its log.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from advisor.lab import folders
from advisor.lab.servers.binaries import server_at
from advisor.model.lab import ServerBinary
from advisor.model.record import record
from advisor.model.server import Family

PRODUCTS: Final = {"mysql-9.7.4": "mysql", "mariadb-10.11.19": "mariadb"}
_SECONDS: Final = 60
_HELP: Final = ("--help", "--verbose")
_PLUGIN_LOST: Final = re.compile(rb"\[ERROR\].*(?:Disabling plugin|Plugin '\w+' (?:init|registration))")
_VALUES: Final = "Variables (--variable-name=value)"
_AT_RANDOM: Final = frozenset({"debug_crc"})


@record
class Answer:
    """Whether the program accepts a file, and the values that it reads from it by canonical spelling."""

    accepted: bool
    values: Mapping[str, str]


def programs() -> list[str]:
    """The releases that can be asked on this machine."""
    return [release for release in PRODUCTS if _installed(release)]


def ask(file: Path, release: str) -> Answer:
    """What the real program of this release makes of the option file."""
    server = _server(release)
    shown = _run(server, file, _HELP)
    accepted = shown.returncode == 0 and not _PLUGIN_LOST.search(shown.stderr)
    if server.family is Family.MYSQL:
        accepted = _run(server, file, ("--validate-config",)).returncode == 0
    return Answer(accepted, _values(shown.stdout.decode("utf-8", "replace")))


def _run(server: ServerBinary, file: Path, words: tuple[str, ...]) -> subprocess.CompletedProcess[bytes]:
    own = ["--secure-file-priv="] if server.family is Family.MYSQL else []
    paths = [f"--basedir={server.basedir}", f"--lc-messages-dir={server.messages_dir}", "--datadir=."]
    command = [*server.command, f"--defaults-file={file}", "--user=root", *paths, *own, *words]
    return subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False, cwd=file.parent)


def _values(text: str) -> dict[str, str]:
    """The table below the help: one name and its value on each line."""
    lines = text.partition(_VALUES)[2].split("\n")
    pairs = (line.partition(" ") for line in lines if re.match(r"[a-z][\w-]* ", line))
    return {name.replace("-", "_"): value.strip() for name, _, value in pairs if name not in _AT_RANDOM}


@cache
def _server(release: str) -> ServerBinary:
    return server_at(PRODUCTS[release])


def _installed(release: str) -> bool:
    if not (folders.prefixes() / PRODUCTS[release]).is_dir():
        return False
    return ".".join(map(str, _server(release).version)) == release.partition("-")[2]
