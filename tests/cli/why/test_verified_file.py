"""The file of verified changes: whole or not at all, with a backup, and never in the way of an answer."""

from __future__ import annotations

import pickle
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.cli.shared.live_cluster import LiveOptions
from advisor.cli.why.run import WhyRequest, corrected_where_live
from advisor.cli.why.verified_file import keep, verified_changes
from advisor.cli.why.verify import keep_verified
from advisor.model.record import replace
from tests.report.diagnosed import diagnosis
from tests.why.verified.a_change import CHANGE, LINE, PAIR, changed

LIVE = WhyRequest((), live=LiveOptions(lab="demo"))


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "advisor" / "verified-changes.jsonl"


def test_reading_makes_nothing_where_nothing_was_kept(place: Path) -> None:
    assert verified_changes() == ((), "")
    assert not place.parent.exists()


def test_pairs_are_added_and_the_file_before_is_the_backup(place: Path) -> None:
    assert keep([PAIR]) == ""
    assert keep([]) == ""
    assert keep([replace(PAIR, measured=1500.0)]) == ""
    assert verified_changes() == ((PAIR, replace(PAIR, measured=1500.0)), "")
    assert place.with_suffix(".jsonl.bak").read_text() == LINE
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert sorted(path.name for path in place.parent.iterdir()) == [
        "verified-changes.jsonl",
        "verified-changes.jsonl.bak",
        "verified-changes.lock",
    ]


def test_lines_that_cannot_be_read_stay_in_the_file(place: Path) -> None:
    place.parent.mkdir()
    place.write_bytes(changed(format=2).encode() + b"\xff\xfe half a li")
    assert keep([PAIR]) == ""
    pairs, note = verified_changes()
    assert pairs == (PAIR,)
    unused = "1 written by a later version of advisor and 1 that cannot be read"
    assert note == f"{place}: lines that are not used: {unused}"
    assert place.read_bytes().startswith(changed(format=2).encode() + b"\xff\xfe half a li\n")


def test_a_file_that_cannot_be_read_is_one_note_and_cannot_be_added_to(place: Path) -> None:
    place.mkdir(parents=True)
    pairs, note = verified_changes()
    assert pairs == ()
    assert note == f"{place}: changes verified before are not used: Is a directory"
    assert "Is a directory" in keep([PAIR])


def test_a_folder_that_cannot_be_made_is_said_and_no_failure(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "advisor").write_text("a file")
    assert verified_changes()[0] == ()
    keep_verified(diagnosis(), [CHANGE])
    assert "not saved for future predictions" in capfd.readouterr().err


def test_only_the_newest_thousand_stay(place: Path) -> None:
    place.parent.mkdir()
    place.write_text(LINE * 1000)
    assert keep([replace(PAIR, cause="gr_flow_control")]) == ""
    pairs, _ = verified_changes()
    assert len(pairs) == 1000
    assert pairs[-1].cause == "gr_flow_control"


PROGRAM = """
import pickle, sys
from advisor.cli.why.verified_file import keep
sys.exit("".join(keep([pair]) for pair in pickle.load(sys.stdin.buffer)) or 0)
"""


def test_several_programs_at_once_lose_nothing(place: Path) -> None:
    programs = [subprocess.Popen([sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE) for _ in range(8)]
    for number, program in enumerate(programs):
        assert program.stdin
        pickle.dump([replace(PAIR, measured=float(5 * number + each)) for each in range(1, 6)], program.stdin)
        program.stdin.close()
    assert [program.wait() for program in programs] == [0] * 8
    pairs, note = verified_changes()
    assert (sorted(pair.measured for pair in pairs), note) == ([*map(float, range(1, 41))], "")


def test_what_is_verified_three_times_corrects_the_next_prediction(capfd: pytest.CaptureFixture[str]) -> None:
    """The pairs of the change that the diagnosis itself advises: 10,400 predicted, 5200 measured."""
    told = diagnosis().causes[0].predicted
    change = replace(CHANGE, predicted=told, during=5200.0)
    for count in (1, 2, 3):
        before = corrected_where_live(diagnosis(), LIVE)
        assert before.causes[0].predicted == told, "two pairs are not enough"
        keep_verified(before, [change])
        changes = "1 verified change" if count == 1 else f"{count} verified changes"
        assert (
            f"result saved for future predictions: {changes} for applier_single_threaded so far"
            in capfd.readouterr().err
        )
    after = corrected_where_live(diagnosis(), LIVE).causes[0].predicted
    assert told is not None
    assert after is not None
    assert after.verified == 3
    assert after.mid == pytest.approx(told.mid * 0.5**0.5)


def test_a_bundle_is_diagnosed_alike_on_every_machine() -> None:
    keep([replace(PAIR, measured=100.0)] * 9)
    assert corrected_where_live(diagnosis(), WhyRequest(("bundle.tar.gz",))) == diagnosis()


def test_a_note_on_the_file_is_one_of_the_report(place: Path) -> None:
    place.parent.mkdir()
    place.write_text(changed(format=2))
    noted = corrected_where_live(diagnosis(), LIVE)
    assert noted.problems == (
        *diagnosis().problems,
        f"{place}: lines that are not used: 1 written by a later version of advisor",
    )


def test_an_experiment_leaves_no_pair() -> None:
    keep_verified(diagnosis(), [replace(CHANGE, cause="")])
    assert verified_changes() == ((), "")
