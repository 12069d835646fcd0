"""How often does `advisor why` name the right cause? Runs over recorded and reported cases and prints the score.

    python -m benchmarks.diagnosis.cases [CASES | FOLDER …] [-v]

CASES holds `recorded/` and `reported/`; a FOLDER holds reported cases themselves (`reported/open`). Of a folder that is
called `locked` only the totals are printed, whatever is asked for.

The scoring is that of the cases' README: recorded clusters count as right with an injected cause first, controls with
no cause of confidence 0.5 or more; reported ones right (1), half (a later or also accepted cause) or wrong (0), and
those that cannot be decided are right when no cause is claimed. What a case marks as wrong and is claimed counts as a
trap.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from advisor.errors import AdvisorError
from advisor.evidence import read_path
from advisor.model.diagnosis import Diagnosis
from advisor.model.record import record
from advisor.why import diagnose
from benchmarks.diagnosis.translate import write_bundle

SURE = 0.5
_ANYWHERE = ("cpu_saturated", "healthy_or_expected", "measurement_not_comparable")
_FEW: Final = 3  # so many hypotheses a person still follows up
_LOCKED: Final = "locked"


@record
class Outcome:
    """What became of one reported case: its points, and whether the right cause was near, absent, or a trap told."""

    decidable: bool
    points: float
    is_among_few: bool
    nothing_told: bool
    traps: int


def main(arguments: list[str]) -> int:
    """Print the scores; 0."""
    verbose = "-v" in arguments
    places = [Path(word) for word in arguments if not word.startswith("-")]
    for place in places or [Path(__file__).resolve().parents[3] / "shared" / "cases"]:
        if (place / "recorded").is_dir():
            recorded = _recorded(place / "recorded", verbose)
            print(f"recorded: {sum(recorded)} of {len(recorded)} right")
        _print_totals(_reported(place / "reported" if (place / "reported").is_dir() else place, verbose))
    return 0


def claimed(diagnosis: Diagnosis) -> list[str]:
    """The causes in their order, those sure enough to be claimed first."""
    return [suspect.cause.id for suspect in diagnosis.causes]


def _print_totals(outcomes: Sequence[Outcome]) -> None:
    decidable = [outcome for outcome in outcomes if outcome.decidable]
    left_open = [outcome.points == 1 for outcome in outcomes if not outcome.decidable]
    count = max(1, len(decidable))
    points = sum(outcome.points for outcome in decidable)
    print(f"reported, decidable: {points:g} of {len(decidable)} ({points / count:.0%})")
    shares = {
        "right first": [outcome.points == 1 for outcome in decidable],
        "among the first three": [outcome.is_among_few for outcome in decidable],
        "would-be-wrong told": [outcome.traps > 0 for outcome in decidable],
        "no answer": [outcome.nothing_told for outcome in decidable],
    }
    print("  " + ", ".join(f"{words} {sum(hits) / count:.0%}" for words, hits in shares.items()))
    print(f"reported, not decidable: {sum(left_open)} of {len(left_open)} left open")
    print(f"traps: {sum(outcome.traps for outcome in outcomes)}")


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


def _reported(folder: Path, verbose: bool) -> list[Outcome]:
    """Every case of the folder; cases of a locked folder leave no line."""
    quiet = _LOCKED in folder.resolve().parts
    outcomes = []
    for file in sorted(folder.glob("*.json")):
        case = json.loads(file.read_text())
        with tempfile.TemporaryDirectory() as place:
            try:
                diagnosis = diagnose(read_path(str(write_bundle(case, Path(place)))))
            except AdvisorError as error:
                print("  ERROR" if quiet else f"  ERROR  {file.stem}: {error}")
                outcomes.append(Outcome(case["decidable"], 0.0, False, True, 0))
                continue
        outcome = _outcome(case, diagnosis)
        outcomes.append(outcome)
        if not quiet and (verbose or outcome.points < 1):
            _print_case(file.stem, case, diagnosis, outcome)
    return outcomes


def _outcome(case: Mapping[str, Any], diagnosis: Diagnosis) -> Outcome:
    answer, named = case["answer"], claimed(diagnosis)
    sure = {suspect.cause.id for suspect in diagnosis.causes if suspect.confidence >= SURE}
    points = _score(named[:1], answer) if case["decidable"] else float(not sure)
    near = bool(set(named[:_FEW]) & set(answer["causes"]))
    return Outcome(case["decidable"], points, near, not named, len(sure & set(answer["would_be_wrong"])))


def _score(first: list[str], answer: Mapping[str, Any]) -> float:
    if not first or first[0] in answer["would_be_wrong"]:
        return 0.0
    if first[0] in answer["causes"]:
        return 1.0
    return 0.5 if first[0] in answer["also_accept"] else 0.0


def _print_case(name: str, case: Mapping[str, Any], diagnosis: Diagnosis, outcome: Outcome) -> None:
    answer = case["answer"]
    print(f"  {outcome.points:<4}  {name}: {_told(diagnosis)}; {'' if case['decidable'] else 'NOT DECIDABLE '}"
          f"{answer['causes']} also {answer['also_accept']}")  # fmt: skip


def _told(diagnosis: Diagnosis) -> str:
    return ", ".join(f"{s.cause.id} {s.confidence:.2f}" for s in diagnosis.causes[:4]) or "nothing"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
