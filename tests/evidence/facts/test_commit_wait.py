"""How long a commit waits on purpose."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.evidence.facts import NOT_HERE
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Member
from advisor.options import read_text, resolve


@pytest.mark.parametrize(
    ("server", "lines", "expected"),
    [
        ("mysql-8.4.8", "log_bin\nbinlog_group_commit_sync_delay = 500", 500),
        ("mysql-8.4.8", "log_bin", 0),
        ("mysql-8.4.8", "skip_log_bin\nbinlog_group_commit_sync_delay = 500", NOT_HERE),
        ("mariadb-11.4.4", "log_bin\nbinlog_commit_wait_usec = 700", 0),
        ("mariadb-11.4.4", "log_bin\nbinlog_commit_wait_usec = 700\nbinlog_commit_wait_count = 5", 700),
    ],
)
def test_the_longest_wait_for_a_commit_group(server: str, lines: str, expected: object) -> None:
    (release,) = parse_release(server)
    reading = read_text(f"[mysqld]\n{lines}\n", "my.cnf")
    facts = MemberFacts(Member("server", options=reading), release, resolve(reading, release), None)
    value = facts.value("fact.group_commit_wait_us")
    assert value == expected if expected is not NOT_HERE else value.absent == ("fact.group_commit_wait_us",)
