"""The options of a command line that choose option files are followed as real servers follow them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.evidence import read_path
from advisor.lab.servers.binaries import server_at
from advisor.options import select
from benchmarks.check.real_programs import PRODUCTS, programs

FILES = {
    "main.cnf": "[mysqld]\nmax_connections=11\n[mysqld_a]\nport=1\n[server_A]\nserver_id=2\n[mysqlda]\nsync_binlog=7\n",
    "more.cnf": "[mysqld]\nmax_connections=33\n[mysqld_a]\nport=4\n",
}
COMMANDS = [
    "--defaults-file={0}/main.cnf",
    "--defaults-file={0}/main.cnf --defaults-group-suffix=_a",
    "--defaults-group-suffix=_a --defaults-file={0}/main.cnf",
    "--defaults-extra-file={0}/more.cnf --defaults-file={0}/main.cnf",
    "--defaults-file={0}/main.cnf --defaults-extra-file={0}/more.cnf",
    "--defaults-extra-file={0}/more.cnf --defaults-group-suffix=_A",
]
READ = [
    ["--max_connections=11"],
    ["--max_connections=11", "--port=1", "--server_id=2"],
    ["--max_connections=11", "--port=1", "--server_id=2"],
    ["--max_connections=11"],
    ["--max_connections=11"],
    ["--max_connections=33", "--port=4"],
]


def put(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
        (folder / name).chmod(0o644)


def read(folder: Path, command: str, server: str) -> list[str]:
    """The options that a unit with this command gives the server."""
    unit = folder / "db.service"
    unit.write_text(f"[Service]\nExecStart=/usr/sbin/mysqld {command.format(folder)}\n", encoding="utf-8")
    (member,) = read_path(str(unit)).members
    assert member.options is not None
    return [argument.text for argument in select(member.options, parse_release(server)[0])]


@pytest.mark.parametrize(("command", "expected"), list(zip(COMMANDS, READ, strict=True)), ids=COMMANDS)
def test_the_files_that_count_are_read(tmp_path: Path, command: str, expected: list[str]) -> None:
    put(tmp_path)
    assert read(tmp_path, command, "mysql-9.7.4") == expected


@pytest.mark.parametrize(
    "command",
    [
        "--port=1 --defaults-file=/a",
        "--defaults-file=/a --defaults-file=/b",
        "--no-defaults --defaults-file=/a",
        "--defaults-group-suffix=x --no-defaults",
    ],
)
def test_such_an_option_in_another_place_stops_the_start(tmp_path: Path, command: str) -> None:
    read(tmp_path, command, "mysql-9.7.4")
    (member,) = read_path(str(tmp_path / "db.service")).members
    assert member.options is not None
    assert [problem.message for problem in member.options.problems if problem.fatal] == [
        f"{command.split()[1]} must be the first option"
    ]


@pytest.mark.gate
@pytest.mark.parametrize("release", PRODUCTS)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_real_program_prints_the_same(tmp_path: Path, command: str, release: str) -> None:
    if release not in programs():
        pytest.skip("no such server program here")
    put(tmp_path)
    words = [*server_at(PRODUCTS[release]).command, *command.format(tmp_path).split(), "--print-defaults"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    printed = done.stdout.partition("following arguments:")[2].split()
    assert read(tmp_path, command, release) == printed
