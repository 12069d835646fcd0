"""How often is `advisor why` right on a lot of reports that it learnt nothing from? Leaves one lot out at a time.

    python -m benchmarks.diagnosis.left_out_lots [--penalties 5 30]

Each of the third, fourth and fifth lot in turn is left out: words are learnt from the other open lots and from typical
reports, and the signs are those of before any case of the lot was read (`first_signs.json`). So neither words nor signs
know the cases that are judged; only the reader of their texts is today's. Prints the answers by words alone and by
words and signs together. With two inverse penalties the second is compared with the first, case by case, with a 95 %
interval over cases. Only open cases are read.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from advisor.evidence import read_path
from advisor.model.diagnosis import SURE, Cause, RankedCause
from advisor.model.record import record
from advisor.why.rank import rank
from advisor.why.rules.loader import load_causes
from advisor.why.vocabulary.posterior import Mixture, Seen, posterior
from advisor.why.vocabulary.report import told_lines
from advisor.why.vocabulary.reweigh import most_told
from benchmarks.diagnosis.translate import write_bundle
from benchmarks.diagnosis.vocabulary import (
    INVERSE_PENALTY,
    MIXTURE,
    Labelled,
    fit,
    reported_cases,
    texts_of_causes,
    typical_reports,
)

_HERE: Final = Path(__file__).parent
_OPEN: Final = _HERE / "reported" / "open"
_LOTS: Final = {"third": "fgh", "fourth": "ijklmn", "fifth": "opq"}
_NAMED: Final = 0.02  # as in advisor/why/vocabulary/reweigh.py: causes less probable and without a sign are not named
_SAMPLES: Final = 5000


@record
class Verdict:
    """What became of one case that was left out."""

    first: bool
    among_three: bool
    refuted: bool  # something is claimed that the case refutes
    answered: bool


@record
class ByWords:
    """What the words of one case say: all of them, and those of descriptions only; how many the model knows."""

    of_all: dict[str, float]
    of_described: dict[str, float]
    terms: int


def main(arguments: list[str]) -> int:
    """Print the figures of each penalty, and the difference of two; 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--penalties", type=float, nargs="+", default=[INVERSE_PENALTY])
    cases = reported_cases(_OPEN)
    written = [*typical_reports(_HERE / "typical_reports"), *texts_of_causes(_HERE.parents[1] / "rules" / "causes")]
    judged = []
    for penalty in parser.parse_args(arguments).penalties:
        words = {lot: by_words_of(lot, cases, written, penalty) for lot in _LOTS}
        for label, mixture in (("words alone", MIXTURE | {"signs": 0.0, "signs_alone": 0.0}), ("with signs", MIXTURE)):
            verdicts = {lot: judge(words[lot], mixture) for lot in _LOTS}
            print(f"inverse penalty {penalty:g}, {label}")
            print(*(line_of(f"{lot} lot", list(verdicts[lot].values())) for lot in _LOTS), sep="\n")
            together = {name: each for lot in _LOTS for name, each in verdicts[lot].items()}
            print(line_of("together", list(together.values())), flush=True)
        judged.append(together)
    for other in judged[1:]:
        print(*differences(judged[0], other), sep="\n")
    return 0


def by_words_of(lot: str, cases: Sequence[Labelled], written: Sequence[Labelled], penalty: float) -> dict[str, ByWords]:
    """What words learnt without the lot say of each of its cases."""
    left = [case for case in cases if case.name[0] in _LOTS[lot]]
    vectorizer, model = fit([*(case for case in cases if case not in left), *written], penalty)
    terms = vectorizer.transform([case.lines for case in left])
    described = vectorizer.transform([_described(case.name) for case in left])
    chances, told = model.predict_proba(terms), model.predict_proba(described)
    return {
        case.name: ByWords(
            dict(zip(model.classes_, chances[row], strict=True)),
            dict(zip(model.classes_, told[row], strict=True)),
            int(terms[row].nnz),
        )
        for row, case in enumerate(left)
    }


def _described(name: str) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory() as place:
        return told_lines(read_path(str(write_bundle(_case(name), Path(place)))))


def _case(name: str) -> Any:
    return json.loads((_OPEN / f"{name}.json").read_text())


def judge(words: Mapping[str, ByWords], mixture: Mapping[str, float]) -> dict[str, Verdict]:
    """The verdict on each case, by its words and by the signs of before its lot was read."""
    kept = json.loads((_HERE / "first_signs.json").read_text())["cases"]
    causes = {cause.id: cause for cause in load_causes()}
    return {name: _verdict(_ranked(said, kept[name], causes, Mixture(**mixture)), _case(name)["answer"])
            for name, said in words.items()}  # fmt: skip


def _ranked(said: ByWords, kept: Any, causes: Mapping[str, Cause], mixture: Mixture) -> tuple[RankedCause, ...]:
    signs = kept["signs"]
    seen = {id_: Seen(*signs.get(id_, (0.0, 1.0))[:2]) for id_ in causes if id_ not in kept["cannot"]}
    chances = posterior(seen, said.of_all, mixture.of_report(said.terms))
    named = [id_ for id_, chance in chances.items() if seen[id_].confidence > 0 or chance >= _NAMED]
    told = {}
    for id_ in named:
        has_own_sign = bool(id_ in signs and signs[id_][2])
        told[id_] = min(chances[id_], most_told(has_own_sign, said.of_described[id_]))
    return rank([RankedCause(causes[id_], "", chance, ()) for id_, chance in told.items()])


def _verdict(ranked: Sequence[RankedCause], answer: Mapping[str, Any]) -> Verdict:
    named = [each.cause.id for each in ranked]
    claimed = {each.cause.id for each in ranked if each.confidence >= SURE}
    return Verdict(
        first=bool(set(named[:1]) & set(answer["causes"])),
        among_three=bool(set(named[:3]) & set(answer["causes"])),
        refuted=bool(claimed & set(answer["would_be_wrong"])),
        answered=bool(claimed),
    )


def line_of(label: str, verdicts: Sequence[Verdict]) -> str:
    """How many of the cases are right first, right among three, claimed and refuted."""
    first, three = sum(each.first for each in verdicts), sum(each.among_three for each in verdicts)
    claims = [each for each in verdicts if each.answered]
    return (
        f"  {label}: first {first} of {len(verdicts)} ({first / len(verdicts):.1%}),"
        f" among three {three} ({three / len(verdicts):.1%}), answers {len(claims)},"
        f" of them right first {sum(each.first for each in claims)},"
        f" claims that a case refutes {sum(each.refuted for each in verdicts)}"
    )


def differences(before: Mapping[str, Verdict], after: Mapping[str, Verdict]) -> list[str]:
    """By how much each share rises, with a 95 % bootstrap interval over cases."""
    draws = np.random.default_rng(0).integers(0, len(before), (_SAMPLES, len(before)))
    lines = []
    for name in ("first", "among_three", "refuted", "answered"):
        change = np.array([float(getattr(after[case], name)) - float(getattr(before[case], name)) for case in before])
        low, high = np.quantile(change[draws].mean(axis=1), (0.025, 0.975))
        lines.append(f"  {name}: {change.mean():+.1%} ({low:+.1%} to {high:+.1%})")
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
