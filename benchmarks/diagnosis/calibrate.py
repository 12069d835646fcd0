"""How sure may `advisor why` say it is? Fits what is told of an answer to answers that are known to be right or wrong.

    python -m benchmarks.diagnosis.calibrate [--show] [--gym FOLDER] [--cases FOLDER]

Writes the weights to rules/confidence.yaml; with --show it only prints what they are worth. Needs scikit-learn. Each
figure is cross-validated: an answer is judged by a fit that saw no answer to the same case or mechanism.

Nine in ten first answers to the open cases are right, because rules were changed until they were. That says nothing of
a new case, so the fit knows which answers were told before (`known`), and what is told is what holds of new cases.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from advisor.data import folder
from advisor.model.diagnosis import SURE
from advisor.model.record import record
from advisor.why.rules.calibration import MOST_TOLD
from benchmarks.diagnosis.labelled_answers import LabelledAnswer, labelled_answers

BANDS: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 1.01)
_FOLDS: Final = 10
_REPEATS: Final = 10
_CASES: Final = Path(__file__).resolve().parents[3] / "shared" / "cases"

FEATURES: Final[Mapping[str, Callable[[LabelledAnswer], float]]] = {
    "by_signs": lambda one: float(np.log(one.by_signs / (1 - one.by_signs))),
    "first": lambda one: float(one.first),
    "first_known": lambda one: float(one.first and one.known),
    "unexplained": lambda one: 0.0 if one.time_share is None else 1 - one.time_share,
    "profile_known": lambda one: float(one.profile_known),
    "separates": lambda one: float(one.separates),
    "signs": lambda one: float(min(one.signs, 4)),  # more are rare
    "measured": lambda one: float(one.measured),
}
_FIRST: Final = ("by_signs", "first", "first_known")
OFFERED: Final = (("by_signs",), ("by_signs", "first"), _FIRST)  # what `why` can tell, the simplest first
_LOOKED_AT: Final = tuple((*_FIRST, name) for name in FEATURES if name not in _FIRST)

Fit = Callable[[Sequence[LabelledAnswer]], Callable[[Sequence[LabelledAnswer]], Any]]  # → chances of being right


@record
class Judged:
    """The chances that a kind of fit gives to answers it did not see."""

    name: str
    chances: Any

    def losses(self, answers: Sequence[LabelledAnswer]) -> Any:
        """The log-loss of each answer."""
        right = np.array([one.right for one in answers])
        return -np.log(np.where(right, self.chances, 1 - self.chances))


def main() -> int:
    """Fit and write, or show; 0."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.diagnosis.calibrate")
    parser.add_argument("--show", action="store_true", help="write nothing")
    parser.add_argument("--gym", default=".gym", help="folder of kept plays")
    parser.add_argument("--cases", default=str(_CASES), help="folder of cases that others collected")
    options = parser.parse_args()
    answers = labelled_answers(Path(options.gym), Path(options.cases))
    judged = [judge(" + ".join(names), logistic(names), answers) for names in (*OFFERED, *_LOOKED_AT)]
    by_hand = Judged("by signs, as it is", np.array([one.by_signs for one in answers]))
    print(*comparison([by_hand, judge("isotonic of by_signs", isotonic, answers), *judged], answers), sep="\n")
    chosen = simplest(judged[: len(OFFERED)], answers)
    names = OFFERED[chosen]
    print(f"kept: {judged[chosen].name}\n")
    told = judge("told", logistic(names, as_new=True), answers)
    print(*reliability("as told, new cases", told, [not one.known for one in answers], answers), sep="\n")
    print(*reliability("as told, cases that rules know", told, [one.known for one in answers], answers), sep="\n")
    print(*reliability("by signs, new cases", by_hand, [not one.known for one in answers], answers), sep="\n")
    if not options.show:
        place = Path(folder("rules")) / "confidence.yaml"
        place.write_text("\n".join(document(names, answers, by_hand, told)) + "\n", encoding="utf-8")
        print(f"written: {os.path.relpath(place)}")
    return 0


def logistic(names: Sequence[str], *, as_new: bool = False) -> Fit:
    """Logistic regression on these features; `as_new` judges every answer as that to a new case."""

    def fit(seen: Sequence[LabelledAnswer]) -> Callable[[Sequence[LabelledAnswer]], Any]:
        model = _fitted(names, seen)

        def chances(unseen: Sequence[LabelledAnswer]) -> Any:
            rows = _rows(names, unseen)
            if as_new and "first_known" in names:
                rows[:, names.index("first_known")] = 0
            return model.predict_proba(rows)[:, 1]

        return chances

    return fit


def isotonic(seen: Sequence[LabelledAnswer]) -> Callable[[Sequence[LabelledAnswer]], Any]:
    """Steps, separately for first and later answers to new and to known cases."""
    models = {}
    for kind in {(one.first, one.known) for one in seen}:
        alike = [one for one in seen if (one.first, one.known) == kind]
        model = IsotonicRegression(y_min=0.03, y_max=0.97, out_of_bounds="clip")
        models[kind] = model.fit([one.by_signs for one in alike], [one.right for one in alike])
    return lambda unseen: np.array([models[one.first, one.known].predict([one.by_signs])[0] for one in unseen])


def judge(name: str, fit: Fit, answers: Sequence[LabelledAnswer]) -> Judged:
    """Cross-validate: means over repeats; no case is on both sides of a fold; what cannot be told is cut off."""
    cases = sorted({one.case for one in answers})
    sums = np.zeros(len(answers))
    for repeat in range(_REPEATS):
        order = np.random.default_rng(repeat).permutation(len(cases))
        fold_of = {case: int(place) % _FOLDS for case, place in zip(cases, order, strict=True)}
        for fold in range(_FOLDS):
            inside = [number for number, one in enumerate(answers) if fold_of[one.case] == fold]
            if inside:
                chances = fit([one for one in answers if fold_of[one.case] != fold])
                sums[inside] += chances([answers[number] for number in inside])
    return Judged(name, np.clip(sums / _REPEATS, SURE, MOST_TOLD))


def simplest(judged: Sequence[Judged], answers: Sequence[LabelledAnswer]) -> int:
    """The position of the first that is not worse than the best by more than its standard error."""
    best = min(judged, key=lambda one: float(one.losses(answers).mean()))
    differences = [difference(one, best, answers) for one in judged]
    return next(place for place, (mean, error) in enumerate(differences) if mean <= error)


def difference(one: Judged, other: Judged, answers: Sequence[LabelledAnswer]) -> tuple[float, float]:
    """By how much its log-loss is higher, and the standard error; the answers to a case count as one."""
    by_case: dict[str, float] = {}
    for answer, loss in zip(answers, one.losses(answers) - other.losses(answers), strict=True):
        by_case[answer.case] = by_case.get(answer.case, 0.0) + float(loss)
    sums = np.array(list(by_case.values()))
    return float(sums.sum() / len(answers)), float(sums.std() * np.sqrt(len(sums)) / len(answers))


def comparison(judged: Sequence[Judged], answers: Sequence[LabelledAnswer]) -> Iterator[str]:
    """One line for each kind of fit."""
    new = np.array([not one.known for one in answers])
    cases = {one.case for one in answers}
    yield f"{len(answers)} answers to {len(cases)} cases or mechanisms, {new.sum()} of them told of new ones"
    yield "cross-validated log-loss: of all, of answers to new cases"
    for one in judged:
        losses = one.losses(answers)
        yield f"  {losses.mean():.3f}  {losses[new].mean():.3f}  {one.name}"


def reliability(
    title: str, judged: Judged, counted: Sequence[bool], answers: Sequence[LabelledAnswer]
) -> Iterator[str]:
    """For each band: how many were told, how many were right, and how many should have been."""
    yield f"{title}:\n  band      told  right  expected"
    pairs = [pair for pair, counts in zip(zip(judged.chances, answers, strict=True), counted, strict=True) if counts]
    for low, high in pairwise(BANDS):
        inside = [(chance, one.right) for chance, one in pairs if low <= chance < high]
        expected = sum(chance for chance, _ in inside)
        share = f"  ({sum(right for _, right in inside) / len(inside):.0%} right)" if inside else ""
        right = sum(right for _, right in inside)
        yield f"  {low:.1f}-{min(high, 1):.1f}  {len(inside):6}  {right:5}  {expected:8.1f}{share}"
    yield f"  log-loss {judged.losses(answers)[np.array(counted)].mean():.3f}\n"


def document(names: Sequence[str], answers: Sequence[LabelledAnswer], before: Judged, told: Judged) -> Iterator[str]:
    """The lines of rules/confidence.yaml."""
    model = _fitted(names, answers)
    weights = dict(zip(names, (float(weight) for weight in model.coef_[0]), strict=True))
    new = np.array([not one.known for one in answers])
    yield "# How sure an answer is told. Written by `python -m benchmarks.diagnosis.calibrate`; do not edit."
    yield "# log-odds of being right = base + by_signs * log-odds by the signs + first (if nothing is told before it)."
    yield "# What is below 0.5 is told as 0.5."
    yield "weights:"
    yield f"  base: {model.intercept_[0]:.3f}"
    for name in ("by_signs", "first"):
        yield f"  {name}: {weights.get(name, 0.0):.3f}"
    yield "fitted:"
    yield f"  date: {datetime.now(UTC):%Y-%m-%d}"
    yield f"  answers: {len(answers)}"
    yield f"  cases: {len({one.case for one in answers})}"
    yield f"  answers_to_new_cases: {new.sum()}  # told before any rule was changed with the case in view"
    yield f"  first_known: {weights.get('first_known', 0.0):.3f}  # log-odds, more for known cases; not told"
    yield "  log_loss_of_new_cases:  # cross-validated; no case on both sides"
    for name, judged in (("before", before), ("after", told)):
        yield f"    {name}: {judged.losses(answers)[new].mean():.3f}"


def _fitted(names: Sequence[str], answers: Sequence[LabelledAnswer]) -> Any:
    return LogisticRegression(max_iter=1000).fit(_rows(names, answers), [one.right for one in answers])


def _rows(names: Sequence[str], answers: Sequence[LabelledAnswer]) -> Any:
    return np.array([[FEATURES[name](one) for name in names] for one in answers])


if __name__ == "__main__":
    sys.exit(main())
