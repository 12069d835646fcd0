"""What was recorded is evidence again: the same as of the recording itself, for `why` and for `timeline`."""

from __future__ import annotations

from pathlib import Path

from advisor.cli.why.past import Past, read_past
from advisor.collect.bundle.read_back import live_evidence
from advisor.collect.member.recording import Recording
from advisor.history.prometheus import Wanted
from advisor.history.source import Source, read_history
from advisor.model.record import replace
from advisor.model.server import Role, Topology
from advisor.ring.writer import RingBounds, RingWriter
from advisor.watch.kept import MOST_SAMPLES, cluster_of_ring
from advisor.watch.recorder import Recorder
from advisor.watch.rounds import Round, joined
from tests.collect.recordings import gathered, recorded, wanted
from tests.watch.minutes import minute

AT = 1_795_000_000.0
BOUNDS = RingBounds(86400, 1 << 24)


def ring_of(folder: Path, *recordings: Recording, failure: str = "") -> None:
    """A ring with these rounds of one member, each a minute after the other."""
    writer = RingWriter(folder, BOUNDS, print, lambda: AT)
    recorder = Recorder(writer, Topology.ASYNC_MYSQL, {"orders-db1": Role.REPLICA})
    for number, recording in enumerate(recordings):
        reading = Round(recording)
        half = len(recording.samples) // 2
        samples, recording.samples = recording.samples, recording.samples[:half]
        first = reading.take()
        recording.samples, reading.over = samples, True
        for piece in (first, reading.take()):
            at = AT + 60 * number + max((moment for moment, _ in piece.samples), default=1.0)
            second = recorder.second("orders-db1", [piece], AT + 60 * number, at, failure)
            assert recorder.write([replace(second, figures={"lag_seconds": 1.5 + number})])
    writer.close()


def test_a_ring_says_what_the_recording_says(tmp_path: Path) -> None:
    live = live_evidence(gathered(), wanted()).members[0]
    ring_of(tmp_path, recorded())
    cluster = cluster_of_ring(tmp_path, 0, 0)
    kept = cluster.members[0]
    assert cluster.topology is Topology.ASYNC_MYSQL
    assert kept.role is Role.REPLICA
    assert {name: fact.value for name, fact in kept.variables.items()} == {
        name: fact.value for name, fact in live.variables.items()
    }
    assert [sample.values for sample in kept.samples] == [sample.values for sample in live.samples]
    assert {table.table for table in kept.tables} == {table.table for table in live.tables}
    assert kept.innodb_status == live.innodb_status
    assert kept.host.keys() == live.host.keys()
    assert any("REPLICATION CLIENT" in problem for problem in cluster.problems)


def test_a_part_of_a_ring_has_the_settings_that_were_known_then(tmp_path: Path) -> None:
    later = recorded()
    later.variables["sync_binlog"] = "0"
    ring_of(tmp_path, recorded(), later)
    assert cluster_of_ring(tmp_path, AT + 1, AT + 30).members[0].variables["sync_binlog"].value == "1"
    assert cluster_of_ring(tmp_path, AT + 1, 0).members[0].variables["sync_binlog"].value == "0"


def test_a_long_time_is_thinned(tmp_path: Path) -> None:
    recording = recorded()
    counters, tables = recording.samples[0][1], recording.tables[0][1]
    recording.samples = [(float(at), {**counters, "Questions": str(at)}) for at in range(800)]
    recording.tables = [(float(at), tables) for at in range(800)]
    ring_of(tmp_path, recording)
    member = cluster_of_ring(tmp_path, 0, AT + 800).members[0]
    assert MOST_SAMPLES / 2 < len(member.samples) <= MOST_SAMPLES + 1
    assert sum(table.table == "replica_status" for table in member.tables) <= MOST_SAMPLES + 1


def test_the_history_of_a_ring_has_counters_settings_replication_and_figures(tmp_path: Path) -> None:
    ring_of(tmp_path, recorded(), recorded())
    wanted_ones = ["status.Questions", "replica.Last_SQL_Errno", "watch.lag_seconds", "exporter.reaches_server"]
    history = read_history(Source(str(tmp_path)), Wanted(0, 0, wanted_ones))
    (member,) = history.members
    assert member.name == "orders-db1"
    assert list(member.series["status.Questions"][0].values) == [1000, 1050, 1100, 1150] * 2
    assert list(member.series["watch.lag_seconds"][0].values) == [1.5, 1.5, 2.5, 2.5]
    assert member.series["variable.sync_binlog"][0].values[0] == 1
    assert set(member.series["replica.Last_SQL_Errno"][0].values) == {1032}
    assert member.texts["version"] == "9.7.4-2"
    assert "status.Com_select" not in member.series


def test_a_member_that_cannot_be_read_is_a_gap_and_not_a_zero(tmp_path: Path) -> None:
    lost = Recording("orders-db1")
    lost.failure = "connection refused"
    ring_of(tmp_path, lost, failure="connection refused")
    history = read_history(Source(str(tmp_path)), Wanted(0, 0, ["status.Questions", "exporter.reaches_server"]))
    (member,) = history.members
    assert list(member.series["exporter.reaches_server"][0].values) == [0]
    assert "status.Questions" not in member.series


def test_why_takes_the_last_half_hour_of_a_ring(tmp_path: Path) -> None:
    ring_of(tmp_path, *(minute(number) for number in range(40)))
    every = read_past(Past(str(tmp_path))).members[0].samples
    assert 1730 < every[-1].at_seconds - every[0].at_seconds < 1805
    assert len(read_past(Past(str(tmp_path), for_="60s")).members[0].samples) == 6


def test_rounds_that_follow_each_other_are_one_recording() -> None:
    first, second = recorded(), recorded()
    second.samples = [(at + 60, values) for at, values in second.samples]
    second.variables["sync_binlog"] = "0"
    lost = Recording("orders-db1")
    lost.failure = "connection refused"
    both = joined([first, second, lost])
    assert [at for at, _ in both.samples] == [0.1, 1.1, 2.1, 3.1, 60.1, 61.1, 62.1, 63.1]
    assert both.variables["sync_binlog"] == "0"
    assert both.failure == "connection refused"
    assert len(both.lacks) == 1
