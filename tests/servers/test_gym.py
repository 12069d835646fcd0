"""A mechanism of the diagnosis gym on a real server: it is felt, diagnosed, taken away, and leaves nothing behind."""

from __future__ import annotations

import os
from pathlib import Path

from benchmarks.diagnosis.gym.mechanisms import load_plays
from benchmarks.diagnosis.gym.play import run_play
from benchmarks.diagnosis.gym.score import PROVES, Played
from benchmarks.diagnosis.running_lab import running_lab, settle
from tests.servers.conftest import server_for


def test_a_mechanism_is_played_and_undone(tmp_path: Path) -> None:
    play = next(one for one in load_plays("open")[0] if one.name == "global-read-lock@standalone-mysql")
    server_for(play.lab.topology, play.lab.family)
    with running_lab(play.lab, f"test-gym-{os.getpid()}", print) as opened:
        session = opened.nodes[0].session
        before = session.pairs("SHOW GLOBAL VARIABLES")
        done = run_play(play, opened, tmp_path / "bundle.tar.gz", print)
        settle(opened)
        after = session.pairs("SHOW GLOBAL VARIABLES")
        mine = session.value("SELECT COUNT(*) FROM information_schema.processlist WHERE db = 'advisor_bench'")
    factor = Played(play.name, play.mechanism, vars(done)).factor
    assert factor is not None
    assert factor > PROVES
    assert (tmp_path / "bundle.tar.gz").stat().st_size > 10_000
    assert done.document["causes"]
    assert {name for name in after if after[name] != before.get(name)} <= {"gtid_executed", "timestamp"}
    assert mine == 0
