"""Where does a new data directory come from? It is initialised once per server program; members get copies.

The template has two accounts: `root`, for everything, and `replicator`, for logins between members. Their passwords are
random and are kept in a file that only the owner can read.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Final

from advisor.errors import LabError
from advisor.lab import error_log, folders, processes
from advisor.lab.network.emulation import RANGES
from advisor.lab.settings import location_settings, redo
from advisor.model.lab import ServerBinary
from advisor.model.record import record
from advisor.model.server import Family

REPLICATOR: Final = "replicator"
_HOSTS: Final = ("127.0.0.1", *(f"{top}.%" for top in RANGES))  # from where accounts log in
_SECONDS: Final = 180
_SYS_SCHEMA: Final = ("mariadb_sys_schema.sql", "mysql_sys_schema.sql")
_MARIADB_SCRIPTS: Final = (  # in this order, as its own installer feeds them
    ("mariadb_system_tables.sql", "mysql_system_tables.sql"),
    ("mariadb_performance_tables.sql", "mysql_performance_tables.sql"),
    ("mariadb_system_tables_data.sql", "mysql_system_tables_data.sql"),
    ("maria_add_gis_sp_bootstrap.sql",),
    _SYS_SCHEMA,
)


@record
class Template:
    """An initialised data directory, with the passwords of its accounts."""

    data: Path
    root_password: str
    replicator_password: str

    def __repr__(self) -> str:
        return f"Template({self.data})"


def template_for(binary: ServerBinary) -> Template:
    """The template of a server program, made now if there is none; LabError with the server's reason if that fails."""
    stat = os.stat(binary.place)
    key = f"{binary.place} {stat.st_size} {stat.st_mtime_ns} {location_settings(binary)} {redo(binary)} {_HOSTS}"
    place = folders.templates() / f"{binary.name}-{sha256(key.encode()).hexdigest()[:10]}"
    if not place.is_dir():
        _make(binary, place)
    passwords = json.loads((place / "passwords.json").read_text(encoding="utf-8"))
    return Template(place / "data", passwords["root"], passwords[REPLICATOR])


def copy_data(template: Template, target: Path, whole: bool = False) -> None:
    """Copy a template's data directory, sharing blocks or as sparse files where the file system can.

    `whole`: with every block allocated.
    """
    how = ["--reflink=auto", "--sparse=always"] if not whole else ["--reflink=never", "--sparse=never"]
    words = ["cp", "--recursive", *how, f"{template.data}/.", str(target)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"cannot copy the template: {done.stderr.strip()}")


def remove_unfinished() -> None:
    """Remove unfinished templates of a killed `advisor`, and end the servers that were initialising them."""
    for work in folders.templates().glob(".*"):
        maker = work.name.rpartition(".")[2]
        if maker.isdecimal() and not processes.identify(int(maker)):
            processes.end(processes.naming(f"--datadir={work}/"))
            shutil.rmtree(work, ignore_errors=True)


def _make(binary: ServerBinary, place: Path) -> None:
    remove_unfinished()
    work = place.with_name(f".{place.name}.{os.getpid()}")
    shutil.rmtree(work, ignore_errors=True)
    (work / "data").mkdir(mode=0o700, parents=True)
    try:
        passwords = {"root": secrets.token_urlsafe(18), REPLICATOR: secrets.token_urlsafe(18)}
        write_private(work / "passwords.json", json.dumps(passwords))
        write_private(work / "accounts.sql", "\n".join(_accounts(binary, passwords)) + "\n")
        (_initialise_mariadb if binary.family is Family.MARIADB else _initialise_mysql)(binary, work)
        (work / "accounts.sql").unlink()
        (work / "data/auto.cnf").unlink(missing_ok=True)  # every member needs an identity of its own
        try:
            work.rename(place)
        except OSError:  # another process was faster
            if not place.is_dir():
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _accounts(binary: ServerBinary, passwords: dict[str, str]) -> list[str]:
    """One statement per line. Servers run with skip_name_resolve, so TCP logins are matched by address."""
    rights = "REPLICATION SLAVE"
    if binary.family is Family.MYSQL and binary.version >= (8, 0, 27):
        rights += ", CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM"
    root, replicator = passwords["root"], passwords[REPLICATOR]
    lines = [f"ALTER USER 'root'@'localhost' IDENTIFIED BY '{root}';"]
    for host in _HOSTS:
        lines += [
            f"CREATE USER 'root'@'{host}' IDENTIFIED BY '{root}';",
            f"GRANT ALL ON *.* TO 'root'@'{host}' WITH GRANT OPTION;",
            f"CREATE USER '{REPLICATOR}'@'{host}' IDENTIFIED BY '{replicator}';",
            f"GRANT {rights} ON *.* TO '{REPLICATOR}'@'{host}';",
        ]
    return lines


def _words(binary: ServerBinary, work: Path) -> list[str]:
    settings = {**location_settings(binary), **redo(binary), "datadir": str(work / "data"), "tmpdir": str(work)}
    return [*binary.command, "--no-defaults", *(f"--{name}={value}" for name, value in settings.items())]


def _initialise_mysql(binary: ServerBinary, work: Path) -> None:
    words = [*_words(binary, work), "--initialize-insecure", "--skip-log-bin", f"--init-file={work / 'accounts.sql'}"]
    _run(binary, [*words, f"--log-error={work / 'error.log'}"], b"", work)


def _initialise_mariadb(binary: ServerBinary, work: Path) -> None:
    """Feed the system tables to `--bootstrap`, as mariadb-install-db does: it cannot start the server of a prefix."""
    (work / "data/mysql").mkdir(mode=0o700)
    parts = [b"USE mysql;\nSET @skip_auth_anonymous=1;\nSET @auth_root_socket=NULL;\n"]
    for names in _MARIADB_SCRIPTS:
        script = next((path for name in names if (path := Path(binary.messages_dir, name)).exists()), None)
        if script is None and names is _SYS_SCHEMA and binary.version < (10, 6, 0):
            continue  # the sys schema came with 10.6
        if script is None:
            raise LabError(f"{names[0]} is not in {binary.messages_dir}", hint="the installation is incomplete")
        parts.append(script.read_bytes())
    # The scripts make roots without a password for more hosts than the two wanted.
    parts.append(b"\nDELETE FROM mysql.global_priv WHERE User = 'root' AND Host <> 'localhost';\nFLUSH PRIVILEGES;\n")
    parts += [(work / "accounts.sql").read_bytes()]
    _run(binary, [*_words(binary, work), "--bootstrap", "--silent-startup"], b"\n".join(parts), work)


def _run(binary: ServerBinary, words: list[str], text: bytes, work: Path) -> None:
    with open(work / "error.log", "ab") as log:
        try:
            done = subprocess.run(
                words, input=text, stdout=log, stderr=log, cwd=work, timeout=_SECONDS, check=False,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise LabError(f"cannot start {binary.place}: {error.strerror}") from None
        except subprocess.TimeoutExpired:
            raise LabError(f"{binary.place} did not initialise a data directory in {_SECONDS} s") from None
    log_end = error_log.tail(work / "error.log", 200)
    if done.returncode:
        why = "; ".join(error_log.reasons(log_end)) or f"exit code {done.returncode}"
        raise LabError(f"{binary.place} cannot initialise a data directory: {why}")


def write_private(path: Path, text: str) -> None:
    """A new file that only the owner can read, from its first moment."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stream:
        stream.write(text)
