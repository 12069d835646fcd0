"""Addresses of servers: what a DSN may say, and that it never contains a password."""

from __future__ import annotations

import pytest

from advisor.collect.dsn import parse_dsn
from advisor.collect.login import Login
from advisor.errors import UsageError


@pytest.mark.parametrize(
    ("text", "host", "port", "user", "socket"),
    [
        ("mysql://watch@db1:3307", "db1", 3307, "watch", ""),
        ("mariadb://watch@db1", "db1", 3306, "watch", ""),
        ("mysql://w%40tch@db1/", "db1", 3306, "w@tch", ""),
        ("mysql://watch@[::1]:3307", "::1", 3307, "watch", ""),
        ("mysql://watch@localhost?socket=/run/mysqld/s.sock", "localhost", 3306, "watch", "/run/mysqld/s.sock"),
        ("mysql://db1", "db1", 3306, "of-the-file", ""),
    ],
)
def test_a_dsn_names_a_server(text: str, host: str, port: int, user: str, socket: str) -> None:
    address = parse_dsn(text, Login("of-the-file", "pw"))
    assert (address.host, address.port, address.user, address.socket) == (host, port, user, socket)
    assert address.password == "pw"


@pytest.mark.parametrize(
    "text", ["db1:3306", "postgres://db1", "mysql://", "mysql://db1/shop", "mysql://db1:70000", "mysql://db1?ssl=1"]
)
def test_what_names_no_server_is_said_with_the_right_form(text: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_dsn(text, Login())
    assert "mysql://user@host:port" in str(error.value)


def test_a_password_in_a_dsn_is_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError) as error:
        parse_dsn("mysql://watch:hunter2@db1", Login())
    assert "hunter2" not in str(error.value)
    assert "ADVISOR_PASSWORD" in str(error.value)
