"""Where does a search start? With what the rules find on this cluster, and what the space advises."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Final

from advisor.catalog import canonical
from advisor.check import check, load_rules
from advisor.collect.bundle.read_back import live_evidence
from advisor.collect.gather import gather
from advisor.collect.login import find_login
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.targets import of_cluster_file
from advisor.model.lab import ClusterFile
from advisor.model.rules import Advice, Change, Finding, Risk, Verdict
from advisor.model.tuning import SearchSpace, Settings
from advisor.tune.space.constraints import constraint_check
from advisor.tune.space.encoding import Encoder, encode, identity
from advisor.tune.space.member_values import as_digits

_BEARABLE: Final = frozenset({Risk.R0, Risk.R1, Risk.R2})


def rule_advice(cluster: ClusterFile, space: SearchSpace, running: Settings) -> dict[str, str]:
    """The baseline with every change of a knob that `check` advises, without risk to data or reads."""
    wanted = of_cluster_file(cluster, find_login("", os.environ))
    evidence = live_evidence(gather(wanted.members, ReadingSchedule(0.0, 1.0)), wanted)
    judgement = check(evidence, load_rules(), (space.release,))
    return advised_by(judgement.findings, space, running)


def advised_by(findings: Sequence[Finding], space: SearchSpace, running: Settings) -> dict[str, str]:
    """The baseline with what the findings change of the knobs; the worst finding wins."""
    return with_changes(
        [
            change
            for finding in findings
            if finding.verdict is Verdict.FINDING and not finding.suppressed and is_low_risk(finding.advice)
            for change in finding.changes
        ],
        space,
        running,
    )


def is_low_risk(advice: Advice | None) -> bool:
    """Whether following advice endangers neither data nor what reads see."""
    return advice is not None and set(advice.risk) <= _BEARABLE


def with_changes(changes: Iterable[Change], space: SearchSpace, running: Settings) -> dict[str, str]:
    """The baseline with changes of its knobs; of two changes of one knob the first counts."""
    family = space.release.family
    knobs = {canonical(knob.name, family): knob for knob in space.knobs}
    settings: dict[str, str] = {}
    for change in changes:
        knob = knobs.get(canonical(change.name, family))
        if knob and change.value is not None and knob.name not in settings:
            settings[knob.name] = change.value if knob.choices else as_digits(change.value)
    return Encoder(space).settle({**running, **settings})


def space_advice(space: SearchSpace, running: Settings) -> dict[str, str]:
    """What the space advises, the running value where it advises nothing."""
    return Encoder(space).settle({knob.name: knob.advice or running[knob.name] for knob in space.knobs})


def usable_configurations(space: SearchSpace, running: Settings, *advised: Settings) -> tuple[Settings, ...]:
    """Those of the advised configurations that can be tried, each once, without the baseline."""
    legal, known, usable = constraint_check(space), {identity(running)}, []
    for settings in advised:
        if legal(settings) and identity(settings) not in known and _readable(space, settings):
            known.add(identity(settings))
            usable.append(settings)
    return tuple(usable)


def _readable(space: SearchSpace, settings: Settings) -> bool:
    """Whether every value is one that a knob can have."""
    try:
        return all(encode(knob, settings[knob.name]) >= 0 for knob in space.knobs)
    except ValueError:
        return False
