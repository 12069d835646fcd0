"""Counting over moments: followers inherit their leader's class, moment by moment."""

from __future__ import annotations

import pytest

from advisor.model.diagnosis import Threads
from advisor.model.evidence import TableSnapshot
from advisor.why.profile.aggregate import GroupCounts, count, moments_of
from advisor.why.profile.classify import Recogniser
from advisor.why.rules.wait_class_files import load_wait_classes
from tests.why.profile.sampled import Rows, member, row, worker

COMMIT = "waiting for handler commit"


def counted(*lists: Rows, background: Rows = ()) -> dict[Threads, GroupCounts]:
    tables = [TableSnapshot("background_threads", background, 0.0)] if background else []
    moments = moments_of(member(lists, tables=tables))
    return count(moments, Recogniser(load_wait_classes(), frozenset()))


def test_followers_do_what_their_leader_does_at_that_moment() -> None:
    syncing = [row(COMMIT, os="D", call="fdatasync binlog"), row(COMMIT, os="S", call="futex", count=3)]
    unseen = [row(COMMIT, os="S", call="futex", count=4)]
    assert counted(syncing, unseen)[Threads.WRITERS].shares() == {"binlog_sync": 0.5, "group_commit": 0.5}


def test_what_events_tell_at_some_moments_holds_for_the_others() -> None:
    waits = row("updating", os="S", call="futex", event="wait/synch/sxlock/innodb/index_tree_rw_lock")
    asleep = [row("updating", os="S", call="futex", count=4)]
    tables = [TableSnapshot("instrumented", [{"waits": 1}], 0.0)]
    moments = moments_of(member([[{**waits, "count": 3}, *[{**asleep[0], "count": 1}]], asleep, asleep], tables=tables))
    writers = count(moments, Recogniser(load_wait_classes(), frozenset()))[Threads.WRITERS]
    assert writers.shares() == {"latch": 0.75, "unexplained": 0.25}
    assert writers.present["latch"] == 3, "three of four threads: at nearly every moment"
    assert (writers.instrumented, writers.told) == (1, 0.5), "0.75 of two thirds of the time"


def test_a_leader_who_is_seen_tells_more_than_other_moments() -> None:
    follower, latch = row(COMMIT, call="futex"), "wait/synch/mutex/sql/LOCK_global_system_variables"
    windowed = [{**follower, "event": latch}]
    led = [row(COMMIT, os="D", call="fdatasync binlog"), follower]
    tables = [TableSnapshot("instrumented", [{"waits": 1}], 0.0)]
    moments = moments_of(member([windowed, led], tables=tables))
    writers = count(moments, Recogniser(load_wait_classes(), frozenset()))[Threads.WRITERS]
    assert writers.counts == {"latch": 1, "binlog_sync": 2}


def test_two_leaders_share_the_followers() -> None:
    both = [row("Waiting for semi-sync ACK from replica"), row(COMMIT, call="fsync redo", os="D"), row(COMMIT, count=2)]
    assert counted(both)[Threads.WRITERS].shares() == {"semisync_ack": 0.5, "redo_sync": 0.5}


def test_a_background_thread_may_lead() -> None:
    flusher = [{"name": "log_flusher_thread", "os": "D", "call": "fsync redo", "count": 1}]
    assert counted([row(COMMIT, count=2)], background=flusher)[Threads.WRITERS].shares() == {"redo_sync": 1.0}


def test_where_nobody_syncs_a_thread_on_a_cpu_inside_its_commit_leads() -> None:
    running = [row(COMMIT, os="R"), row(COMMIT, os="S", call="futex", count=3)]
    woken = row(COMMIT, os="R", event="wait/synch/cond/sql/MYSQL_BIN_LOG::COND_done")
    elsewhere = [row("updating", os="R"), woken, row(COMMIT, os="S", call="futex", count=3)]
    writers = counted(running, elsewhere)[Threads.WRITERS]
    assert writers.led_by_cpu == 3
    assert writers.counts == {"on_cpu": 3, "group_commit": 6}


def test_appliers_follow_a_client_that_leads() -> None:
    here = counted([row(COMMIT, call="fdatasync binlog", os="D"), worker(COMMIT, count=2)])
    assert here[Threads.APPLIERS].shares() == {"binlog_sync": 1.0}


def test_one_waiting_worker_of_four_is_present_at_every_moment() -> None:
    moment = [worker("updating", trx="lock wait"), worker("Waiting for an event from Coordinator", count=3)]
    appliers = counted(moment, moment)[Threads.APPLIERS]
    assert appliers.shares() == {"row_lock": 0.25, "worker_idle": 0.75}
    assert appliers.present["row_lock"] == appliers.moments == 2
    assert appliers.threads == 4


def test_threads_are_counted_in_their_own_group() -> None:
    here = counted([row("updating"), worker("updating"), row("Sending to client", command="Binlog Dump", user="r")])
    assert list(here) == [Threads.WRITERS, Threads.APPLIERS, Threads.DUMP]


def test_the_words_of_a_class_are_kept_most_frequent_first() -> None:
    here = counted([row("updating", count=2), row("Opening tables"), row("Sending data", count=3)])
    words = here[Threads.WRITERS].words["statement_work"]
    assert words == ("sending data", "updating", "opening tables")


@pytest.mark.parametrize("lists", [(), ([],), ([], [])])
def test_nothing_sampled_gives_no_group(lists: tuple[Rows, ...]) -> None:
    assert counted(*lists) == {}
