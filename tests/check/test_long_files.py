"""A file of twice the length takes about twice the time: nothing compares every line with every other."""

from __future__ import annotations

import cProfile
import pstats
import time

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.model.evidence import Cluster, Member
from advisor.options import read_text

RULES = load_rules()
RELEASE = parse_release("mysql-8.4.8")
LINES = {
    "repeated": "max_connections = {even}",
    "unknown": "innodb_buffer_pol_{number}_size = 1",
    "replaced": "expire_logs_days = 7",
    "renamed": "slave_skip_errors = all",
}
SHORT = 1500


def seconds(line: str, count: int) -> float:
    """The processor time of judging so many such lines, the best of three; every run reads a text of its own."""
    best = float("inf")
    for run in range(3):
        lines = (line.format(number=f"{run}_{number}", even=100 + number % 2) for number in range(count))
        member = Member("server", options=read_text("\n".join(["[mysqld]", f"port = {3306 + run}", *lines]) + "\n"))
        begun = time.process_time()
        check(Cluster("my.cnf", (member,)), RULES, RELEASE)
        best = min(best, time.process_time() - begun)
    return best


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_twice_the_lines_take_about_twice_the_time(line: str) -> None:
    seconds(line, 300)
    assert seconds(line, 2 * SHORT) / seconds(line, SHORT) < 3  # 4 where every line is compared with every other


CALLS_OF_A_LINE = {"repeated": 2000, "unknown": 3000, "replaced": 1900, "renamed": 2000}


def calls(line: str, count: int) -> int:
    """The function calls of judging so many such lines for every release that they may be for."""
    lines = (line.format(number=f"{count}_{number}", even=100 + number % 2) for number in range(count))
    cluster = Cluster("my.cnf", (Member("server", options=read_text("\n".join(["[mysqld]", *lines]) + "\n")),))
    profile = cProfile.Profile()
    profile.runcall(check, cluster, RULES)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", LINES)
def test_fifteen_releases_share_what_a_line_says_to_all_of_them(kind: str) -> None:
    calls(LINES[kind], 100)  # what is read once
    assert (calls(LINES[kind], 1200) - calls(LINES[kind], 600)) / 600 < CALLS_OF_A_LINE[kind]
