"""What does `why` advise for the cluster as it runs under this load, as configurations that can be tried?"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from math import inf
from typing import Final

from advisor.bench.open_cluster import open_cluster
from advisor.bench.run import RunPlan, measure
from advisor.collect.bundle.pack import pack
from advisor.collect.bundle.read_back import complete, read_back
from advisor.collect.gather import Gathered, gather
from advisor.collect.login import find_login
from advisor.collect.member.reader import Span
from advisor.collect.targets import ClusterTarget, of_cluster_file
from advisor.errors import ServerError
from advisor.model.diagnosis import Diagnosis, RankedCause
from advisor.model.evidence import Cluster
from advisor.model.lab import ClusterFile
from advisor.model.measurement import Phase, Second
from advisor.model.record import record, replace
from advisor.model.tuning import Knob, SearchSpace, Settings
from advisor.tune.search.initial_configurations import is_low_risk, with_changes
from advisor.tune.space.encoding import Encoder, difference, identity
from advisor.tune.space.resolve import as_text

SURE: Final = 0.5  # of a cause: below, it is likelier that something else limits
LOOK_SECONDS: Final = 10.0  # of `advisor why` on a running cluster
_STATES_SECONDS: Final = 0.1
AROUND_SECONDS: Final = 3.0  # so that the load runs when the interval begins and when it ends
_VARIANTS: Final = {"with twice its values": 2.0, "with half its values": 0.5}


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
    wanted = of_cluster_file(cluster, find_login("", os.environ))
    gathered: list[Gathered] = []
    span = Span(LOOK_SECONDS, 1.0, False, _STATES_SECONDS)
    reading = threading.Thread(target=lambda: gathered.append(gather(wanted.targets, span)), daemon=True)

    def heard(second: Second) -> None:
        if second.phase is Phase.MEASURE and not reading.ident:
            reading.start()
        on_second(second)

    longer = replace(plan, seconds=LOOK_SECONDS + AROUND_SECONDS, warm_up_most=plan.warm_up_least, hopeless_lag_ms=inf)
    with open_cluster(cluster) as opened:
        measure(opened, longer, heard, tell)
    if reading.ident:
        reading.join()
    if not gathered:
        raise ServerError("nothing was read while the load ran")
    return _evidence(gathered[0], wanted)


def _evidence(gathered: Gathered, wanted: ClusterTarget) -> Cluster:
    if not any(one.reached for one in gathered.recordings):
        raise ServerError(gathered.recordings[0].failure or "no member could be read")
    files = complete(pack(gathered, wanted, redacted=False), wanted)
    return replace(read_back(files, wanted.path), running=True)


def suggested_configurations(
    diagnosis: Diagnosis, space: SearchSpace, running: Settings, rules: Settings
) -> list[SuggestedConfiguration]:
    """What is sure to limit taken away, with what `check` advises and without; and with twice and half of it.

    Where both advise something of a knob, the first has what `check` says. Each configuration once; [] where nothing
    sure can be taken away by a knob of the space at no risk to data or reads.
    """
    sure = [one for one in diagnosis.causes if _helps(one, space, running)]
    if not sure:
        return []
    names = " and ".join(f"“{one.cause.title}” ({one.confidence:.0%})" for one in sure)
    alone = with_changes([change for one in sure for change in one.changes], space, running)
    checked = {name: after for name, (_, after) in difference(running, rules).items()}
    together = Encoder(space).settle({**alone, **checked})
    found = [
        SuggestedConfiguration(f"why: {names}, with what check advises", together),
        SuggestedConfiguration(f"why: {names}, alone", alone),
    ]
    for words, factor in _VARIANTS.items():
        turned = list(difference(running, alone))
        found.append(SuggestedConfiguration(f"why, {words}", _scaled(space, together, turned, factor)))
    first: dict[object, SuggestedConfiguration] = {}
    for one in found:
        first.setdefault(identity(one.settings), one)
    return list(first.values())


def _helps(suspect: RankedCause, space: SearchSpace, running: Settings) -> bool:
    if suspect.confidence < SURE or suspect.cause.answer != "limit" or not is_low_risk(suspect.advice):
        return False
    return bool(difference(running, with_changes(suspect.changes, space, running)))


def _scaled(space: SearchSpace, settings: Settings, names: Sequence[str], factor: float) -> dict[str, str]:
    """The configuration with some numbers multiplied, inside their ranges; words and special values stay."""
    knobs = {knob.name: knob for knob in space.knobs}
    moved = {name: _times(knobs[name], settings[name], factor) for name in names}
    return Encoder(space).settle({**settings, **moved})


def _times(knob: Knob, text: str, factor: float) -> str:
    if knob.choices or text in knob.special:
        return text
    value = round(float(text) * factor / knob.step) * knob.step
    return as_text(min(max(value, knob.low), knob.high), knob.step)
