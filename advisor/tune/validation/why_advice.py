"""Which configurations follow from what `why` diagnoses under this load, with the settings the cluster has?"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from advisor.bench.open_cluster import open_cluster
from advisor.bench.run import RunPlan, measure
from advisor.collect.bundle.read_back import live_evidence
from advisor.collect.gather import Gathered, gather
from advisor.collect.login import find_login
from advisor.collect.member.reader import ReadingSchedule
from advisor.collect.targets import of_cluster_file
from advisor.errors import ServerError
from advisor.model.diagnosis import SURE, Diagnosis, RankedCause
from advisor.model.evidence import Cluster
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Phase, Second
from advisor.model.record import record, replace
from advisor.model.tuning import Knob, SearchSpace, Settings
from advisor.tune.search.initial_configurations import is_low_risk, with_changes
from advisor.tune.space.encoding import Encoder, as_text, difference, identity

LOOK_SECONDS: Final = 10.0  # that `advisor why` observes a running cluster
_STATES_SECONDS: Final = 0.1
AROUND_SECONDS: Final = 3.0  # so that the load runs when the interval begins and when it ends
_VARIANTS: Final = {"with its values doubled": 2.0, "with its values halved": 0.5}


@record
class SuggestedConfiguration:
    """A configuration, complete for the knobs of the space, and why it is worth a trial."""

    because: str
    settings: Settings


def evidence_under_load(
    cluster: ClusterFile, plan: RunPlan, on_second: Callable[[Second], None], tell: Callable[[str], None]
) -> Cluster:
    """Evidence of a cluster under the load of the trials, read while no trial is measured: reading costs a little.

    ServerError when a member is lost, or none can be read.
    """
    source = of_cluster_file(cluster, find_login("", os.environ))
    gathered: list[Gathered] = []
    schedule = ReadingSchedule(LOOK_SECONDS, 1.0, False, _STATES_SECONDS)
    reading = threading.Thread(target=lambda: gathered.append(gather(source.members, schedule)), daemon=True)

    def pass_on(second: Second) -> None:
        if second.phase is Phase.MEASURE and not reading.ident:
            reading.start()
        on_second(second)

    longer = replace(plan, seconds=LOOK_SECONDS + AROUND_SECONDS, warm_up_most=plan.warm_up_least, abort_lag_ms=inf)
    with open_cluster(cluster) as opened:
        measure(opened, longer, pass_on, tell)
    if reading.ident:
        reading.join()
    if not gathered:
        raise ServerError("no evidence was read while the load ran")
    return live_evidence(gathered[0], source)


def suggested_configurations(
    diagnosis: Diagnosis, space: SearchSpace, running: Settings, rules: Settings
) -> list[SuggestedConfiguration]:
    """The likely limits removed, with what `check` advises and without it; and with those values doubled and halved.

    Where both advise a value for the same knob, the first has that of `check`. Each configuration once; [] where no
    likely limit can be removed by a knob of the space without risk to data or reads.
    """
    limiting = [ranked for ranked in diagnosis.causes if _helps(ranked, space, running)]
    if not limiting:
        return []
    names = " and ".join(f"“{ranked.cause.title}” ({ranked.confidence:.0%})" for ranked in limiting)
    only_why = with_changes([change for ranked in limiting for change in ranked.changes], space, running)
    from_check = {name: after for name, (_, after) in difference(running, rules).items()}
    both = Encoder(space).settle({**only_why, **from_check})
    suggestions = [
        SuggestedConfiguration(f"why: {names}, with check's advice", both),
        SuggestedConfiguration(f"why: {names}", only_why),
    ]
    for variant, factor in _VARIANTS.items():
        changed = list(difference(running, only_why))
        suggestions.append(SuggestedConfiguration(f"why, {variant}", _scaled(space, both, changed, factor)))
    distinct: dict[object, SuggestedConfiguration] = {}
    for suggestion in suggestions:
        distinct.setdefault(identity(suggestion.settings), suggestion)
    return list(distinct.values())


def _helps(ranked: RankedCause, space: SearchSpace, running: Settings) -> bool:
    if ranked.confidence < SURE or ranked.cause.answer != "limit" or not is_low_risk(ranked.advice):
        return False
    return bool(difference(running, with_changes(ranked.changes, space, running)))


def _scaled(space: SearchSpace, settings: Settings, names: Sequence[str], factor: float) -> dict[str, str]:
    """The configuration with some numbers multiplied, within their ranges; words and special values stay."""
    knobs = {knob.name: knob for knob in space.knobs}
    scaled = {name: _times(knobs[name], settings[name], factor) for name in names}
    return Encoder(space).settle({**settings, **scaled})


def _times(knob: Knob, text: str, factor: float) -> str:
    if knob.choices or text in knob.special:
        return text
    value = round(float(text) * factor / knob.step) * knob.step
    return as_text(min(max(value, knob.low), knob.high), knob.step)
