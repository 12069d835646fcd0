"""Accounts that mysql_config_editor keeps are read as the programs of MySQL read them, and never shown.

`samples/mylogin.cnf` was written by mysql_config_editor of MySQL 9.7.4.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from advisor.collect.dsn import parse_dsn
from advisor.collect.login import Login, find_login
from advisor.collect.login_paths import read_login_file
from advisor.errors import AdvisorError, InputError, UsageError

SAMPLE = Path(__file__).parent / "samples/mylogin.cnf"
ORDERS = 'sam"ple # with\\odd signs'


@pytest.fixture(autouse=True)
def _library() -> None:
    pytest.importorskip("cryptography")


def test_every_login_path_is_a_group() -> None:
    # What `my_print_defaults -s --login-path=orders client orders` prints of the same file.
    assert [f"{argument.group} {argument.text}" for argument in read_login_file(str(SAMPLE))] == [
        "client --user=reader",
        "client --password=plain-sample",
        "orders --user=watch",
        f"orders --password={ORDERS}",
        "orders --host=db3.example.com",
        "orders --port=3307",
    ]


def test_an_address_may_name_its_login_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MYSQL_TEST_LOGIN_FILE", str(SAMPLE))
    address = parse_dsn("mysql://db3:3307?login-path=orders", Login("other", "secret"))
    assert (address.host, address.port, address.user, address.password) == ("db3", 3307, "watch", ORDERS)
    assert parse_dsn("mysql://me@db3?login-path=orders", Login()).user == "me"
    assert ORDERS not in repr(address)


def test_a_login_path_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MYSQL_TEST_LOGIN_FILE", str(SAMPLE))
    with pytest.raises(UsageError, match="there is no login path 'billing'"):
        parse_dsn("mysql://db3?login-path=billing", Login())
    monkeypatch.setenv("MYSQL_TEST_LOGIN_FILE", str(tmp_path / "none"))
    with pytest.raises(InputError, match="cannot be read"):
        parse_dsn("mysql://db3?login-path=orders", Login())


def test_the_default_path_counts_before_the_own_option_file(tmp_path: Path) -> None:
    (tmp_path / ".my.cnf").write_text("[client]\nuser=me\npassword=home\n")
    (tmp_path / ".mylogin.cnf").write_bytes(SAMPLE.read_bytes())
    assert find_login("", {"HOME": str(tmp_path)}) == Login("reader", "plain-sample")
    assert find_login("", {"HOME": str(tmp_path), "MYSQL_PWD": "first"}).password == "first"
    assert find_login(str(tmp_path / ".mylogin.cnf"), {}) == Login("reader", "plain-sample")


@pytest.mark.parametrize("length", [24, 25, 30, 44, 100, 263])
def test_a_damaged_file_is_said_and_stops_nobody_who_did_not_name_it(tmp_path: Path, length: int) -> None:
    file = tmp_path / ".mylogin.cnf"
    file.write_bytes(SAMPLE.read_bytes()[:length])
    assert find_login("", {"HOME": str(tmp_path)}) in (Login(), Login("reader", "plain-sample"), Login("reader"))
    if length not in (24, 44):
        with pytest.raises(InputError, match="damaged"):
            read_login_file(str(file))


def test_without_the_library_the_message_names_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers", None)
    (tmp_path / ".mylogin.cnf").write_bytes(SAMPLE.read_bytes())
    assert find_login("", {"HOME": str(tmp_path)}) == Login()
    with pytest.raises(AdvisorError, match="need the library cryptography"):
        find_login(str(tmp_path / ".mylogin.cnf"), {})
