"""Which answers of `advisor why` are known to be right or wrong? Those to open plays, bundles and reported cases.

Every cause told with a confidence of at least one half is an answer. Nothing set apart is read: neither the locked
sides nor the second sets of the cases' folder. `first_looks.json` keeps what was told before any rule was changed with
these cases in view: only that shows how often answers to new cases are right.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Collection, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Final

from advisor.errors import AdvisorError
from advisor.evidence import read_path
from advisor.model.diagnosis import SURE, Diagnosis
from advisor.model.record import record
from advisor.why import diagnose
from benchmarks.diagnosis.gym.kept import bundle_of, kept_result
from benchmarks.diagnosis.gym.mechanisms import load_plays
from benchmarks.diagnosis.gym.score import Played
from benchmarks.diagnosis.translate import write_bundle

_HEALTHY: Final = "healthy_or_expected"
_NOT_COUNTED: Final = ("measurement_not_comparable",)  # says nothing about the cluster
_ACCEPTED_ON_TWO_CPUS: Final = ("cpu_saturated",)  # the recorded clusters shared two, says their index
_STRENGTH: Final = re.compile(r"-\d$")  # of a mechanism that has several
_FIRST_LOOKS: Final = Path(__file__).with_name("first_looks.json")
REPORTED: Final = Path(__file__).with_name("reported") / "open"


class Form(StrEnum):
    """Where an answer is from."""

    LIVE = "live"  # a play of the gym, collected from running servers
    BUNDLE = "bundle"  # a recorded cluster, collected by others
    REPORTED = "reported"  # what somebody told about a case


@record
class LabelledAnswer:
    """A cause that was told, what is known of it, and whether it is right.

    `case`: the mechanism or the case; answers of one case are not independent. `by_signs`: the confidence before it is
    calibrated. `first`: nothing was told before it. `time_share`: None where no profile says what it explains.
    `known`: rules were changed with the case in view.
    """

    case: str
    form: Form
    cause: str
    by_signs: float
    first: bool
    profile_known: bool
    time_share: float | None
    signs: int
    separates: bool
    measured: bool
    right: bool
    known: bool = True


def labelled_answers(gym: Path, cases: Path) -> list[LabelledAnswer]:
    """Every answer of today to the kept open plays, the cases' folder and the open reported cases, and first looks."""
    found = [*_first_looks(), *_plays(gym), *_injected(cases / "injections-2"), *_recorded(cases / "recorded")]
    for folder in (REPORTED, cases / "reported"):
        found += _reported(folder)
    return sorted(found, key=lambda one: (one.known, one.form, one.case, one.cause, one.by_signs))


def answers_of(found: Diagnosis, case: str, form: Form, true: Collection[str]) -> Iterator[LabelledAnswer]:
    """What was told, each with whether it is among the true causes."""
    told = [each for each in found.causes if each.confidence >= SURE]
    for place, each in enumerate(told):
        if each.cause.id in _NOT_COUNTED:
            continue
        seen = [sign for sign in each.signs if sign.speaks_for]
        yield LabelledAnswer(
            case=case,
            form=form,
            cause=each.cause.id,
            by_signs=each.by_signs,
            first=place == 0,
            profile_known=bool(found.profile),
            time_share=each.time_share,
            signs=len(seen),
            separates=any(sign.separates for sign in seen),
            measured=found.interval_seconds is not None,
            right=each.cause.id in true,
        )


def _first_looks() -> Iterator[LabelledAnswer]:
    for each in json.loads(_FIRST_LOOKS.read_text(encoding="utf-8"))["answers"]:
        yield LabelledAnswer(**{**each, "form": Form(each["form"]), "known": False})


def _plays(keep: Path) -> Iterator[LabelledAnswer]:
    """Of plays whose label is proved; the bundles are judged by the rules of today."""
    for play in load_plays("open")[0]:
        kept = kept_result(keep, play) if (keep / play.side).is_dir() else None
        if kept is None or "error" in kept:
            continue
        one = Played(play.name, play.mechanism, kept)
        if one.proved:
            found = diagnose(read_path(str(bundle_of(keep, play))))
            true = {each.cause.id for each in found.causes if one.holds(each.cause.id)}
            yield from answers_of(found, _STRENGTH.sub("", play.mechanism.name), Form.LIVE, true)


def _injected(folder: Path) -> Iterator[LabelledAnswer]:
    """A case is named after its cluster and the mechanism, which the gym may play as well."""
    if not (folder / "index.json").is_file():
        return
    for case in json.loads((folder / "index.json").read_text(encoding="utf-8")):
        true = {*case["expected"], *(case["accept"] or ()), *([_HEALTHY] if case["healthy"] else ())}
        found = diagnose(read_path(str(folder / f"{case['name']}.tar.gz")))
        yield from answers_of(found, case["name"].partition("-")[2], Form.BUNDLE, true)


def _recorded(folder: Path) -> Iterator[LabelledAnswer]:
    if not (folder / "index.json").is_file():
        return
    for case in json.loads((folder / "index.json").read_text(encoding="utf-8"))["cases"]:
        true = {*case["causes"], *_ACCEPTED_ON_TWO_CPUS, *(() if case["causes"] else (_HEALTHY,))}
        yield from answers_of(diagnose(read_path(str(folder / case["case"]))), case["case"], Form.BUNDLE, true)


def _reported(folder: Path) -> Iterator[LabelledAnswer]:
    for file in sorted(folder.glob("*.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as place:
            try:
                found = diagnose(read_path(str(write_bundle(case, Path(place)))))
            except AdvisorError:
                continue  # cases.py counts it as wrong; it told nothing
        true = {*case["answer"]["causes"], *case["answer"]["also_accept"]}
        yield from answers_of(found, file.stem, Form.REPORTED, true)
