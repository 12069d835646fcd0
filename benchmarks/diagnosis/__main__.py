"""`python -m benchmarks.diagnosis`: run every scenario without a kept result on real servers, and print the score.

    python -m benchmarks.diagnosis [--only WORDS] [--keep FOLDER] [--again] [--offline] [--seconds N] [-v]

Bundle and result of a scenario are kept as soon as it ends, so an interrupted run continues where it stopped. With
--offline the kept bundles are diagnosed again, without servers.
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
from benchmarks.diagnosis.observation import as_document
from benchmarks.diagnosis.run_scenario import ScenarioRun, run_scenario
from benchmarks.diagnosis.running_lab import running_lab, settle
from benchmarks.diagnosis.scenarios import Scenario, load_scenarios
from benchmarks.diagnosis.score import Result, table


def main() -> int:
    """Run the chosen scenarios, then print the table of all kept results; 1 when a scenario could not be run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diagnosis", description=__doc__)
    parser.add_argument("--only", default="", help="comma-separated: scenarios whose name contains one of these words")
    parser.add_argument("--keep", default=".bench-diagnosis", help="folder of bundles and results")
    parser.add_argument("--again", action="store_true", help="run scenarios with a kept result too")
    parser.add_argument("--offline", action="store_true", help="diagnose the kept bundles again, without servers")
    parser.add_argument("--seconds", type=float, default=1e9, help="start no scenario after this many seconds")
    parser.add_argument("-v", "--verbose", action="store_true", help="list right answers too")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)  # labs are removed, and what was run is scored
    keep = Path(options.keep)
    keep.mkdir(parents=True, exist_ok=True)
    chosen = [one for one in load_scenarios() if any(word in one.name for word in options.only.split(","))]
    failures = 0
    if options.offline:
        _diagnose_again(chosen, keep)
    else:
        wanted = [one for one in chosen if options.again or not _place(keep, one).exists()]
        try:
            failures = _run_all(wanted, keep, time.monotonic() + options.seconds)
        except KeyboardInterrupt:
            failures = 1
            _tell("interrupted")
    kept = [Result(one, json.loads(_place(keep, one).read_text())) for one in chosen if _place(keep, one).exists()]
    print(table(kept, verbose=options.verbose))
    return int(failures > 0)


def _run_all(wanted: list[Scenario], keep: Path, until: float) -> int:
    failures = 0
    for _, scenarios in groupby(wanted, key=lambda scenario: scenario.lab):
        left = list(scenarios)
        while left and time.monotonic() < until:
            failures += _run_on_one_lab(left, keep, until)
    return failures


def _run_on_one_lab(left: list[Scenario], keep: Path, until: float) -> int:
    """Run the first of these, and more while the lab recovers from each; those that were run leave `left`."""
    failures, begun, lab = 0, len(left), left[0].lab
    try:
        with running_lab(lab, f"diag-{lab.name[:12]}-{os.getpid()}", _tell) as opened:
            while left and time.monotonic() < until:
                failures += not _run(left.pop(0), opened, keep)
                settle(opened)
    except AdvisorError as error:
        _tell(f"{lab.name}: {error}")
        if len(left) == begun:  # the lab never started
            failures += len(left)
            left.clear()
    return failures


def _run(one: Scenario, opened: OpenCluster, keep: Path) -> bool:
    try:
        done = run_scenario(one, opened, _place(keep, one).with_suffix(".tar.gz"), _tell)
    except AdvisorError as error:
        _tell(f"{one.name}: {error}")
        return False
    _keep(_place(keep, one), _as_data(done))
    causes = ", ".join(f"{c['cause']} {c['confidence']:.2f}" for c in done.document["causes"][:3])
    _tell(f"{one.name}: {causes or 'nothing'} ({done.seconds:.0f} s)")
    return True


def _diagnose_again(chosen: list[Scenario], keep: Path) -> None:
    for one in chosen:
        place = _place(keep, one)
        if place.exists():
            found = as_document(diagnose(read_path(str(place.with_suffix(".tar.gz")))))
            _keep(place, {**json.loads(place.read_text()), "document": found})


def _as_data(done: ScenarioRun) -> dict[str, Any]:
    after = vars(done.after) if done.after else None
    return {**vars(done), "before": vars(done.before), "after": after}


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
