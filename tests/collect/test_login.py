"""Users and passwords: where they may stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.collect.dsn import parse_dsn
from advisor.collect.login import Login, find_login
from advisor.errors import InputError


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
