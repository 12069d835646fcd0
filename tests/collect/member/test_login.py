"""Addresses and passwords: where they may stand, and where they must not."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.collect.login import Login, find_login, parse_dsn
from advisor.errors import InputError, UsageError


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


def test_the_password_is_the_first_of_file_environment_and_home(tmp_path: Path) -> None:
    (tmp_path / ".my.cnf").write_text("[mysqldump]\npassword=no\n[client]\nuser=me\npassword='from home'\n")
    (tmp_path / "login.cnf").write_text("[client]\nuser = watch\npassword = from-file\n")
    (tmp_path / "secret").write_text("one line\n")
    home = {"HOME": str(tmp_path)}
    both = {**home, "MYSQL_PWD": "second", "ADVISOR_PASSWORD": "first"}
    assert find_login("", home) == Login("me", "from home")
    assert find_login("", both) == Login("me", "first")
    assert find_login("", {**home, "MYSQL_PWD": "second"}).password == "second"
    assert find_login(str(tmp_path / "login.cnf"), both) == Login("watch", "from-file")
    assert find_login(str(tmp_path / "secret"), both) == Login("", "one line")
    assert find_login("", {}) == Login()


@pytest.mark.parametrize("text", ["[client]\nuser = watch\n", "two\nlines\n", ""])
def test_a_file_without_a_password_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / "f").write_text(text)
    with pytest.raises(InputError):
        find_login(str(tmp_path / "f"), {})
    with pytest.raises(InputError):
        find_login(str(tmp_path / "none"), {})


def test_a_login_never_shows_its_password() -> None:
    assert "hunter2" not in repr(Login("me", "hunter2"))
    assert "hunter2" not in repr(parse_dsn("mysql://me@db1", Login("me", "hunter2")))
