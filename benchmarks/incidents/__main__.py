"""Play incidents on labs under a real Prometheus, keep what it saw, and score `advisor timeline` on it.

    python -m benchmarks.incidents --keep FOLDER [--only NAME…] [--rate 40] [--offline]

Needs the servers of `scripts/get_servers.py`, Prometheus and its exporters among them. Each play has its own recording:
a calm time, the incident, its end, and the time after it. What is kept can be scored again without servers.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from advisor.cluster_file import addresses
from advisor.lab import down
from advisor.lab.servers.binaries import find_servers
from advisor.lab.up import LabRequest, bring_up
from benchmarks.incidents.paced_load import PacedLoad, prepare
from benchmarks.incidents.plays import PLAYS, Play, Stage
from benchmarks.incidents.record import keep
from benchmarks.incidents.score import score, table
from tests.servers.monitoring import watching

CALM_SECONDS = 80.0
AFTER_SECONDS = 50.0


@contextmanager
def lab(play: Play, name: str, rate: float) -> Iterator[tuple[Stage, str]]:
    """A lab with its users and its monitoring; all gone afterwards."""
    binary = next(each for each in find_servers() if each.family == "mysql")
    cluster = bring_up(LabRequest(play.topology, name, binary, 2, durability="durable", rtt_ms=play.rtt_ms), print)
    try:
        found = addresses(cluster)
        writer = [cluster.members[0].name]
        stage = Stage(cluster, found, PacedLoad(lambda: found[writer[0]], rate), writer)
        with stage.session(writer[0]) as session:
            prepare(session)
        with watching(cluster.path) as monitoring:
            stage.load.start()
            try:
                yield stage, monitoring.url
            finally:
                stage.load.stop()
    finally:
        down.take_down(name)


def play_all(plays: Sequence[Play], folder: Path, rate: float) -> None:
    """Each play on a lab of its own kind; those that leave it changed come last."""
    for play in plays:
        print(f"{time.strftime('%H:%M:%S')} {play.name}", flush=True)
        with lab(play, f"incidents-{play.name.replace('_', '-')}", rate) as (stage, url):
            begin = time.time() + 20
            time.sleep(20 + CALM_SECONDS)
            at = time.time()
            end_of_play = play.act(stage)
            time.sleep(play.seconds)
            end_of_play()
            cleared = time.time()
            time.sleep(AFTER_SECONDS)
            keep(url, begin, time.time(), folder / f"{play.name}.jsonl.gz")
            told = {"begin": begin, "at": at, "cleared": cleared, "end": time.time()}
            (folder / f"{play.name}.json").write_text(json.dumps(told) + "\n", encoding="utf-8")


def main() -> None:
    """Play what was asked for, and score everything that is kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--rate", type=float, default=40.0)
    parser.add_argument("--offline", action="store_true")
    asked = parser.parse_args()
    asked.keep.mkdir(parents=True, exist_ok=True)
    if not asked.offline:
        play_all([play for play in PLAYS if not asked.only or play.name in asked.only], asked.keep, asked.rate)
    print(table(score(asked.keep)))


if __name__ == "__main__":
    main()
