"""Tests for `advisor.history.collections`: bundles and collections of pt-stalk become series with their times."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.history.collections import read_collections
from advisor.history.prometheus import Wanted
from advisor.history.source import Source, read_history
from advisor.timeline.build import timeline

SAMPLES = Path(__file__).resolve().parents[1] / "evidence/samples"
MARCH = datetime(2026, 3, 1, 10).astimezone().timestamp()


def _stalk(folder: Path, at: str, sync_binlog: int, uptime: int) -> None:
    """One collection: settings, and ten seconds of counters as `mysqladmin -i1` prints them."""
    variables = (
        f"| Variable_name | Value |\n| sync_binlog | {sync_binlog} |\n| version | 8.4.2 |\n| read_only | OFF |\n"
    )
    (folder / f"{at}-variables").write_text(variables, encoding="utf-8")
    (folder / f"{at}-trigger").write_text("x", encoding="utf-8")
    (folder / f"{at}-hostname").write_text("db1\n", encoding="utf-8")
    counters = "".join(
        f"| Questions | {1000 + 50 * (uptime + second)} |\n| Binlog_cache_use | {20 * (uptime + second)} |\n"
        f"| Threads_connected | 5 |\n| Uptime | {uptime + second} |\n"
        for second in range(10)
    )
    (folder / f"{at}-mysqladmin").write_text(counters, encoding="utf-8")


@pytest.fixture
def stalked(tmp_path: Path) -> str:
    """Three collections, ten minutes apart; a setting differs in the last one."""
    for number, sync_binlog in enumerate((0, 0, 1)):
        _stalk(tmp_path, f"2026_03_01_10_{10 * number:02}_00", sync_binlog, 5000 + 600 * number)
    return str(tmp_path)


def test_every_collection_of_pt_stalk_counts_at_its_own_time(stalked: str) -> None:
    history = read_collections(stalked)
    (member,) = history.members
    assert member.name == "db1"
    assert member.texts["version"] == "8.4.2"
    moments = member.series["status.Questions"][0].at_seconds
    assert [moments[at] - MARCH for at in (0, 9, 10, 29)] == [0, 9, 600, 1209]
    assert list(member.series["variable.sync_binlog"][0].values) == [0, 0, 1]


def test_a_setting_that_differs_between_collections_is_named(stalked: str) -> None:
    found = timeline(read_history(Source(stalked), Wanted(0, 0, ())))
    (episode,) = found.episodes
    assert "sync_binlog was changed from 0 to 1 on db1" in episode.sentence
    assert (episode.earliest_seconds - MARCH, episode.latest_seconds - MARCH) == (600, 1200)


def test_a_part_of_the_time_can_be_asked_for(stalked: str) -> None:
    history = read_history(Source(stalked), Wanted(MARCH + 590, MARCH + 700, ()))
    assert len(history.members[0].series["status.Questions"][0].values) == 10
    with pytest.raises(InputError, match="has no data for this time") as caught:
        read_history(Source(stalked), Wanted(1.0, 2.0, ()))
    assert "it has data from 2026-03-01" in str(caught.value)


def test_a_collection_without_counters_still_has_its_settings() -> None:
    history = read_collections(str(SAMPLES / "pt_stalk"))
    assert any("2026_02_01_10_00_00-mysqladmin is missing" in problem for problem in history.problems)
    assert history.end_seconds - history.begin_seconds > 20 * 86400


def test_a_bundle_counts_from_when_it_was_begun(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    shutil.copytree(SAMPLES / "bundle", bundle)
    stated = json.loads((bundle / "bundle.json").read_text(encoding="utf-8"))
    stated["created"] = datetime.fromtimestamp(MARCH, UTC).isoformat().replace("+00:00", "Z")
    (bundle / "bundle.json").write_text(json.dumps(stated), encoding="utf-8")
    history = read_history(Source(str(bundle)), Wanted(0, 0, ()))
    (counted,) = [one for one in history.members if "status.Com_commit" in one.series]
    series = counted.series["status.Com_commit"][0]
    assert [at - MARCH for at in series.at_seconds] == [0, 10]
    assert list(series.values) == [10, 510]


def test_what_has_no_times_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "my.cnf").write_text("[mysqld]\nsync_binlog=1\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no counters with time stamps"):
        read_history(Source(str(tmp_path / "my.cnf")), Wanted(0, 0, ()))


def test_a_counter_that_a_bundle_left_out_because_it_never_changed_stood_still(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle"
    shutil.copytree(SAMPLES / "bundle", bundle)
    stated = {"created": datetime.fromtimestamp(MARCH, UTC).isoformat(), "format": 1}
    (bundle / "bundle.json").write_text(json.dumps(stated), encoding="utf-8")
    values = [{"Questions": at, "Uptime": 9 + at, **({"Com_flush": 4} if at in (0, 4) else {})} for at in range(5)]
    samples = [{"at_seconds": at, "values": each} for at, each in enumerate(values)]
    (bundle / "members/db2/status.json").write_text(json.dumps(samples), encoding="utf-8")
    history = read_history(Source(str(bundle)), Wanted(0, 0, ()))
    (counted,) = [one for one in history.members if "status.Com_flush" in one.series]
    assert list(counted.series["status.Com_flush"][0].values) == [4] * 5
