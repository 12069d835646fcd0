"""`advisor timeline` and `advisor why --history` on kept metrics: times, formats, and input that cannot be used."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from advisor.cli.shared.past.moment import parse_moment
from advisor.cli.timeline.run import TimelineRequest, span_of
from advisor.errors import UsageError
from tests.cli.runs import Runner
from tests.history.readings import BEGIN, reading, write_lines
from tests.timeline.made import SECONDS, level, writer

AT = 200


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine in the east of Europe."""
    monkeypatch.setenv("TZ", "Europe/Helsinki")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def kept(tmp_path: Path) -> str:
    """Five minutes of a source and its replica, with a setting that changed."""
    source = writer(lambda second: 200.0 if second < AT else 80.0)
    source[3] = level("mysql_global_variables_sync_binlog", lambda second: float(second >= AT))
    replica = writer(member="m2")
    channel: dict[str, Any] = {"instance": "m2", "master_host": "m1", "channel_name": ""}
    replica += [
        reading("mysql_slave_status_seconds_behind_source", [0.0] * SECONDS, **channel),
        reading("mysql_slave_status_replica_sql_running", [1.0] * SECONDS, **channel),
        reading("mysql_slave_status_source_server_id", [1.0] * SECONDS, **channel),
    ]
    versions = [
        reading("mysql_version_info", [1.0], instance=member, version="8.4.2", version_comment="MySQL Community Server")
        for member in ("m1", "m2")
    ]
    ids = [reading("mysql_global_variables_server_id", [float(n)], instance=f"m{n}") for n in (1, 2)]
    return write_lines(tmp_path / "export.jsonl", [*source, *replica, *versions, *ids])


def test_the_answer_comes_first_and_fits_eighty_columns(run: Runner, kept: str) -> None:
    done = run("timeline", kept)
    assert (done.code, done.err) == (0, "")
    paragraphs = done.out.split("\n\n")
    assert "sync_binlog was changed from 0 to 1 on m1" in " ".join(paragraphs[1].split())
    assert max(map(len, done.out.splitlines()[1:])) <= 80, "but for the path of the source"


def test_a_time_without_the_change_names_nothing(run: Runner, kept: str) -> None:
    end = datetime.fromtimestamp(BEGIN + 150).astimezone().isoformat()
    done = run("timeline", kept, "--to", end, "--last", "2m")
    assert "Nothing changed between" in done.out
    assert "sync_binlog" not in done.out


def test_a_time_that_the_file_does_not_hold_is_one_line_with_what_it_holds(run: Runner, kept: str) -> None:
    done = run("timeline", kept, "--from", "2020-01-01", "--to", "2020-01-02")
    assert done.code == 2
    assert "has no data of a MySQL or MariaDB server for this time" in done.err
    assert "it has data from 2026-" in done.err


def test_the_history_of_a_file_is_diagnosed_like_a_bundle(run: Runner, kept: str) -> None:
    done = run("why", "--history", kept, "--format", "json")
    assert done.code == 0, done.err
    report = json.loads(done.out)
    assert (report["topology"], report["writer"], report["members"]) == ("async_mysql", "m1", ["m1", "m2"])
    assert report["releases"] == ["mysql 8.4.2"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("timeline", "nowhere.tar.gz"), "no such file"),
        (("timeline", "http://127.0.0.1:9", "--last", "1h", "--from", "12:00"), "--from and --last cannot be combined"),
        (("timeline", "http://127.0.0.1:9", "--last", "soon"), "--last soon: not a length of time"),
        (("timeline", "http://127.0.0.1:9", "--from", "yesterday"), "--from yesterday: not a moment"),
        (("timeline", "http://127.0.0.1:9", "--from", "2100-01-01", "--to", "2100-01-02"), "is in the future"),
        (("timeline", "http://127.0.0.1:9", "--last", "5s"), "shorter than 20 s"),
        (("timeline", "http://127.0.0.1:9", "--select", "up}"), "not a list of matchers"),
        (("timeline", "http://u:s3cret@127.0.0.1:9"), "127.0.0.1:9 cannot be reached"),
        (("why", "--history", "http://127.0.0.1:9", "my.cnf"), "--history cannot be combined"),
        (("why", "--history", "http://127.0.0.1:9", "--at", "2100-01-01"), "is in the future"),
        (("why", "--history", "http://127.0.0.1:9", "--for", "1s"), "too few readings"),
    ],
)
def test_what_cannot_be_asked_is_one_line(run: Runner, words: tuple[str, ...], says: str) -> None:
    done = run(*words)
    assert done.code in (2, 4)
    assert says in done.err
    assert done.out == ""
    assert "Traceback" not in done.err
    assert "s3cret" not in done.err


@pytest.mark.usefixtures("zone")
def test_times_without_a_zone_are_local() -> None:
    assert parse_moment("2026-11-17 14:00", "--at") == parse_moment("2026-11-17T12:00Z", "--at")
    assert parse_moment("2026-07-17 14:00", "--at") == parse_moment("2026-07-17T11:00+00:00", "--at")
    today = datetime.now().astimezone()
    assert parse_moment("9:05", "--at") == today.replace(hour=9, minute=5, second=0, microsecond=0).timestamp()


def test_without_a_time_an_address_gives_the_last_hour_and_a_file_everything() -> None:
    assert span_of(TimelineRequest("dump.tar.gz")).end_seconds == 0
    span = span_of(TimelineRequest("http://prometheus"))
    assert round(span.end_seconds - span.begin_seconds) == 3600
    with pytest.raises(UsageError, match="longer than a month"):
        span_of(TimelineRequest("http://prometheus", begin="2020-01-01"))
