"""What `advisor watch` refuses, before it reads anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.errors import WriteError
from advisor.ring.folder import segments
from advisor.ring.writer import RingBounds, RingWriter
from tests.cli.runs import Runner

SERVER = ("watch", "--dsn", "mysql://nobody@127.0.0.1:1", "--ring", "ring")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("watch", "--ring", "ring"), "name one running cluster with --dsn, --cluster or --lab"),
        ((*SERVER, "--when", "lag > 5"), "did you mean lag_seconds?"),
        ((*SERVER, "--when", "lag_seconds > 5s"), "not a condition"),
        ((*SERVER, "--at-most", "1M"), "must be a size of at least 16M"),
        ((*SERVER, "--at-most", "much"), "must be a size of at least 16M"),
        ((*SERVER, "--keep", "1m"), "must be at least 10m"),
        ((*SERVER, "--keep", "soon"), "not a length of time"),
        ((*SERVER, "--listen", "9105"), "not an address with a port"),
    ],
)
def test_wrong_usage_is_one_message_and_code_2(run: Runner, words: tuple[str, ...], says: str) -> None:
    done = run(*words)
    assert done.code == 2
    assert says in done.err
    assert done.err.count("advisor: ") == 1
    assert not Path("ring").exists()


def test_a_server_that_is_not_there_is_code_4_and_no_ring_is_made(run: Runner) -> None:
    done = run(*SERVER)
    assert done.code == 4
    assert done.err.count("advisor: ") == 1
    assert "check that the server is up" in done.err
    assert not Path("ring").exists()


def test_a_folder_that_cannot_be_written_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(WriteError, match="cannot be written"):
        RingWriter(tmp_path / "my.cnf", RingBounds(3600, 1 << 24), print)


def test_a_ring_whose_folder_is_taken_away_stops_and_goes_on_when_it_is_back(tmp_path: Path) -> None:
    told: list[str] = []
    now = [1_795_000_000.0]
    writer = RingWriter(tmp_path / "ring", RingBounds(3600, 1 << 24), told.append, lambda: now[0])
    assert writer.append(b"one")
    (tmp_path / "ring").rename(tmp_path / "away")
    now[0] += 600
    assert not writer.append(b"two")
    assert not writer.append(b"three")
    (tmp_path / "away").rename(tmp_path / "ring")
    assert writer.append(b"four")
    assert len(told) == 2
    assert len(segments(tmp_path / "ring")) == 2


def test_why_and_timeline_refuse_a_folder_without_a_recording(run: Runner) -> None:
    Path("ring").mkdir()
    for words in (("why", "--history", "ring"), ("timeline", "ring")):
        done = run(*words)
        assert done.code == 2
        assert done.err.count("advisor: ") == 1
