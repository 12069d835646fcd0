"""Which command opens a command-line client on a member?"""

from __future__ import annotations

import shutil

from advisor.errors import LabError, UsageError
from advisor.lab.servers.binaries import find_servers, server_at
from advisor.lab.state import read_lab


def client_command(name: str, number: int, statement: str) -> list[str]:
    """The client's command line; the password stays in its option file. `statement` "" opens a prompt."""
    cluster = read_lab(name)
    if not 1 <= number <= len(cluster.members):
        raise UsageError(f"there is no member {number}; members are 1 to {len(cluster.members)}")
    member = cluster.members[number - 1]
    return [
        *_client(member.start, cluster.server),
        f"--defaults-file={cluster.password_file}",
        f"--socket={member.socket}",
        *(["--execute", statement] if statement else []),
    ]


def _client(start: tuple[str, ...], server: str) -> tuple[str, ...]:
    """The client that came with the server, else any on PATH."""
    program = start[-2] if len(start) > 1 else ""
    own = next((found for found in find_servers() if found.place == program), None) or server_at(program)
    if own.client:
        return own.client
    on_path = shutil.which("mariadb") or shutil.which("mysql")
    if on_path is None:
        raise LabError(f"no command-line client found for {server}", hint="install mysql-client or mariadb-client")
    return (on_path,)
