"""Which server programs of this machine stand for the releases of a move?"""

from __future__ import annotations

from advisor.errors import LabError
from advisor.lab.servers.binaries import find_servers
from advisor.model.lab import ServerBinary
from advisor.model.server import Release


def program_for(release: Release) -> ServerBinary:
    """The program of the release itself, else the newest of its series; LabError, with the way to get one, for none.

    A program of MySQL stands for the same release as another vendor builds it.
    """
    series = [
        server
        for server in find_servers()
        if server.family is release.family and server.version[:2] == release.version[:2]
    ]
    exact = [server for server in series if server.version == release.version]
    if not series:
        number = ".".join(map(str, release.version[:2]))
        raise LabError(
            f"there is no server program of {release.family} {number} on this machine",
            hint=f"`advisor lab install {release.family}-{number}` downloads one, if the distribution has it",
        )
    return exact[0] if exact else max(series, key=lambda server: server.version)


def stands_for(program: ServerBinary, release: Release) -> str:
    """The sentence that says by what a release is represented; "" where it is that release itself."""
    same = program.version == release.version or bool(release.stands_for)
    if same and not release.vendor:
        return ""
    built = f" of {release.vendor}" if release.vendor else ""
    return f"{program.name} was used instead of {release.label}{built and ' (its own options were left out)'}"
