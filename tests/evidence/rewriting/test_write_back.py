"""Options in files of other kinds are changed where they stand, and all around them stays as it is."""

from __future__ import annotations

import pytest

from advisor.errors import InputError
from advisor.evidence.rewriting.option_view import option_view
from advisor.evidence.rewriting.write_back import write_back

LIST = """# above
services:
  db:
    image: mysql:8.0.36   # the release
    command:
      - --sync-binlog=0   # slow otherwise
      - "--port=1"
      - --log-bin
    ports: ["3306:3306"]
"""
WORDS = "services:\n  db:\n    image: mysql:8.0.36\n    command: mysqld --sync-binlog=0 --port=1\n      --log-bin\n"
FOLDED = WORDS.replace("mysqld --sync-binlog=0 --port=1\n", ">\n      --sync-binlog=0\n      --port=1\n")
BLOCK = """kind: ConfigMap
data:
  other: x
  my.cnf: |
    # ours
    [mysqld]

    sync-binlog = 0  # slow
    port=1
    log-bin
  last: y
"""
NO_GROUP = """kind: PerconaServerMySQL
spec:
  mysql:
    configuration: |
      sync-binlog=0
      port=1
      log-bin
"""
KEYS = "galera:\n  mysqld:\n    sync-binlog: '0'  # slow\n    port: 1\n    log-bin:\n"
UNIT = """[Service]
Environment="MYSQLD_OPTS=--sync-binlog=0 --port=1"
ExecStart=/usr/sbin/mysqld $MYSQLD_OPTS \\
  --log-bin
"""
ALL = {"list": LIST, "words": WORDS, "folded": FOLDED, "block": BLOCK, "no group": NO_GROUP, "unit": UNIT}


def changed(text, change):
    view = option_view(text, "file", "")
    return write_back(view, change(view.text))


@pytest.mark.parametrize("text", [*ALL.values(), KEYS.replace("    log-bin:\n", "")], ids=[*ALL, "keys"])
def test_a_value_changes_and_nothing_else(text):
    after = changed(text, lambda view: view.replace("binlog=0", "binlog=100").replace("binlog = 0", "binlog = 100"))
    assert after == text.replace("binlog=0", "binlog=100").replace("binlog = 0", "binlog = 100").replace("'0'", "'100'")


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_an_option_is_removed(text):
    after = changed(text, lambda view: view.replace("port=1\n", ""))
    assert "port=1" not in after
    assert option_view(after, "file", "").text == option_view(text, "file", "").text.replace("port=1\n", "")


@pytest.mark.parametrize("text", ALL.values(), ids=ALL)
def test_an_option_is_added(text):
    after = changed(text, lambda view: view + "innodb-flush-log-at-trx-commit=1\n")
    assert option_view(after, "file", "").text.endswith("log-bin\ninnodb-flush-log-at-trx-commit=1\n")
    assert [line for line in text.split("\n") if line in after.split("\n")]


def test_all_at_once():
    after = changed(LIST, lambda _: "[mysqld]\nsync-binlog=1\nlog-bin\nserver-id=7\n")
    assert after == LIST.replace("binlog=0", "binlog=1").replace('      - "--port=1"\n', "").replace(
        "- --log-bin\n", "- --log-bin\n      - --server-id=7\n"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            'services:\n  db:\n    image: mysql:8\n    command: ["--init-connect=SET \\"x\\"=1"]\n',
            "cannot change init-connect",
        ),
        ("--port=1\n", "cannot change a command line"),
        ("SET GLOBAL port = 1;\n", "cannot change SQL statements"),
        ("services:\n  db:\n    image: mysql:8\n", "it has no option"),
        ("mysql_port: 1\nmysql_sync_binlog: 1\n", "and these are values"),
        ("kind: Secret\ndata:\n  my.cnf: W215c3FsZF0KcG9ydD0xCg==\n", "base64"),
    ],
)
def test_what_cannot_be_written_says_so(text, says):
    with pytest.raises(InputError, match=says):
        option_view(text, "file", "")


def test_a_value_that_needs_quotes_is_refused():
    with pytest.raises(InputError, match="cannot write init-connect there"):
        changed(LIST, lambda view: view + "init-connect='SET x = 1'\n")
