"""Lines of `ps` with a server give its options; each process is a server of its own."""

from __future__ import annotations

import pytest

from advisor.errors import InputError
from advisor.evidence import read_path
from advisor.evidence.formats.places import SeveralServersError

ONE = (
    "mysql     1234  5.0 12.3 1234567 89012 ?  Ssl  Nov01 12:34 /usr/sbin/mysqld --basedir=/usr"
    " --init-connect=SET NAMES utf8 --port=3306\n"
)
HEADING = "UID          PID    PPID  C STIME TTY          TIME CMD\n"
OTHERS = (
    "root        1100       1  0 10:00 ?        00:00:00 /bin/sh /usr/bin/mysqld_safe --user=mysql\n"
    "root        1300    1000  0 10:00 ?        00:00:00 grep mysqld\n"
)
TWO = "mysql       1200    1100  0 10:00 ?        00:00:09 /usr/sbin/mariadbd --port=3307\n"


def member_of(folder, text, part=""):
    path = folder / "ps.txt"
    path.write_text(text, encoding="utf-8")
    (member,) = read_path(f"{path}{part}").members
    return member


def options(member):
    return [(a.name, a.value, a.line) for a in member.options.arguments]


def test_a_value_goes_on_to_the_next_option(tmp_path):
    assert options(member_of(tmp_path, ONE)) == [
        ("basedir", "/usr", 1),
        ("init-connect", "SET NAMES utf8", 1),
        ("port", "3306", 1),
    ]


def test_other_programs_are_passed_over(tmp_path):
    member = member_of(tmp_path, HEADING + OTHERS + TWO)
    assert options(member) == [("port", "3307", 4)]
    assert member.server == "mariadb unknown"


def test_each_process_is_a_server(tmp_path):
    with pytest.raises(SeveralServersError) as several:
        member_of(tmp_path, HEADING + ONE + TWO)
    assert [part.rpartition("#")[2] for part in several.value.parts] == ["1234", "1200"]
    assert options(member_of(tmp_path, HEADING + ONE + TWO, "#1200")) == [("port", "3307", 3)]


def test_a_list_without_a_server_says_so(tmp_path):
    with pytest.raises(InputError, match="a list of processes"):
        member_of(tmp_path, HEADING + OTHERS)
