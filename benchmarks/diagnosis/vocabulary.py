"""Which words go with which cause? Fits the vocabulary of `advisor why` to labelled reports and writes it.

    python -m benchmarks.diagnosis.vocabulary [--cases FOLDER]… [--folds 5] [--write]

Learns from the open reported cases (and further folders of such cases), from typical reports
(`typical_reports/`: written from knowledge of the servers, no case in view), and from what the causes say of
themselves. Prints how often the first word and one of three is right in cases left out of the fit (cross-validation:
other cases are learnt from, all typical reports stay). With --write, fits all and writes rules/vocabulary.json. Never
reads a folder that is called locked.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold

from advisor.atomic_write import write_file
from advisor.data import read_documents
from advisor.evidence import read_path
from advisor.model.record import record
from advisor.why.vocabulary.report import report_lines
from advisor.why.vocabulary.terms import terms_of
from benchmarks.diagnosis.translate import write_bundle

_HERE: Final = Path(__file__).parent
_RULES: Final = _HERE.parents[1] / "rules"
INVERSE_PENALTY: Final = 30.0  # cross-validated: 10 and 100 are a little worse
_RAREST: Final = 2  # texts: a term of a single text says what that text was, not what its cause is
_LATER: Final = 0.5  # weight of a later cause of a case, against 1 of its first
_ACCEPTED: Final = 0.3  # of one that is also accepted
_LEAST_WEIGHT: Final = 0.3  # log-odds that are left out of the file
_MOST_OF_ONE: Final = 3  # so often a term counts in one text
# Chosen on the 144 decidable open cases of the fourth lot, as the signs judged them before any was read, with words
# learnt without them: 63 % right first, 83 % among three (signs alone 49 and 69 %). Weights that make a claim more
# often are a little likelier, but tell twice as many causes that a case refutes (4 of 144 against 2).
MIXTURE: Final = {"signs_alone": 1.0, "signs": 0.3, "words": 1.2, "half_at": 20, "unseen": 0.083, "unsaid": 0.001}


@record
class Labelled:
    """One text with the causes it stands for, each with its weight; the first is the right answer."""

    name: str
    lines: tuple[str, ...]
    weights: dict[str, float]
    first: tuple[str, ...]


def main(arguments: list[str]) -> int:
    """Print how good it is on cases left out, and write the fitted model when asked to; 0."""
    words = _read(arguments)
    cases = [case for folder in words.cases for case in reported_cases(folder)]
    written = [*typical_reports(_HERE / "typical_reports"), *texts_of_causes(_RULES / "causes")]
    print(f"{len(cases)} cases, {len(written)} texts written for the purpose")
    hits = cross_validated(cases, written, words.folds)
    print(f"cases left out: first {hits[0]:.0%}, among three {hits[1]:.0%}")
    if words.write:
        write_file(_RULES / "vocabulary.json", as_json(*fit([*cases, *written])))
    return 0


def reported_cases(folder: Path) -> list[Labelled]:
    """The decidable cases of a folder, as the advisor is given them."""
    if "locked" in folder.resolve().parts:
        raise SystemExit(f"{folder}: locked cases are not learnt from")
    return [_of_case(file.stem, case) for file in sorted(folder.glob("*.json"))
            if (case := json.loads(file.read_text())).get("decidable")]  # fmt: skip


def _of_case(name: str, case: dict[str, Any]) -> Labelled:
    answer = case["answer"]
    with tempfile.TemporaryDirectory() as place:
        lines = report_lines(read_path(str(write_bundle(case, Path(place)))))
    weights = dict.fromkeys(answer["also_accept"], _ACCEPTED) | dict.fromkeys(answer["causes"], _LATER)
    return Labelled(name, lines, weights | {answer["causes"][0]: 1.0}, tuple(answer["causes"]))


def typical_reports(folder: Path) -> list[Labelled]:
    """Reports written for a cause: one text each."""
    found = []
    for path in sorted(folder.glob("*.yaml")):
        document: Any = next(iter(read_documents(path)))
        cause = document["cause"]
        for number, text in enumerate(document["reports"]):
            found.append(Labelled(f"{path.stem} {number}", tuple(text.splitlines()), {cause: 1.0}, (cause,)))
    return found


def texts_of_causes(folder: Path) -> list[Labelled]:
    """What each cause says of itself and of its signs."""
    found = []
    for path in sorted(folder.glob("*.yaml")):
        cause: Any = next(iter(read_documents(path)))
        lines = [str(cause.get(key, "")) for key in ("title", "why", "plainly", "settles", "command")]
        lines += [sign["says"] for sign in cause.get("signs", [])]
        found.append(Labelled(path.stem, tuple(lines), {cause["id"]: 1.0}, (cause["id"],)))
    return found


def cross_validated(cases: Sequence[Labelled], written: Sequence[Labelled], folds: int) -> tuple[float, float]:
    """The shares of cases whose first cause, and one of whose causes, is first and among three when left out."""
    first = three = 0
    for learnt, left in KFold(folds, shuffle=True, random_state=0).split(list(cases)):
        vectorizer, model = fit([*(cases[place] for place in learnt), *written])
        chances = model.predict_proba(vectorizer.transform([cases[place].lines for place in left]))
        for place, row in zip(left, chances, strict=True):
            order = [model.classes_[cause] for cause in np.argsort(-row)[:3]]
            first += order[0] in cases[place].first
            three += bool(set(order) & set(cases[place].first))
    return first / len(cases), three / len(cases)


def fit(
    texts: Sequence[Labelled], inverse_penalty: float = INVERSE_PENALTY
) -> tuple[TfidfVectorizer, LogisticRegression]:
    """The term weights and the regression; a text with several causes counts for each by its weight."""
    vectorizer = TfidfVectorizer(analyzer=_analyse, sublinear_tf=True, min_df=_RAREST)
    vectorizer.fit([text.lines for text in texts])
    rows = [(text.lines, cause, weight) for text in texts for cause, weight in text.weights.items()]
    model = LogisticRegression(C=inverse_penalty, max_iter=300, class_weight="balanced")
    features = vectorizer.transform([lines for lines, _, _ in rows])
    model.fit(features, [cause for _, cause, _ in rows], sample_weight=[weight for _, _, weight in rows])
    return vectorizer, model


def _analyse(lines: Sequence[str]) -> list[str]:
    return [term for term, count in terms_of(lines).items() for _ in range(min(count, _MOST_OF_ONE))]


def as_json(vectorizer: TfidfVectorizer, model: LogisticRegression) -> str:
    """One line per term: its idf, and positions of causes with hundredths of log-odds in turn."""
    lines = []
    for term, column in sorted(vectorizer.vocabulary_.items()):
        weights = model.coef_[:, column]
        kept = [value for place, weight in enumerate(weights) if abs(weight) >= _LEAST_WEIGHT
                for value in (place, round(weight * 100))]  # fmt: skip
        lines.append(f"{json.dumps(term)}: [{vectorizer.idf_[column]:.3f}, {json.dumps(kept, separators=(',', ':'))}]")
    base = [round(float(value), 3) for value in model.intercept_]
    head = {"causes": list(model.classes_), "base": base, "mixture": MIXTURE}
    return json.dumps(head)[:-1] + ',\n"terms": {\n' + ",\n".join(lines) + "\n}}\n"


def _read(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=Path, action="append", default=[_HERE / "reported" / "open"])
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--write", action="store_true")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
