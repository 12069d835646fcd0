"""How are statements sent to a server? The only module that uses PyMySQL, imported when a connection is opened."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Final

from advisor.errors import ServerError
from advisor.model.evidence import Scalar
from advisor.model.lab import Address

if TYPE_CHECKING:
    import pymysql

_BINLOG_DUMP: Final = 0x12  # a command of the protocol
_ONLY_WHAT_IS_THERE: Final = 1  # a flag of it: do not wait for more at the end of the log
_WITH_STATEMENTS: Final = 2  # another, of MariaDB: send Annotate_rows events too


class Session:
    """An open connection, autocommit on. Errors of the server and of the network are ServerError."""

    def __init__(self, connection: pymysql.Connection[pymysql.cursors.DictCursor], label: str) -> None:
        self._connection = connection
        self._label = label

    def rows(self, statement: str, *values: Scalar) -> list[dict[str, Scalar]]:
        """The rows of a statement, by column name; [] when it returns none. `%s` stands for a value."""
        import pymysql

        try:
            cursor = self._connection.cursor()
            cursor.execute(statement, values or None)
            rows = list(cursor.fetchall())
            cursor.close()  # not by `with`: after Ctrl-C in mid-statement, its error would replace Ctrl-C
            return rows
        except (pymysql.MySQLError, OSError) as error:
            raise _server_error(error, self._label) from None

    def value(self, statement: str, *values: Scalar) -> Scalar:
        """The first column of the first row; None when there is no row."""
        return next((next(iter(row.values())) for row in self.rows(statement, *values)), None)

    def pairs(self, statement: str, *values: Scalar) -> dict[str, str]:
        """A statement of two columns (SHOW GLOBAL STATUS …) as names and values, both text."""
        return {str(name): str(value) for name, value in (row.values() for row in self.rows(statement, *values))}

    def run(self, *statements: str) -> None:
        """Run statements one after the other and forget what they return."""
        for statement in statements:
            self.rows(statement)

    def binary_log(self, file: str, position: int, server_id: int) -> Iterator[bytes]:
        """What the server sends to a replica with that id: a byte and an event at a time, to the end of its log.

        The connection is of no use afterwards. PyMySQL has no function for this command.
        """
        import pymysql

        connection = self._connection
        of_mariadb = "mariadb" in connection.get_server_info().lower()  # type: ignore[no-untyped-call]
        flags = _ONLY_WHAT_IS_THERE | (_WITH_STATEMENTS if of_mariadb else 0)
        command = struct.pack("<IHI", position, flags, server_id) + file.encode()
        try:
            connection._execute_command(_BINLOG_DUMP, command)  # type: ignore[attr-defined]
            while True:
                packet = connection._read_packet()  # type: ignore[no-untyped-call]
                if packet.is_eof_packet():
                    return
                yield packet.get_all_data()
        except (pymysql.MySQLError, OSError) as error:
            raise _server_error(error, self._label) from None

    def close(self) -> None:
        """Close the connection; a lost connection is not an error."""
        if self._connection.open:
            self._connection.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def connect(address: Address, timeout_seconds: float = 5.0, answer_seconds: float = 60.0) -> Session:
    """Log in; ServerError when the server cannot be reached or refuses, within `timeout_seconds`.

    No answer to a statement within `answer_seconds` is a ServerError too.
    """
    import pymysql

    label = f"{address.host}:{address.port}"
    opened = None
    try:
        opened = _open_socket(address.socket, timeout_seconds) if address.socket else None
        connection = pymysql.connect(
            host=address.host,
            port=address.port,
            user=address.user,
            password=address.password.encode(),  # PyMySQL would make Latin-1 of text; other clients send UTF-8
            connect_timeout=max(1, round(timeout_seconds)),
            read_timeout=answer_seconds,
            autocommit=True,
            charset="utf8mb4",
            cursorclass=pymysql.cursors.DictCursor,
            defer_connect=True,
        )
        # A socket file cannot be eavesdropped: the password may go in clear text, as when PyMySQL opens it itself.
        connection._secure = bool(opened)  # type: ignore[attr-defined]
        connection.connect(opened)
    except (pymysql.MySQLError, OSError, RuntimeError) as error:  # RuntimeError: a login that needs `cryptography`
        if opened:
            opened.close()
        raise _server_error(error, label) from None
    return Session(connection, label)


def _open_socket(path: str, timeout_seconds: float) -> socket.socket:
    """Opened here, because PyMySQL leaves a failed socket open, and repeated attempts would run out of files."""
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        opened.settimeout(timeout_seconds)
        opened.connect(path)
    except BaseException:
        opened.close()
        raise
    return opened


def _server_error(error: Exception, label: str) -> ServerError:
    number = error.args[0] if error.args and isinstance(error.args[0], int) else 0
    text = str(error.args[-1] if error.args else "") or "the connection was lost"  # PyMySQL gives no text then
    return ServerError(f"{label}: {text}" + (f" (error {number})" if number else ""), number=number)
