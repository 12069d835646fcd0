"""What kind of storage it is, and how fast pages may be flushed."""

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.options import read_text, resolve


def view(server: str, options: str = "", **evidence) -> MemberFacts:
    """A server of one release with these option lines and this evidence."""
    release = parse_release(server)[0]
    reading = read_text(f"[mysqld]\n{options}\n", "my.cnf")
    return MemberFacts(Member("db", options=reading, **evidence), release, resolve(reading, release), None)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("SSD", True), ("2 x NVMe, RAID 1", True), ("2 SATA disks", False), ("10k rpm SAS", False)],
)
def test_storage_is_known_by_its_words(words, expected):
    described = view("mysql-8.0.36", host={"storage": Fact("storage", words)})
    assert described.value("fact.storage_is_flash") is expected


@pytest.mark.parametrize("words", ["RAID 10", "HDD with SSD cache"])
def test_storage_of_unclear_words_stays_unknown(words):
    described = view("mysql-8.0.36", host={"storage": Fact("storage", words)})
    assert isinstance(described.value("fact.storage_is_flash"), Missing)


@pytest.mark.parametrize(
    ("server", "options", "expected"),
    [
        ("mysql-8.0.36", "", 2000),
        ("mysql-8.0.36", "innodb_io_capacity=3000", 6000),
        ("mysql-8.0.36", "innodb_io_capacity=3000\ninnodb_io_capacity_max=4000", 4000),
        ("mysql-8.4.3", "", 20000),
        ("mariadb-10.11.6", "", 2000),
    ],
)
def test_the_maximum_of_flushing_follows_the_rate_unless_given(server, options, expected):
    assert view(server, options).value("fact.io_capacity_max") == expected
