"""How is a network namespace created, entered and removed? With iproute2, as root; namespaces are found by name.

A lab's namespaces are called `advisor-HOME-LAB-m1`, …, and `advisor-HOME-LAB-net` for what lies between its members,
where HOME distinguishes labs of the same name in different folders. veth pairs and TUN devices disappear with them.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final
from zlib import crc32

from advisor.errors import LabError
from advisor.lab import folders

_FOLDER: Final = Path("/run/netns")
_SECONDS: Final = 20
_NEW_NETWORK: Final = 0x40000000  # CLONE_NEWNET


def name_of(lab: str, what: str) -> str:
    """The namespace of a member ("m1"), or of what lies between members ("net")."""
    home = crc32(os.fsencode(folders.labs()))
    return f"advisor-{home:08x}-{lab}-{what}"


def why_not() -> str:
    """Why namespaces cannot be created here; "" when they can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    lacking = [program for program in ("ip", "tc", "ss", "nsenter") if not shutil.which(program)]
    return f"{' and '.join(lacking)} not found (packages iproute2, util-linux)" if lacking else ""


def make(name: str) -> None:
    """Create a namespace; LabError when the name exists already."""
    run(["ip", "netns", "add", name])


def remove(lab: str) -> None:
    """Remove all namespaces of a lab, after its processes have ended.

    Connections of killed servers are closed first; they would keep the namespace for a minute or longer.
    """
    if not _FOLDER.is_dir():
        return
    mine = re.compile(re.escape(name_of(lab, "")) + r"(m\d+|net)")
    for place in sorted(_FOLDER.iterdir()):
        if mine.fullmatch(place.name):
            with suppress(LabError):  # on kernels that cannot close connections they time out
                run([*entering(place.name), "ss", "--kill", "--tcp", "state", "all"])
            run(["ip", "netns", "delete", place.name])


def entering(name: str) -> tuple[str, ...]:
    """Words before a command that run it in a namespace, as the same process."""
    return ("nsenter", f"--net={_FOLDER / name}", "--")


def enter(name: str) -> None:
    """Move this thread, and what it opens from now on, into a namespace. LabError when that is refused."""
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        handle = os.open(_FOLDER / name, os.O_RDONLY)
    except OSError as error:
        raise LabError(f"no network namespace {name}: {error.strerror}") from None
    try:
        if libc.setns(handle, _NEW_NETWORK):
            raise LabError(f"cannot enter the network namespace {name}: {os.strerror(ctypes.get_errno())}")
    finally:
        os.close(handle)


def configure(name: str, commands: Iterable[str]) -> None:
    """Run commands of `ip`, one a line, in a namespace ("": ours)."""
    where = ["-netns", name] if name else []
    run(["ip", *where, "-batch", "-"], "\n".join(commands) + "\n")


def run(words: list[str], text: str = "") -> str:
    """What a program prints; LabError with its first line of output when it fails."""
    try:
        done = subprocess.run(
            words, input=text, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False
        )
    except OSError as error:
        raise LabError(f"cannot run {words[0]}: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise LabError(f"{' '.join(words)} took more than {_SECONDS} seconds") from None
    if done.returncode:
        output = (done.stderr or done.stdout).strip().splitlines()
        raise LabError(f"{' '.join(words)}: {output[0] if output else f'exit code {done.returncode}'}")
    return done.stdout
