"""The profile of a member: shares of every group sum to 1 whatever was sampled; quick; and of real clusters."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.evidence import read_path
from advisor.model.diagnosis import ThreadProfile, Threads
from advisor.model.evidence import Row, TableSnapshot
from advisor.model.server import Role
from advisor.why import diagnose
from advisor.why.profile.aggregate import count, moments_of
from advisor.why.profile.classify import Recogniser
from advisor.why.profile.profiles import group_counts, known_profiles, profiles_of
from advisor.why.rules.wait_class_files import load_wait_classes
from tests.calls import calls_of
from tests.why.profile.sampled import host, member, row, view, worker

CLASSES = load_wait_classes()


def words(column: str) -> st.SearchStrategy[str]:
    """What rows may have in a column: words of the classes, nothing, or anything."""
    known = [word for each in CLASSES for s in each.signatures for word in getattr(s, column)]
    return st.sampled_from(["", *known]) | st.text(max_size=12)


ROWS = st.lists(
    st.builds(
        row,
        words("states"),
        user=st.sampled_from(["app", "system user", ""]),
        command=st.sampled_from(["Query", "Sleep", "Connect", "Binlog Dump", "Slave_SQL", "Slave_IO", ""]),
        info=st.sampled_from(["", "COMMIT", "ALTER …", "SELECT … processlist"]),
        kind=st.sampled_from(["", "client", "applier", "coordinator", "receiver", "dump", "system", "odd"]),
        os=st.sampled_from(["", "R", "S", "D"]),
        call=words("calls"),
        wchan=words("wchan"),
        event=words("events"),
        trx=words("trx"),
        count=st.integers(1, 50),
    ),
    max_size=8,
)


@given(st.lists(ROWS, max_size=4), st.floats(0, 40), st.floats(0, 40))
def test_shares_sum_to_one_and_none_is_negative(lists: list[list[Row]], running: float, starved: float) -> None:
    seen = view(member(lists, host=host(threads_running=running, threads_starved=starved)))
    for profile in profiles_of(seen, group_counts(seen)):
        assert sum(each.share for each in profile.shares) == pytest.approx(1, abs=1e-9)
        assert all(each.share > 0 for each in profile.shares)
        assert 0 <= profile.unexplained <= 1 + 1e-9


@pytest.mark.parametrize(("lists", "least", "most"), [(20, 0.1, 0.3), (400, 0.005, 0.05)])
def test_the_margin_is_smaller_with_more_lists_and_never_nothing(lists: int, least: float, most: float) -> None:
    latch = row("updating", os="S", call="futex", event="wait/synch/sxlock/innodb/index_tree_rw_lock")
    for rows in ([latch], [row("updating", os="R")]):
        marks = [TableSnapshot("instrumented", [{"waits": 1}], float(at)) for at in range(lists)]
        without = [{name: cell for name, cell in each.items() if name != "event"} for each in rows]
        seen = view(member([rows] * lists + [without] * lists * 4, tables=marks))
        (found,) = profiles_of(seen, group_counts(seen))
        assert found.instrumented == lists
        assert least < found.margin < most


def test_equal_rows_are_classified_once() -> None:
    rows = [row(f"updating {n % 7}", os="S", call="futex", user=f"u{n}") for n in range(60)]
    sampled = member([rows] * 100)
    count(moments_of(sampled), Recogniser(CLASSES, frozenset()))
    calls = calls_of(lambda: count(moments_of(sampled), Recogniser(CLASSES, frozenset())))
    assert calls / (100 * 60) < 30  # 14 for each row


def test_the_largest_share_comes_first_and_what_is_not_told_apart_counts_as_unexplained() -> None:
    seen = view(member([[row("updating", count=5), row("", command="Sleep", count=15)]]))
    (profile,) = profiles_of(seen, group_counts(seen))
    assert [(each.wait_class, each.share) for each in profile.shares] == [
        ("client_time", 0.75), ("statement_work", 0.25),
    ]  # fmt: skip
    assert (profile.group, profile.threads, profile.samples, profile.unexplained) == ("writers", 20, 1, 0.25)


def test_sessions_of_clients_on_a_replica_are_no_writers() -> None:
    seen = view(member([[row("updating", count=20), worker("updating", count=10)]], role=Role.REPLICA))
    assert [each.group for each in profiles_of(seen, group_counts(seen))] == [Threads.CLIENTS, Threads.APPLIERS]


def test_a_few_sessions_at_one_moment_are_no_sample() -> None:
    assert known_profiles(view(member([[row("updating", count=9)]]))) == ()
    assert known_profiles(view(member([]))) == ()


def of(shared: Path, case: str, group: Threads, place: int = 0) -> ThreadProfile:
    profile = diagnose(read_path(str(shared / "cases" / case))).profile
    return [each for each in profile if each.group is group][place]


@pytest.mark.parametrize(
    ("case", "group", "wait_class", "least"),
    [
        ("recorded/1_gr_flowcontrol_throttled", Threads.WRITERS, "flow_control", 0.9),
        ("recorded/0_gr_healthy", Threads.WRITERS, "group_consensus", 0.5),
        ("recorded/5c_semisync_control", Threads.WRITERS, "semisync_ack", 0.99),
        ("recorded/6a_galera_1thread_durable_node", Threads.WRITERS, "flow_control", 0.8),
        ("injections-2/my-autoinc-slow-select.tar.gz", Threads.WRITERS, "auto_inc_lock", 0.8),
        ("injections-2/my-range-locks.tar.gz", Threads.WRITERS, "row_lock", 0.8),
        ("injections-2/gf-sync-wait.tar.gz", Threads.WRITERS, "consistency_wait", 0.5),
        ("injections-2/my-healthy-restarted.tar.gz", Threads.WRITERS, "client_time", 0.95),
        ("injections-2/am-sync-relay-log.tar.gz", Threads.RECEIVER, "relay_log_write", 0.95),
        ("injections-2/am-receiver-stopped.tar.gz", Threads.APPLIERS, "worker_idle", 0.95),
        ("injections-2/gr-large-transactions.tar.gz", Threads.COORDINATOR, "worker_idle", 0.95),
        ("injections-2/sx-starved-replica.tar.gz", Threads.APPLIERS, "ready", 0.3),
    ],
)
def test_of_recorded_bottlenecks_the_profile_names_the_wait(
    shared: Path, case: str, group: Threads, wait_class: str, least: float
) -> None:
    assert of(shared, case, group).share(wait_class) >= least


def test_no_state_of_any_recorded_cluster_is_unknown(shared: Path) -> None:
    recogniser = Recogniser(CLASSES, frozenset())
    places = [*(shared / "cases/recorded").glob("*_*"), *(shared / "cases/injections-2").glob("*.tar.gz")]
    unknown = {
        thread.state
        for place in places
        for server in read_path(str(place)).members
        for moment in moments_of(server)
        for thread, _ in moment.threads
        if recogniser.classify(thread).wait_class == "unexplained"
    }
    assert unknown == set()
