"""`python -m benchmarks.diagnosis`: play every scenario that is not kept yet on real servers, and print the score.

    python -m benchmarks.diagnosis [--only WORDS] [--keep FOLDER] [--again] [--offline] [--fresh]

Each scenario's bundle and result are kept as soon as it is over, so an interrupted run goes on where it ended. With
--offline the kept bundles are diagnosed anew, without servers.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from itertools import groupby
from pathlib import Path
from typing import Any

from advisor.bench.open_cluster import OpenCluster
from advisor.errors import AdvisorError
from advisor.evidence import read_path
from advisor.why import diagnose
from benchmarks.diagnosis.scenarios import Scenario, load_scenarios
from benchmarks.diagnosis.score import Result, table
from benchmarks.diagnosis.stage import Played, as_document, play, settle, stage


def main() -> int:
    """Play what is asked for, then print the table of all that is kept; 1 when a scenario could not be played."""
    words = argparse.ArgumentParser(prog="python -m benchmarks.diagnosis", description=__doc__)
    words.add_argument("--only", default="", help="comma-separated: scenarios whose name has one of these words")
    words.add_argument("--keep", default=".bench-diagnosis", help="folder of bundles and results")
    words.add_argument("--again", action="store_true", help="play even what is kept")
    words.add_argument("--offline", action="store_true", help="diagnose the kept bundles anew, start no servers")
    words.add_argument("--seconds", type=float, default=1e9, help="begin no scenario after so long")
    words.add_argument("-v", "--verbose", action="store_true")
    asked = words.parse_args()
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.default_int_handler)  # labs are taken down, and what was played is scored
    keep = Path(asked.keep)
    keep.mkdir(parents=True, exist_ok=True)
    chosen = [one for one in load_scenarios() if any(word in one.name for word in asked.only.split(","))]
    failures = 0
    if asked.offline:
        _diagnose_again(chosen, keep)
    else:
        wanted = [one for one in chosen if asked.again or not _place(keep, one).exists()]
        try:
            failures = _play_all(wanted, keep, time.monotonic() + asked.seconds)
        except KeyboardInterrupt:
            failures = 1
            _tell("interrupted")
    kept = [Result(one, json.loads(_place(keep, one).read_text())) for one in chosen if _place(keep, one).exists()]
    print(table(kept, verbose=asked.verbose))
    return int(failures > 0)


def _play_all(wanted: list[Scenario], keep: Path, until: float) -> int:
    failures = 0
    for _, scenarios in groupby(wanted, key=lambda one: one.stage):
        left = list(scenarios)
        while left and time.monotonic() < until:
            failures += _play_on_one_lab(left, keep, until)
    return failures


def _play_on_one_lab(left: list[Scenario], keep: Path, until: float) -> int:
    """Play the first of these, and more while the lab gets over each; what was played is no longer in `left`."""
    failures, begun, lab = 0, len(left), left[0].stage
    try:
        with stage(lab, f"diag-{lab.name[:12]}-{os.getpid()}", _tell) as opened:
            while left and time.monotonic() < until:
                failures += not _play(left.pop(0), opened, keep)
                settle(opened)
    except AdvisorError as error:
        _tell(f"{lab.name}: {error}")
        if len(left) == begun:  # it never stood
            failures += len(left)
            left.clear()
    return failures


def _play(one: Scenario, opened: OpenCluster, keep: Path) -> bool:
    try:
        played = play(one, opened, _place(keep, one).with_suffix(".tar.gz"), _tell)
    except AdvisorError as error:
        _tell(f"{one.name}: {error}")
        return False
    _keep(_place(keep, one), _as_data(played))
    causes = ", ".join(f"{c['cause']} {c['confidence']:.2f}" for c in played.document["causes"][:3])
    _tell(f"{one.name}: {causes or 'nothing'} ({played.seconds:.0f} s)")
    return True


def _diagnose_again(chosen: list[Scenario], keep: Path) -> None:
    for one in chosen:
        place = _place(keep, one)
        if place.exists():
            found = as_document(diagnose(read_path(str(place.with_suffix(".tar.gz")))))
            _keep(place, {**json.loads(place.read_text()), "document": found})


def _as_data(played: Played) -> dict[str, Any]:
    after = vars(played.after) if played.after else None
    return {**vars(played), "before": vars(played.before), "after": after}


def _keep(place: Path, data: dict[str, Any]) -> None:
    new = place.with_suffix(".new")
    new.write_text(json.dumps(data, indent=1) + "\n")
    new.replace(place)


def _place(keep: Path, one: Scenario) -> Path:
    return keep / f"{one.name.replace('/', '.')}.json"


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
