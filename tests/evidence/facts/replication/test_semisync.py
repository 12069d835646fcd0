"""Waiting for acknowledgements: who waits, how many there are, how long it takes."""

import pytest

from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member, Sample, TableSnapshot
from advisor.model.server import Role
from advisor.options import read_text, resolve


def view(server, *lines, counters=({},), role=None, tables=(), clients=None):
    release = parse_release(server)[-1]
    reading = read_text("\n".join(["[mysqld]", *lines]), "my.cnf")
    samples = tuple(Sample(10.0 * at, values) for at, values in enumerate(counters) if values)
    observed = {"clients": Fact("clients", clients)} if clients else {}
    member = Member("server", role=role, options=reading, samples=samples, tables=tuple(tables), observed=observed)
    return MemberFacts(member, release, resolve(reading, release), None)


@pytest.mark.parametrize(
    ("server", "prefix"),
    [("mysql 8.4.13", "source"), ("mysql 5.7.40", "master"), ("mariadb 10.11.5", "master")],
)
def test_a_wait_is_its_time_over_its_number_in_either_spelling(server, prefix):
    counters = (
        {f"Rpl_semi_sync_{prefix}_tx_waits": 100, f"Rpl_semi_sync_{prefix}_tx_wait_time": 1_000},
        {f"Rpl_semi_sync_{prefix}_tx_waits": 600, f"Rpl_semi_sync_{prefix}_tx_wait_time": 4_001_000},
    )
    waiting = view(server, counters=counters, clients=4)
    assert waiting.value("fact.ack_wait_ms") == pytest.approx(8)
    assert waiting.value("fact.ack_wait_share") == pytest.approx(0.1)


def test_a_wait_of_mysql_stands_for_its_whole_commit_group():
    counters = (
        {"Rpl_semi_sync_source_tx_waits": 0, "Rpl_semi_sync_source_tx_wait_time": 0, "Binlog_cache_use": 0},
        {
            "Rpl_semi_sync_source_tx_waits": 500,
            "Rpl_semi_sync_source_tx_wait_time": 2_000_000,
            "Binlog_cache_use": 4000,
        },
    )
    assert view("mysql 8.4.13", counters=counters, clients=4).value("fact.ack_wait_share") == pytest.approx(0.4)
    by_transaction = "rpl_semi_sync_source_wait_point = AFTER_COMMIT"
    alone = view("mysql 8.4.13", by_transaction, counters=counters, clients=4)
    assert alone.value("fact.ack_wait_share") == pytest.approx(0.05)


def test_no_waits_are_no_time_rather_than_a_division_by_zero():
    still = {"Rpl_semi_sync_source_tx_waits": 5, "Rpl_semi_sync_source_tx_wait_time": 100}
    assert view("mysql 8.4.13", counters=(still, still)).value("fact.ack_wait_ms") == 0


def test_counters_that_were_reset_are_unknown():
    counters = ({"Rpl_semi_sync_source_tx_waits": 9}, {"Rpl_semi_sync_source_tx_waits": 2})
    missing = view("mysql 8.4.13", counters=counters).value("fact.ack_wait_ms")
    assert isinstance(missing, Missing)
    assert missing.needs


def test_mariadb_waits_for_one_and_mysql_for_as_many_as_it_is_told():
    assert view("mariadb 10.11.5").value("fact.acks_needed") == 1
    assert view("mysql 5.7.40", "rpl_semi_sync_master_wait_for_slave_count = 2").value("fact.acks_needed") == 2
    assert view("mysql 9.7.4", "rpl_semi_sync_source_wait_for_replica_count = 3").value("fact.acks_needed") == 3


def test_a_replica_with_both_sides_on_waits_for_nobody():
    both = ("rpl_semi_sync_source_enabled = ON", "rpl_semi_sync_replica_enabled = ON")
    assert view("mysql 8.4.13", *both).value("fact.commits_wait_for_acks") is True
    assert view("mysql 8.4.13", *both, role=Role.REPLICA).value("fact.commits_wait_for_acks") is False
    status = TableSnapshot("replica_status", ({"Source_Host": "a"},))
    assert view("mysql 8.4.13", *both, tables=[status]).value("fact.commits_wait_for_acks") is False


def test_replicas_that_acknowledge_are_the_connected_ones_else_those_at_hand_with_their_side_on():
    source = view("mysql 8.0.36", counters=({"Rpl_semi_sync_source_clients": 2},))
    assert source.value("fact.acking_replicas") == 2
    alone = view("mysql 8.0.36")
    assert alone.value("fact.acking_replicas") == Missing(("status.Rpl_semi_sync_source_clients",))
    among = view("mysql 8.0.36")
    among.peers = (among, view("mysql 8.0.36", "rpl_semi_sync_slave_enabled = 1"), view("mysql 8.0.36"))
    assert among.value("fact.acking_replicas") == 1
