"""The kept plays of the open side, judged again: what was right stays right."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.diagnosis.gym.kept import judged_again
from benchmarks.diagnosis.gym.mechanisms import load_plays
from benchmarks.diagnosis.gym.score import Played

PLAYS = Path(__file__).parents[2] / "benchmarks/diagnosis/plays"


@pytest.mark.gate
def test_the_first_answers_of_the_open_side_stay_right() -> None:
    """In-sample: the rules were mended on these. The locked side is looked at only as a score, never by a test."""
    plays, wrong = load_plays("open")
    results = [(play, found) for play in plays if (found := judged_again(PLAYS, play))]
    played = [Played(play.name, play.mechanism, found) for play, found in results]
    proved = [one for one in played if one.proved and not one.mechanism.healthy]
    assert not wrong
    assert len(proved) >= 45
    assert sum(one.right(1) for one in proved) / len(proved) >= 0.85
    assert not [one.play for one in played if one.mechanism.healthy and one.alarmed]
    explained = [share for one in played if (share := one.explained) is not None]
    assert sorted(explained)[len(explained) // 2] >= 0.9
