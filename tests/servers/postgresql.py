"""Which PostgreSQL server can tests use, and how does one run? A study is kept there; labs have none.

It is Debian's or Ubuntu's: in a prefix of the user's own, or the system's. It refuses to run as root, so root starts it
as `nobody`, from a copy: nobody may look into root's folders.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from advisor.lab import folders
from advisor.lab.servers.install import Recipe, follow
from advisor.model.record import record

# 15 is what these tests were written with. Left out: what only compiles queries, asks questions or translates.
RECIPE: Final = Recipe(
    packages=(("postgresql-15",), ("postgresql-17",), ("postgresql-16",), ("postgresql-14",)),
    suites={"debian": ("",), "ubuntu": ("",)},
    elsewhere="install the package `postgresql` of the system",
    left_out=(
        "libc6", "tzdata", "debconf", "locales", "ssl-cert", "postgresql-common",
        *(f"postgresql-client-{release}" for release in (14, 15, 16, 17)),
        "libllvm14", "libllvm17t64", "libllvm19",
    ),
)  # fmt: skip
_SECONDS: Final = 30.0


@record
class Keeper:
    """A server that runs. `owner` may do everything; his password is `secret`."""

    port: int
    owner: str
    secret: str
    folder: Path

    def run(self, *statements: str) -> list[Any]:
        """Statements one after the other; the first row of the last."""
        import psycopg

        with psycopg.connect(
            host="127.0.0.1", port=self.port, user=self.owner, password=self.secret, dbname="postgres", autocommit=True
        ) as session:
            done = [session.execute(statement) for statement in statements]  # type: ignore[call-overload]
            return list(done[-1].fetchone() or ()) if done[-1].description else []


def find() -> Path | None:
    """The folder of its programs, in the prefix else the system; None where there is none."""
    for top in (folders.prefixes() / "postgresql", Path("/")):
        for program in sorted(top.glob("usr/lib/postgresql/*/bin/initdb")):
            return program.parent
    return None


def install(tell: Callable[[str], None]) -> None:
    """Fetch it into a prefix of the user's own; LabError when that cannot be."""
    follow("postgresql", RECIPE, tell)


@contextmanager
def running(programs: Path) -> Iterator[Keeper]:
    """A server of its own on a free port of this machine, which asks for passwords; gone afterwards.

    PermissionError where root cannot become another.
    """
    with TemporaryDirectory(prefix="advisor-postgresql-") as name:
        folder, user = Path(name), _user()
        if user:
            shutil.chown(folder, user["user"], user["group"])
            programs = _copied(programs, folder / "server")
        keeper = Keeper(_free_port(), "boss", secrets.token_hex(8), folder)
        process = _started(programs, keeper, user)
        try:
            _wait(process, keeper)
            yield keeper
        finally:
            process.send_signal(signal.SIGQUIT)  # at once: its data is thrown away
            process.wait(_SECONDS)


def _user() -> dict[str, Any]:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": ()}


def _copied(programs: Path, into: Path) -> Path:
    prefix = folders.prefixes() / "postgresql"
    if not programs.is_relative_to(prefix):
        return programs
    shutil.copytree(prefix, into, symlinks=True, ignore=shutil.ignore_patterns("bitcode", "doc", "locale", "man"))
    into.chmod(0o755)
    return into / programs.relative_to(prefix)


def _started(programs: Path, keeper: Keeper, user: dict[str, Any]) -> subprocess.Popen[bytes]:
    top, data, log = programs.parents[4], keeper.folder / "data", keeper.folder / "log"
    libraries = [] if top == Path("/") else [*top.glob("usr/lib/*-linux-gnu*"), *top.glob("lib/*-linux-gnu*")]
    way: dict[str, Any] = {
        "cwd": keeper.folder, "stderr": subprocess.STDOUT, **user,
        "env": {"LC_ALL": "C", "PATH": os.defpath, "LD_LIBRARY_PATH": ":".join(map(str, libraries))},
    }  # fmt: skip
    word = keeper.folder / "word"
    word.write_text(keeper.secret, encoding="utf-8")
    make = [str(programs / "initdb"), "-D", str(data), "-U", keeper.owner, f"--pwfile={word}", "-A", "scram-sha-256"]
    with log.open("wb") as output:
        made = subprocess.run([*make, "-E", "UTF8", "--locale=C", "--no-sync"], stdout=output, check=False, **way)
        assert made.returncode == 0, log.read_text(encoding="utf-8")
        settings = ("listen_addresses=127.0.0.1", f"unix_socket_directories={keeper.folder}", "fsync=off")
        serve = [str(programs / "postgres"), "-D", str(data), "-p", str(keeper.port)]
        return subprocess.Popen(
            [*serve, *(word for one in settings for word in ("-c", one))], stdout=output, start_new_session=True, **way
        )


def _wait(process: subprocess.Popen[bytes], keeper: Keeper) -> None:
    import psycopg

    until = time.monotonic() + _SECONDS
    while process.poll() is None and time.monotonic() < until:
        try:
            keeper.run("SELECT 1")
            return
        except psycopg.OperationalError:
            time.sleep(0.05)
    raise AssertionError((keeper.folder / "log").read_text(encoding="utf-8"))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
