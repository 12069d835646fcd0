"""A file of four times the length takes about four times as long: nothing compares every line with every other."""

from __future__ import annotations

import time

import pytest

from advisor.catalog import parse_release
from advisor.check import check, load_rules
from advisor.model.evidence import Cluster, Member
from advisor.options import read_text
from tests.calls import calls_of

RULES = load_rules()
RELEASE = parse_release("mysql-8.4.8")
LINES = {
    "repeated": "max_connections = {even}",
    "unknown": "innodb_buffer_pol_{number}_size = 1",
    "replaced": "expire_logs_days = 7",
    "renamed": "slave_skip_errors = all",
}
SHORT = 1000


def seconds(line: str, count: int, run: int) -> float:
    """The processor time of judging so many such lines; every run reads a text of its own."""
    lines = (line.format(number=f"{run}_{number}", even=100 + number % 2) for number in range(count))
    member = Member("server", options=read_text("\n".join(["[mysqld]", f"port = {3306 + run}", *lines]) + "\n"))
    begun = time.process_time()
    check(Cluster("my.cnf", (member,)), RULES, RELEASE)
    return time.process_time() - begun


@pytest.mark.gate
@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_four_times_the_lines_take_about_four_times_as_long(line: str) -> None:
    seconds(line, 300, 0)
    pairs = [(seconds(line, SHORT, run), seconds(line, 4 * SHORT, run)) for run in range(1, 5)]  # in turn
    short, long = (min(times) for times in zip(*pairs, strict=True))
    assert long / short < 9  # 16 where every line is compared with every other


# A tenth above what it takes; a line that is read for each of the releases alone takes several times as many.
CALLS_OF_A_LINE = {"repeated": 3_700, "unknown": 3_800, "replaced": 3_400, "renamed": 3_300}


def calls(line: str, count: int) -> int:
    """The function calls of judging so many such lines for every release that they may be for."""
    lines = (line.format(number=f"{count}_{number}", even=100 + number % 2) for number in range(count))
    cluster = Cluster("my.cnf", (Member("server", options=read_text("\n".join(["[mysqld]", *lines]) + "\n")),))
    return calls_of(lambda: check(cluster, RULES))


@pytest.mark.gate
@pytest.mark.parametrize("kind", LINES)
def test_fifteen_releases_share_what_a_line_says_to_all_of_them(kind: str) -> None:
    calls(LINES[kind], 100)  # what is read once
    assert (calls(LINES[kind], 1200) - calls(LINES[kind], 600)) / 600 < CALLS_OF_A_LINE[kind]


def test_of_very_many_unknown_options_the_first_are_listed_and_the_rest_is_counted() -> None:
    text = "\n".join(["[mysqld]", *(f"innodb_buffer_pol_{number}_size = 1" for number in range(1200))]) + "\n"
    judgement = check(Cluster("my.cnf", (Member("server", options=read_text(text)),)), RULES, RELEASE)
    messages = [finding.message for finding in judgement.findings if finding.rule.id == "option-unknown"]
    assert len(messages) == 500
    assert [message for message in messages if "700 more unknown options are not listed" in message]
    assert judgement.would_start == {"mysql 8.4.8": False}
