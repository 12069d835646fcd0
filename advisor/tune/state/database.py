"""How is a study kept in a database that several clones share, and what time is it there?

A database that Optuna knows: MySQL or MariaDB, PostgreSQL, or a SQLite file where all participants are on one machine.
The password is never part of an address. It comes from the places that `advisor.collect.login` names; for PostgreSQL
from PGPASSWORD and ~/.pgpass instead of MySQL's files.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from advisor.collect.login import Login, find_login
from advisor.errors import InputError, ServerError, UsageError
from advisor.model.record import record

if TYPE_CHECKING:
    import optuna
    import sqlalchemy

FORM: Final = "mysql://USER@HOST/DATABASE, postgresql://USER@HOST/DATABASE or sqlite:///FILE"
_BUSY_SECONDS: Final = 60  # how long to wait for a file that others write to
_OPENINGS: Final = 10
_BETWEEN_OPENINGS_SECONDS: Final = 0.3
_ANSWER_SECONDS: Final = 120  # a turn is waited for 60 s at most
_DRIVERS: Final = {
    "mysql": "mysql+pymysql", "mariadb": "mysql+pymysql",
    "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg", "sqlite": "sqlite",
}  # fmt: skip
_PORTS: Final = {"mysql+pymysql": 3306, "postgresql+psycopg": 5432}
_PATIENCE_SECONDS: Final = 300.0  # a storage that restarts must not end a tuning run
_AGAIN_SECONDS: Final = 3.0
T = TypeVar("T")


@record
class StorageAddress:
    """Where a storage is, without its password: the file of SQLite, or server and database."""

    driver: str
    host: str = ""
    port: int = 0
    user: str = ""
    database: str = ""
    socket: str = ""
    file: str = ""


@record
class Connection:
    """A connection to a storage in which nothing was created. `url` is its address, which never has a password."""

    url: str
    address: StorageAddress
    engine: sqlalchemy.Engine

    def close(self) -> None:
        """End all connections."""
        self.engine.dispose()


@record
class Storage:
    """A storage with Optuna's tables."""

    url: str
    address: StorageAddress
    engine: sqlalchemy.Engine
    backend: optuna.storages.RDBStorage

    def close(self) -> None:
        """End all connections."""
        self.engine.dispose()
        self.backend.engine.dispose()


def parse_storage(text: str, login: Login = Login()) -> StorageAddress:  # noqa: B008 – records are frozen
    """The address in a text; UsageError for a text that is not one, or that holds a password."""
    try:
        parts = urlsplit(text)
        port, given = parts.port, parse_qs(parts.query, keep_blank_values=True)
    except ValueError:
        raise UsageError("--storage: the port is not a number from 1 to 65535", hint=f"e.g. {FORM}") from None
    if parts.password is not None:
        hint = "remove it and set ADVISOR_PASSWORD, or name a file with --password-file"
        raise UsageError("--storage holds a password, which every user of this machine can see", hint=hint)
    driver, database = _DRIVERS.get(parts.scheme, ""), unquote(parts.path.removeprefix("/"))
    if not driver or not database or set(given) - {"socket"} or bool(parts.hostname or given) == (driver == "sqlite"):
        raise UsageError(f"--storage {text.partition('?')[0]!r} does not name a database", hint=f"e.g. {FORM}")
    if driver == "sqlite":
        return StorageAddress(driver, file=str(Path(database).expanduser().resolve()))
    return StorageAddress(
        driver=driver,
        host=unquote(parts.hostname or "localhost"),
        port=port or _PORTS[driver],
        user=unquote(parts.username or "") or login.user,
        database=database,
        socket="".join(given.get("socket", [])[:1]),
    )


def url_of(address: StorageAddress) -> str:
    """The whole address as text, without a password."""
    if address.file:
        return f"sqlite:///{address.file}"
    scheme, user = address.driver.partition("+")[0], f"{address.user}@" if address.user else ""
    socket = f"?socket={address.socket}" if address.socket else ""
    return f"{scheme}://{user}{address.host}:{address.port}/{address.database}{socket}"


def connect(text: str, password_file: str = "", environment: Mapping[str, str] | None = None) -> Connection:
    """Connect, and create nothing.

    UsageError for a wrong address or a driver that is not installed, ServerError when the server does not answer.
    """
    try:
        import sqlalchemy
    except ImportError:
        raise UsageError("tuning needs Optuna", hint="pip install 'advisor[tune]'") from None
    address, url, options = _ways(text, password_file, environment)
    try:
        engine = sqlalchemy.create_engine(url, **options)
        engine.connect().close()
    except ImportError as error:
        hint = "pip install 'advisor[postgresql]'" if "psycopg" in address.driver else str(error)
        raise UsageError(f"{url_of(address)}: the driver is not installed", hint=hint) from None
    except (sqlalchemy.exc.SQLAlchemyError, RuntimeError) as error:  # RuntimeError: a login that needs `cryptography`
        raise _server_error(url_of(address), error) from None
    return Connection(url_of(address), address, engine)


def open_storage(
    text: str, password_file: str = "", environment: Mapping[str, str] | None = None, make: bool = True
) -> Storage:
    """Connect, and create Optuna's tables if they are missing; with `make` False that is a UsageError."""
    address = parse_storage(text)
    if not make and address.file and not Path(address.file).exists():
        raise _nothing_in(url_of(address))  # connecting would create it
    connection = connect(text, password_file, environment)
    import optuna
    import sqlalchemy

    with storage_errors(connection.url):
        empty = not make and not sqlalchemy.inspect(connection.engine).has_table("trials")
    if empty:
        connection.close()
        raise _nothing_in(connection.url)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    _, url, options = _ways(text, password_file, environment)
    try:
        backend = _backend(url, options)
    except (sqlalchemy.exc.SQLAlchemyError, optuna.exceptions.StorageInternalError, RuntimeError) as error:
        connection.close()
        raise _server_error(connection.url, error) from None
    return Storage(connection.url, connection.address, connection.engine, backend)


def _backend(url: str, options: dict[str, Any]) -> optuna.storages.RDBStorage:
    """Optuna's storage. Another program may be creating its tables at this moment: the second one waits."""
    import optuna
    import sqlalchemy

    for attempt in range(1, _OPENINGS + 1):
        try:
            return optuna.storages.RDBStorage(url, engine_kwargs=options)
        except sqlalchemy.exc.DBAPIError as error:
            made_meanwhile = any(word in str(error).lower() for word in ("duplicate", "already exists", "unique"))
            if not made_meanwhile or attempt == _OPENINGS:
                raise
            time.sleep(_BETWEEN_OPENINGS_SECONDS)
    raise AssertionError("unreachable")


def _nothing_in(where: str) -> UsageError:
    return UsageError(f"{where} has no studies", hint="`advisor tune --storage …` creates one")


def _ways(
    text: str, password_file: str, environment: Mapping[str, str] | None
) -> tuple[StorageAddress, str, dict[str, Any]]:
    """The address, the same for SQLAlchemy without a password, and how to log in."""
    import sqlalchemy

    given = os.environ if environment is None else environment
    if parse_storage(text).driver.startswith("postgresql"):  # ~/.my.cnf is not about it
        given = {name: word for name, word in given.items() if name == "ADVISOR_PASSWORD"}
    login = find_login(password_file, given)
    address = parse_storage(text, login)
    if address.file and not Path(address.file).parent.is_dir():
        raise InputError("there is no such folder", file=str(Path(address.file).parent))
    url = sqlalchemy.URL.create(
        address.driver,
        address.user or None,
        None,
        address.host or None,
        address.port or None,
        address.file or address.database,
    )
    return address, str(url), {"connect_args": _arguments(address, login.password), "pool_pre_ping": True}


def _arguments(address: StorageAddress, password: str) -> dict[str, Any]:
    """How to log in. Times are UTC: heartbeats would seem to stop in the hour that clocks skip in spring."""
    if address.driver == "sqlite":
        return {"timeout": _BUSY_SECONDS}
    if address.driver.startswith("mysql"):
        secret = {"password": password.encode()} if password else {}
        socket = {"unix_socket": address.socket} if address.socket else {}
        return {
            **secret,
            **socket,
            "charset": "utf8mb4",
            "connect_timeout": 10,
            "read_timeout": _ANSWER_SECONDS,
            "init_command": "SET time_zone = '+00:00'",
        }
    return _postgresql_arguments(address, password)


def _postgresql_arguments(address: StorageAddress, password: str) -> dict[str, Any]:
    """Without a password libpq looks for one. It waits for ever: these settings end that, on either side."""
    folder, _, port = address.socket.partition("/.s.PGSQL.")  # libpq wants a socket's folder and port
    timeouts = ("statement_timeout", "idle_in_transaction_session_timeout")
    return {
        **({"password": password} if password else {}),
        **({"host": folder} if folder else {}),
        **({"port": int(port)} if port.isdecimal() else {}),
        "connect_timeout": 10,
        "keepalives_idle": 30,
        "keepalives_interval": 10,
        "tcp_user_timeout": _ANSWER_SECONDS * 1000,
        "options": " ".join(["-c timezone=UTC", *(f"-c {name}={_ANSWER_SECONDS}s" for name in timeouts)]),
    }


@contextmanager
def storage_errors(where: str) -> Iterator[None]:
    """Turn the errors of a storage into ServerError."""
    import optuna
    import sqlalchemy

    try:
        yield
    except (sqlalchemy.exc.SQLAlchemyError, optuna.exceptions.StorageInternalError) as error:
        raise _server_error(where, error) from None


def _server_error(where: str, error: Exception) -> ServerError:
    """What the server said, without the statement that SQLAlchemy adds."""
    cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
    plain = getattr(cause, "orig", None) or cause
    number = plain.args[0] if plain.args and isinstance(plain.args[0], int) else 0
    lines = str(plain.args[-1] if plain.args else plain).splitlines() or ["no answer"]
    hint = _hint(number, str(getattr(plain, "sqlstate", "")), lines[0])
    return ServerError(f"the storage {where}: {lines[0]}", number=number, hint=hint)


def _hint(number: int, state: str, words: str) -> str:
    """What to do about it. Of a login that failed PostgreSQL's driver has words, and no number."""
    if number == 1049 or ('FATAL:  database "' in words and words.endswith("does not exist")):
        return "CREATE DATABASE first: `advisor` creates only the tables"
    if number == 1045:
        return "the password: ADVISOR_PASSWORD, --password-file, or [client] in ~/.my.cnf"
    if "password authentication failed" in words or "no password supplied" in words:
        return "the password: ADVISOR_PASSWORD, --password-file, PGPASSWORD or ~/.pgpass"
    if state == "42501":
        return "make this user the owner of the database, or let it create tables: GRANT CREATE ON SCHEMA public"
    return ""


def with_retries(where: str, action: Callable[[], T], seconds: float = _PATIENCE_SECONDS) -> T:
    """The result of an action, retried while the storage does not answer; ServerError after that time."""
    until = time.monotonic() + seconds
    while True:
        try:
            with storage_errors(where):
                return action()
        except ServerError:
            if time.monotonic() > until:
                raise
        time.sleep(_AGAIN_SECONDS)


def storage_time(storage: Storage) -> float:
    """Seconds since 1970 by the storage's clock: the participants' own may differ."""
    from sqlalchemy import text

    statement = {
        "mysql": "SELECT UNIX_TIMESTAMP(NOW(3))",
        "postgresql": "SELECT EXTRACT(EPOCH FROM clock_timestamp())",
    }.get(storage.engine.name)
    if statement is None:
        return time.time()  # a file: all participants are on this machine
    with storage.engine.connect() as connection:
        return float(connection.execute(text(statement)).scalar_one())
