"""Who keeps a commit that this server loses, how durable each member is, and how pages reach the disk."""

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Member, TableSnapshot
from advisor.model.server import Role, Topology
from advisor.options import read_text, resolve


def view(server: str, options: str = "", topology: Topology | None = None, name: str = "db", **evidence) -> MemberFacts:
    """A server of one release with these option lines and this evidence."""
    release = parse_release(server)[0]
    reading = read_text(f"[mysqld]\n{options}\n", "my.cnf")
    return MemberFacts(Member(name, options=reading, **evidence), release, resolve(reading, release), topology)


@pytest.mark.parametrize(
    ("options", "topology", "evidence", "expected"),
    [
        ("", None, {}, "nowhere else"),
        ("", Topology.GALERA, {"role": Role.NODE}, "galera nodes"),
        ("", Topology.GROUP_REPLICATION, {"role": Role.PRIMARY}, "group members"),
        ("", Topology.ASYNC_MYSQL, {"role": Role.REPLICA}, "source"),
        ("", None, {"tables": (TableSnapshot("replica_status", ({"Replica_IO_Running": "Yes"},)),)}, "source"),
        ("read_only=ON", None, {}, "source"),
        ("super_read_only=ON", None, {}, "source"),
        ("read_only=ON", Topology.SEMISYNC, {"role": Role.SOURCE}, "nowhere else"),
    ],
)
def test_who_else_has_a_commit(options, topology, evidence, expected):
    assert view("mysql-8.0.36", options, topology, **evidence).value("fact.commits_also_on") == expected


@pytest.mark.parametrize(
    ("server", "options", "expected"),
    [
        ("mysql-8.4.3", "", "1/1"),
        ("mysql-5.7.44", "sync_binlog=0", "1/-"),
        ("mariadb-10.11.6", "log_bin=binlog\ninnodb_flush_log_at_trx_commit=2", "2/0"),
    ],
)
def test_durability_in_one_word(server, options, expected):
    assert view(server, options).value("fact.durability") == expected


def test_members_are_compared_with_each_other():
    strict, relaxed = view("mysql-8.0.36", name="a"), view("mysql-8.0.36", "sync_binlog=0", name="b")
    strict.peers = relaxed.peers = (strict, relaxed)
    assert strict.value("fact.durability_policies") == 2
    assert strict.value("fact.durability_by_member") == "a 1/1, b 1/0"


def test_one_member_has_nobody_to_differ_from():
    alone = view("mysql-8.0.36").value("fact.durability_policies")
    assert isinstance(alone, Missing)
    assert not alone.needs


@pytest.mark.parametrize(
    ("server", "options", "expected"),
    [
        ("mysql-5.7.44", "", "fsync"),
        ("mysql-8.0.36", "innodb_flush_method=o_direct", "O_DIRECT"),
        ("mysql-8.4.3", "", "automatic"),
        ("mariadb-10.6.16", "", "O_DIRECT"),
    ],
)
def test_the_flush_method_in_words(server, options, expected):
    assert view(server, options).value("fact.flush_method").lower() == expected.lower()


def test_windows_has_other_flush_methods():
    assert isinstance(view("mysql-8.0.36", "datadir=C:/data").value("fact.flush_method"), Missing)


@pytest.mark.parametrize(
    ("server", "options", "expected"),
    [
        ("mysql-5.7.44", "", "ON"),
        ("mysql-5.7.44", "skip_innodb_doublewrite", "OFF"),
        ("mysql-8.0.36", "", "ON"),
        ("mysql-8.0.36", "innodb_doublewrite=false", "OFF"),
        ("mysql-8.0.36", "innodb_doublewrite=detect_only", "DETECT_ONLY"),
        ("mariadb-11.4.2", "innodb_doublewrite=fast", "fast"),
    ],
)
def test_doublewrite_is_one_of_its_words(server, options, expected):
    assert view(server, options).value("fact.doublewrite").lower() == expected.lower()
