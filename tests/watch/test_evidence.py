"""The last round is diagnosed in a thread; facts are those of the newest readings; a bundle has the minute before."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from advisor.collect.member.recording import Recording
from advisor.evidence import read_path
from advisor.ring.folder import BUNDLES
from advisor.ring.writer import RingBounds, RingWriter
from advisor.watch.conditions import Happened
from advisor.watch.evidence import RoundEvidence, gathered_from
from advisor.watch.incident import AFTER_SECONDS, Incidents, file_name
from advisor.watch.members import MemberReading
from advisor.watch.readings import LatestReadings
from advisor.watch.rounds import Piece, Round
from tests.collect.recordings import recorded, wanted
from tests.watch.minutes import minute

AT = 1_795_000_000.0
NAME = "orders-db1"


def diagnosed() -> RoundEvidence:
    evidence = RoundEvidence(wanted())
    evidence.read([recorded()], AT)
    until = time.monotonic() + 60
    while evidence.lookup(NAME) is None and not evidence.failure and time.monotonic() < until:
        time.sleep(0.02)
    assert not evidence.failure
    return evidence


def test_facts_have_the_settings_of_the_round_and_the_newest_readings() -> None:
    evidence = diagnosed()
    newer = recorded()
    newer.samples = [(at + 60, {**values, "Questions": str(90 * int(at))}) for at, values in newer.samples]
    latest = LatestReadings(NAME)
    latest.add([Piece(newer.samples, newer.tables)])
    view = evidence.latest({NAME: latest})[NAME]
    assert view.value("sync_binlog") == 1
    assert view.value("rate.Questions") == pytest.approx(90)
    assert view.value("replica.Last_SQL_Errno") == 1032


def test_a_round_without_readings_gives_a_reason_and_no_facts() -> None:
    evidence = RoundEvidence(wanted())
    lost = Recording(NAME)
    lost.failure = "connection refused"
    evidence.read([lost], AT)
    until = time.monotonic() + 60
    while not evidence.failure and time.monotonic() < until:
        time.sleep(0.02)
    assert evidence.failure == "connection refused"
    assert evidence.first_cause is None


def test_times_of_a_bundle_count_from_its_first_reading() -> None:
    late = recorded()
    late.samples = [(at + 86_400, values) for at, values in late.samples]
    gathered = gathered_from([late], AT)
    assert gathered.began.timestamp() == pytest.approx(AT + 86_400.1)
    assert [round(at, 6) for at, _ in gathered.recordings[0].samples] == [0, 1, 2, 3]


def end_of(reading: MemberReading, number: int) -> None:
    """Let a round be over and taken, as the watch takes it each second."""
    reading._rounds.append(Round(minute(number, from_its_begin=False), over=True))
    reading.take()


def test_a_bundle_has_the_rounds_before_and_after_and_no_private_name(tmp_path: Path) -> None:
    told: list[str] = []
    ring = RingWriter(tmp_path, RingBounds(3600, 1 << 24), told.append)
    reading = MemberReading(wanted().members[0], 0.0, threading.Event())
    end_of(reading, 0)
    incidents = Incidents(wanted(), ring, [reading], told.append)
    happened = Happened("lag_seconds > 5", NAME, AT)
    incidents.begin(happened)
    incidents.begin(happened)
    incidents.step(AT + AFTER_SECONDS - 1, AT)
    assert not list((tmp_path / BUNDLES).iterdir()), "some seconds after it are in it, too"
    incidents.step(AT + AFTER_SECONDS, AT)
    assert incidents.busy, "the round has to end first"
    end_of(reading, 1)
    incidents.step(AT + AFTER_SECONDS + 1, AT)
    incidents.finish(AT)
    ring.close()
    (path,) = (tmp_path / BUNDLES).iterdir()
    assert path.name == file_name(happened) == "20261118T110640Z-lag_seconds-above-5.tar.gz"
    member = read_path(str(path)).members[0]
    assert member.samples[-1].at_seconds - member.samples[0].at_seconds == pytest.approx(63)
    assert NAME not in member.name
    assert len(told) == 3
    assert "will include this" in told[1]
    assert str(path) in told[2]
