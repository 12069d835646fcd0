"""What a broken dump says in place of a number is no number, and who would reckon with it knows nothing."""

from __future__ import annotations

import pytest

import advisor.why.facts.replication.galera_nodes  # noqa: F401 – its facts look at other members
from advisor.catalog import parse_release
from advisor.conditions import Missing
from advisor.evidence.facts import derived_facts
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member, Sample, Scalar
from advisor.model.record import replace
from advisor.model.server import Role, Topology


def node(name: str = "n", variables: dict[str, Scalar] | None = None, **counters: Scalar) -> MemberFacts:
    known = {key: Fact(key, value, "", "v") for key, value in (variables or {}).items()}
    samples = tuple(Sample(at, counters, "s") for at in (0.0, 10.0))
    member = Member(name, role=Role.NODE, variables=known, samples=samples)
    return MemberFacts(member, parse_release("mariadb 10.11.6")[0], None, Topology.GALERA)


def test_a_text_where_a_variable_is_a_number_leaves_what_follows_unknown_and_is_named() -> None:
    view = node(variables={"wsrep_on": "ON", "wsrep_slave_threads": "1,2"})
    assert view.value("fact.applier_workers") == Missing(("wsrep_slave_threads",))
    assert node(variables={"wsrep_on": "ON", "wsrep_slave_threads": "4"}).value("fact.applier_workers") == 4


def test_a_text_where_a_variable_is_a_number_is_neither_the_value_nor_the_default() -> None:
    assert node(variables={"sync_binlog": "²"}).value("sync_binlog") == Missing(("sync_binlog",))
    assert node(variables={"sync_binlog": "0"}).value("sync_binlog") == 0


def test_a_size_beyond_any_number_is_a_text() -> None:
    assert node(variables={"binlog_cache_size": "1e400"}).value("binlog_cache_size") == Missing(("binlog_cache_size",))


def test_what_nobody_could_reckon_with_is_named_with_what_it_was_derived_from() -> None:
    view = node(Open_tables="ON", Innodb_history_list_length="12abc", Threads_running=3)
    for name in ("status.Open_tables", "fact.history_list_length", "status.Threads_running"):
        view.value(name)
    named = ("status.Open_tables", "status.Innodb_history_list_length")
    assert set(view.garbled(["status.Open_tables", "fact.history_list_length", "status.Threads_running"])) >= set(named)
    assert "status.Threads_running" not in view.garbled(["status.Threads_running"])


def test_a_counter_of_another_member_that_is_a_text_is_named_too() -> None:
    views = node("a", wsrep_flow_control_sent=3), node("b", wsrep_flow_control_sent="{'a': 1}")
    for view in views:
        view.peers = views
    assert views[0].value("fact.pauses_ever_asked") == Missing(("status.wsrep_flow_control_sent",))


@pytest.mark.parametrize("value", [10**60, -(10**60), 1e300])
def test_more_than_a_server_counts_to_gives_no_rate(value: Scalar) -> None:
    view = node()
    samples = (Sample(0.0, {"Questions": 0}, "s"), Sample(5.0, {"Questions": 50}, "s"))
    view.member = Member("n", samples=(*samples, Sample(10.0, {"Questions": value}, "s")))
    assert view.value("rate.Questions") == 10.0


def test_a_mistake_of_ours_is_not_taken_for_broken_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    def derive(view: MemberFacts) -> object:
        return view["hostname"] + 1

    monkeypatch.setitem(derived_facts(), "binlog_on", replace(derived_facts()["binlog_on"], derive=derive))
    with pytest.raises(TypeError):
        node(variables={"hostname": "db1"}).value("fact.binlog_on")
