"""Which server programs are on this machine?

They are searched on PATH, where systems put servers, in base directories the user names, and in the folders that
`lab install` made. `--version` tells what a program is; its own path tells where its plugins and messages are.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from advisor.errors import LabError
from advisor.lab import folders
from advisor.model.lab import ServerBinary
from advisor.model.record import record
from advisor.model.server import Family, Version

_SERVERS: Final = ("mariadbd", "mysqld")
_SERVER_FOLDERS: Final = ("usr/sbin", "usr/libexec", "sbin", "bin", "usr/bin", "libexec")
_SYSTEM_FOLDERS: Final = ("/usr/sbin", "/usr/libexec", "/usr/local/sbin", "/usr/local/mysql/bin")
_PLUGINS: Final = ("lib/mysql/plugin", "lib64/mysql/plugin", "lib64/mariadb/plugin", "lib/mariadb/plugin", "lib/plugin")
_MESSAGES: Final = ("share/mysql", "share/mariadb", "share")
_PROVIDERS: Final = (
    "lib/galera/libgalera_smm.so", "lib64/galera-4/libgalera_smm.so", "lib64/galera/libgalera_smm.so",
    "lib/libgalera_smm.so",
)  # fmt: skip
_VERSION: Final = re.compile(r"Ver (?:[\d.]+ Distrib )?(\d+)\.(\d+)\.(\d+)")


@record
class LoadGenerator:
    """sysbench: the words that start it, its version, and the folder of its Lua files."""

    command: tuple[str, ...]
    version: Version
    scripts: str


def find_servers(basedirs: Iterable[str] = ()) -> list[ServerBinary]:
    """Every server program, each file once: the user's base directories first, then prefixes, then the system."""
    candidates = [(Path(top), program) for top in basedirs for program in _programs(Path(top), _SERVERS)]
    candidates += [(top, program) for top in _prefixes() for program in _programs(top, _SERVERS)]
    candidates += [(Path("/"), program) for program in _on_system(_SERVERS)]
    servers: dict[str, ServerBinary] = {}
    for top, program in candidates:
        real = os.path.realpath(program)
        if real not in servers and (server := _server(top, program)):
            servers[real] = server
    return list(servers.values())


def server_at(path: str) -> ServerBinary:
    """The server program at a path, in the base directory at a path, or of a product as `lab install` took it.

    LabError when there is none.
    """
    installed = folders.prefixes() / path
    place = installed if "/" not in path and installed.is_dir() else Path(path).expanduser().absolute()
    if place.is_dir():
        programs, tops = _programs(place, _SERVERS), [place]
    else:
        programs, tops = [place], [place.parent.parent, place.parent.parent.parent]  # bin/ in it, or usr/sbin/
    for program in programs:
        for top in tops:
            if server := _server(top, program):
                return server
    raise LabError(f"{path}: no working server program", hint="`advisor lab servers` lists those found")


def find_sysbench() -> LoadGenerator | None:
    """The load generator, from a prefix or the system; None when there is none."""
    for top in [*_prefixes(), Path("/")]:
        for program in _programs(top, ("sysbench",)) if top != Path("/") else _on_system(("sysbench",)):
            command = (*_loader(top), str(program))
            match = re.search(r"(\d+)\.(\d+)\.(\d+)", _output([*command, "--version"]))
            if match:
                version = (int(match[1]), int(match[2]), int(match[3]))
                return LoadGenerator(command, version, str(program.parent.parent / "share/sysbench"))
    return None


def _prefixes() -> list[Path]:
    return sorted(place for place in folders.prefixes().iterdir() if place.is_dir() and place.name[0] != ".")


def _programs(top: Path, names: Iterable[str]) -> list[Path]:
    paths = [top / folder / name for name in names for folder in _SERVER_FOLDERS]
    return [path for path in paths if path.is_file() and os.access(path, os.X_OK)]


def _on_system(names: Iterable[str]) -> list[Path]:
    paths = [shutil.which(name) for name in names]
    paths += [shutil.which(name, path=":".join(_SYSTEM_FOLDERS)) for name in names]
    return [Path(path) for path in paths if path]


def _server(top: Path, program: Path) -> ServerBinary | None:
    command = (*_loader(top), str(program))
    text = _output([*command, "--no-defaults", "--version"])
    match = _VERSION.search(text)
    if not match:
        return None
    family = Family.MARIADB if "mariadb" in text.lower() else Family.MYSQL
    base = program.parent.parent
    client = _first(base / "bin", ("mariadb", "mysql") if family is Family.MARIADB else ("mysql",))
    return ServerBinary(
        family=family,
        version=(int(match[1]), int(match[2]), int(match[3])),
        place=str(program),
        command=command,
        basedir=str(base),
        plugin_dir=_first(base, _PLUGINS),
        messages_dir=_first(base, [f"{folder}/english/errmsg.sys" for folder in _MESSAGES]).removesuffix(
            "/english/errmsg.sys"
        ),
        client=(*_loader(top), client) if client else (),
        galera_provider=_first(base, _PROVIDERS) if family is Family.MARIADB else "",
    )


def _first(base: Path, candidates: Iterable[str]) -> str:
    return next((str(base / candidate) for candidate in candidates if (base / candidate).exists()), "")


def _loader(top: Path) -> tuple[str, ...]:
    """The loader and library path of a prefix with its own C library; () elsewhere.

    Older packages have an absolute link as /lib64/ld-linux-…, which from within a prefix leads out of it.
    """
    folders_of_loader = ("usr/lib64", "lib64", "usr/lib", "lib", "lib/*-linux-gnu*")
    found = [path for folder in folders_of_loader for path in top.glob(f"{folder}/ld-linux*")]
    loaders = [path for path in found if path.resolve().is_relative_to(top.resolve())]
    if top == Path("/") or not loaders:
        return ()
    library_folders = [place for lib in ("usr/lib", "lib") for place in sorted((top / lib).glob("*-linux-gnu*"))]
    library_folders += [place / "mysql/private" for place in library_folders if (place / "mysql/private").is_dir()]
    return (str(loaders[0]), "--library-path", ":".join(map(str, library_folders)))


def _output(words: list[str]) -> str:
    try:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr
