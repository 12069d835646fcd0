"""What `--print-defaults` prints is a server's options, in either form."""

from __future__ import annotations

import pytest

from advisor.evidence import read_path

HEADING = "/usr/sbin/mysqld would have been started with the following arguments:\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"{HEADING}--port=1 --log-bin --init-connect=SET x=1 --skip-name-resolve \n",
            [("port", "1", 2), ("log-bin", None, 2), ("init-connect", "SET x=1", 2), ("skip-name-resolve", None, 2)],
        ),
        ("--port=1\n--init-connect=SET NAMES utf8\n", [("port", "1", 1), ("init-connect", "SET NAMES utf8", 2)]),
        ("--innodb-io-capacity 200\n", [("innodb-io-capacity", "200", 1)]),
    ],
)
def test_options_with_their_lines(tmp_path, text, expected):
    path = tmp_path / "printed.txt"
    path.write_text(text, encoding="utf-8")
    (member,) = read_path(str(path)).members
    assert [(a.name, a.value, a.line) for a in member.options.arguments] == expected


def test_the_program_shows_the_family(tmp_path):
    path = tmp_path / "printed.txt"
    path.write_text(HEADING.replace("mysqld", "mariadbd") + "--port=1\n", encoding="utf-8")
    assert read_path(str(path)).members[0].server == "mariadb unknown"
