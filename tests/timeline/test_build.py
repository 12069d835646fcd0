"""Tests for `advisor.timeline.build`: what happened is named with its moment, and a quiet time names nothing."""

from __future__ import annotations

import pytest

from advisor.model.monitoring.timeline import EventKind, Timeline
from advisor.timeline.build import timeline
from tests.history.readings import BEGIN, reading
from tests.timeline.made import SECONDS, counter, history, level, writer

AT = 180


def _near(seconds: float, at: float = AT) -> bool:
    return abs(seconds - BEGIN - at) <= 3


def _only(found: Timeline) -> str:
    (episode,) = found.episodes
    assert _near(episode.begin_seconds)
    assert found.answer == episode.sentence
    return episode.sentence


@pytest.mark.parametrize("seed", range(4))
def test_a_quiet_time_names_nothing(seed: int) -> None:
    rows = counter("mysql_global_status_innodb_row_ops_total", lambda second: 200, seed, operation="updated")
    found = timeline(history([*writer(lambda second: 150.0 + seed), rows, *writer(member="m2")]))
    assert found.episodes == ()
    assert found.answer.startswith("Nothing changed between")
    assert "write transactions" in found.answer


def test_a_setting_is_named_with_what_it_did() -> None:
    slower = writer(lambda second: 200.0 if second < AT else 90.0)
    slower[3] = level("mysql_global_variables_sync_binlog", lambda second: 0.0 if second < AT else 1.0)
    version = reading("mysql_version_info", [1], version="8.4.2", version_comment="Source")
    sentence = _only(timeline(history([*slower, version, *writer(member="m2")])))
    assert "sync_binlog was changed from 0 to 1 on m1; throughput of m1 fell from 2" in sentence


def test_a_switch_is_shown_as_the_server_shows_it() -> None:
    one = writer()
    one.append(level("mysql_global_variables_innodb_adaptive_flushing", lambda second: float(second < AT)))
    one.append(reading("mysql_version_info", [1], version="8.4.2", version_comment="Source"))
    assert "innodb_adaptive_flushing was changed from ON to OFF on m1; nothing else changed at the same time" in _only(
        timeline(history(one))
    )


def test_a_restart_is_named_by_the_uptime_and_no_rate_is_made_across_it() -> None:
    whole = writer(lambda second: 200.0)
    away = range(AT, AT + 12)
    cut = []
    for one in whole:
        pairs = [(at, value) for at, value in zip(one.at_seconds, one.values, strict=True)]
        kept = [
            (at, value if at < BEGIN + AT else value - pairs[AT][1])
            for number, (at, value) in enumerate(pairs)
            if number not in away
        ]
        values = [value for _, value in kept] if "variables" not in one.labels["__name__"] else [1.0] * len(kept)
        cut.append(type(one)(one.labels, [at for at, _ in kept], values))
    found = timeline(history([*cut, *writer(member="m2")]))
    assert [event.kind for event in found.episodes[0].events][:1] == [EventKind.RESTART]
    assert "m1 was restarted" in _only(found)
    curve = next(each for each in found.curves if each.signal == "throughput" and each.member == "m1")
    assert min(value for value in curve.values if value is not None) > 100


def test_more_load_is_named_as_load() -> None:
    sentence = _only(timeline(history(writer(lambda second: 100.0 if second < AT else 210.0))))
    assert "clients send more statements to m1" in sentence
    assert "throughput of m1 rose" in sentence


def test_a_lock_that_ends_is_one_episode_with_an_end() -> None:
    locked = range(AT, AT + 20)
    stopped = writer(lambda second: 0.0 if second in locked else 200.0)
    stopped[1] = counter("mysql_global_status_questions", lambda second: 4.0 if second in locked else 600.0)
    flush = level("mysql_global_status_commands_total", lambda second: 1.0 + (second >= AT), command="flush")
    found = timeline(history([*stopped, flush]))
    assert "FLUSH on m1" in _only(found)
    end = found.episodes[0].end_seconds
    assert end is not None
    assert _near(end, AT + 20)


def test_commands_that_run_all_the_time_are_usual() -> None:
    flush = level("mysql_global_status_commands_total", lambda second: float(second // 40), command="flush")
    assert timeline(history([*writer(), flush])).episodes == ()


def test_a_transaction_that_stays_open_is_told_although_nobody_noticed() -> None:
    length = level(
        "mysql_info_schema_innodb_metrics_transaction_trx_rseg_history_len",
        lambda second: 40.0 + 200 * max(0, second - AT),
    )
    assert "cannot purge old row versions" in _only(timeline(history([*writer(), length])))


def test_a_failover_is_a_change_of_roles() -> None:
    moves = [
        *writer(lambda second: 200.0 if second < AT else 0.0),
        *writer(lambda second: 200.0, "m2"),
        level("mysql_global_variables_read_only", lambda second: float(second >= AT)),
        level("mysql_global_variables_read_only", lambda second: float(second < AT + 2), member="m2"),
        reading("mysql_slave_status_replica_sql_running", [1.0] * (AT + 2), instance="m2"),
    ]
    found = timeline(history(moves))
    sentence = _only(found)
    assert "read_only was changed" in sentence
    assert {event.words for event in found.episodes[0].events} >= {"m2 is no longer a replica"}


def test_a_member_that_is_not_scraped_is_a_remark_and_no_incident() -> None:
    gap = range(AT, AT + 30)
    silent = [
        type(one)(
            one.labels,
            [at for number, at in enumerate(one.at_seconds) if number not in gap],
            [value for number, value in enumerate(one.values) if number not in gap],
        )
        for one in writer()
    ]
    found = timeline(history([*silent, *writer(member="m2")]))
    assert found.episodes == ()
    assert [problem.split(", from")[0] for problem in found.problems] == ["m1 is not scraped for 31 s"]


def test_a_history_without_curves_says_that_nothing_is_known() -> None:
    found = timeline(history([reading("mysql_up", [1.0] * SECONDS)]))
    assert found.answer.startswith("Nothing is known")
