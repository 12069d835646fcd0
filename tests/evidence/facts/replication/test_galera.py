"""Galera's limits, shares and sizes come out as the provider computes them."""

import pytest

from advisor.catalog import parse_release
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Member, Sample
from advisor.model.server import Role, Topology
from advisor.options import read_text, resolve


def node(lines="", server="mariadb 10.11.9", *, name="n1", samples=(), status=None):
    reading, release = read_text(f"[mysqld]\n{lines}\n", "my.cnf"), parse_release(server)[0]
    taken = tuple(Sample(at, values, "status") for at, values in samples)
    taken += (Sample(0.0, status, "status"),) if status else ()
    member = Member(name, role=Role.NODE, options=reading, samples=taken)
    return MemberFacts(member, release, resolve(reading, release), Topology.GALERA)


@pytest.mark.parametrize(("limit", "nodes", "logged"), [(16, 1, 16), (16, 2, 23), (500, 2, 707)])
def test_the_pause_limit_is_the_one_the_provider_logs(limit, nodes, logged):
    view = node(f'wsrep_provider_options = "gcs.fc_limit={limit}"', status={"wsrep_cluster_size": nodes})
    assert view["fact.galera_pause_limit"] == logged


def test_a_single_writer_has_the_limit_as_it_is_set():
    options = 'wsrep_provider_options = "gcs.fc_limit = 200; gcs.fc_single_primary = YES"'
    assert node(options)["fact.galera_pause_limit"] == 200


def test_addresses_count_as_nodes_only_when_the_nodes_own_is_among_them():
    three = "wsrep_cluster_address = gcomm://10.0.0.1,10.0.0.2:4567, 10.0.0.3?pc.wait_prim=no"
    assert node(f"{three}\nwsrep_node_address = 10.0.0.3:4030")["fact.galera_nodes"] == 3
    assert node(f"{three}\nwsrep_node_address = 10.0.0.9").value("fact.galera_nodes").needs
    assert (
        node("wsrep_cluster_address = gcomm://[fe80::1]:4567,b\nwsrep_node_address = [fe80::1]")["fact.galera_nodes"]
        == 2
    )


def test_members_at_hand_count_unless_the_address_names_more():
    views = [node("wsrep_cluster_address = gcomm://a,b,c", name="a"), node(name="b")]
    for view in views:
        view.peers = views
    assert [view["fact.galera_nodes"] for view in views] == [3, 2]


def test_the_pause_is_that_of_the_nanosecond_counter_and_its_senders_are_named():
    before, after = {"wsrep_flow_control_paused_ns": 5, "wsrep_flow_control_sent": 4}, {}
    after = {"wsrep_flow_control_paused_ns": 5 + 23_000_000_000, "wsrep_flow_control_sent": 205}
    quiet = {"wsrep_flow_control_paused_ns": 7, "wsrep_flow_control_sent": 1}
    views = [
        node(name="n1", samples=((0, quiet), (30, quiet | {"wsrep_flow_control_paused_ns": 22_000_000_007}))),
        node(name="n2", samples=((0, before), (30, after))),
    ]
    for view in views:
        view.peers = views
    assert views[0]["fact.galera_paused_share"] == pytest.approx(23 / 30)
    assert views[0]["fact.galera_pause_senders"] == "n2 201 times"


def test_the_gcache_lasts_as_long_as_its_size_over_what_passes_through():
    rates = {"wsrep_replicated_bytes": 60 * 1024**2, "wsrep_received_bytes": 60 * 1024**2}
    view = node('wsrep_provider_options = "gcache.size=1G"', samples=((0, dict.fromkeys(rates, 0)), (60, rates)))
    assert view["fact.galera_history_minutes"] == pytest.approx(1024 / 2 / 60)
    assert view["fact.gcache_for_an_hour_bytes"] == 29 * 256 * 1024**2


def test_latency_is_the_mean_of_the_five_numbers_and_unknown_without_samples():
    assert node(status={"wsrep_evs_repl_latency": "0.001/0.0072/0.02/0.003/500"})["fact.galera_message_ms"] == 7.2
    assert node(status={"wsrep_evs_repl_latency": "0/0/0/0/0"}).value("fact.galera_message_ms").needs
