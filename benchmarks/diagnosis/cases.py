"""How often does `advisor why` name the right cause? Runs over recorded and reported cases and prints the score.

    python -m benchmarks.diagnosis.cases [CASES] [-v]

The scoring is that of the cases' README: recorded clusters count as right with an injected cause first, controls with
no cause of confidence 0.5 or more; reported ones right (1), half (a later or also accepted cause) or wrong (0), and
those that cannot be decided are right when no cause is claimed. What a case marks as wrong and is claimed counts as a
trap.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from advisor.errors import AdvisorError
from advisor.evidence import read_path
from advisor.model.diagnosis import Diagnosis
from advisor.why import diagnose
from benchmarks.diagnosis.translate import write_bundle

SURE = 0.5
_ANYWHERE = ("cpu_saturated", "healthy_or_expected", "measurement_not_comparable")


def main(arguments: list[str]) -> int:
    """Print both scores; 0."""
    verbose = "-v" in arguments
    places = [word for word in arguments if not word.startswith("-")]
    cases = Path(places[0]) if places else Path(__file__).resolve().parents[3] / "shared" / "cases"
    recorded = _recorded(cases / "recorded", verbose)
    print(f"recorded: {sum(recorded)} of {len(recorded)} right")
    scores, traps, undecidable = _reported(cases / "reported", verbose)
    print(f"reported, decidable: {sum(scores):g} of {len(scores)} ({sum(scores) / max(1, len(scores)):.0%})")
    print(f"reported, not decidable: {sum(undecidable)} of {len(undecidable)} left open")
    print(f"traps: {traps}")
    return 0


def claimed(diagnosis: Diagnosis) -> list[str]:
    """The causes in their order, those sure enough to be claimed first."""
    return [suspect.cause.id for suspect in diagnosis.causes]


def _recorded(folder: Path, verbose: bool) -> list[bool]:
    found = []
    for case in json.loads((folder / "index.json").read_text())["cases"]:
        diagnosis = diagnose(read_path(str(folder / case["case"])))
        sure = [s.cause.id for s in diagnosis.causes if s.confidence >= SURE and s.cause.id not in _ANYWHERE]
        right = sure[:1] == case["causes"][:1] if case["causes"] else not sure
        found.append(right)
        if verbose or not right:
            print(f"  {'right' if right else 'WRONG'}  {case['case']}: {_told(diagnosis)}; injected {case['causes']}")
    return found


def _reported(folder: Path, verbose: bool) -> tuple[list[float], int, list[bool]]:
    scores: list[float] = []
    left_open: list[bool] = []
    traps = 0
    for file in sorted(folder.glob("*.json")):
        case = json.loads(file.read_text())
        with tempfile.TemporaryDirectory() as place:
            try:
                diagnosis = diagnose(read_path(str(write_bundle(case, Path(place)))))
            except AdvisorError as error:
                print(f"  ERROR  {file.stem}: {error}")
                scores.append(0.0)
                continue
        sure = [s.cause.id for s in diagnosis.causes if s.confidence >= SURE]
        traps += len(set(sure) & set(case["answer"]["would_be_wrong"]))
        if case["decidable"]:
            score = _score(claimed(diagnosis)[:1], case["answer"])
            scores.append(score)
        else:
            score = float(not sure)
            left_open.append(not sure)
        if verbose or score < 1:
            print(f"  {score:<4}  {file.stem}: {_told(diagnosis)}; {'' if case['decidable'] else 'NOT DECIDABLE '}"
                  f"{case['answer']['causes']} also {case['answer']['also_accept']}")  # fmt: skip
    return scores, traps, left_open


def _score(first: list[str], answer: dict[str, Any]) -> float:
    if not first or first[0] in answer["would_be_wrong"]:
        return 0.0
    if first[0] in answer["causes"]:
        return 1.0
    return 0.5 if first[0] in answer["also_accept"] else 0.0


def _told(diagnosis: Diagnosis) -> str:
    return ", ".join(f"{s.cause.id} {s.confidence:.2f}" for s in diagnosis.causes[:4]) or "nothing"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
