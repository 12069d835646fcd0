"""How are changes tried on the running cluster that `advisor why` looks at? Asked for by name only, told as they go."""

from __future__ import annotations

import sys

from advisor.cli.shared.live_cluster import LiveOptions, find_members
from advisor.cli.shared.terminal import write
from advisor.errors import UsageError
from advisor.model.diagnosis import Diagnosis, LiveChange
from advisor.model.evidence import Cluster
from advisor.model.record import replace
from advisor.why.live.change import measure_change, stand
from advisor.why.live.changes_to_try import as_observation, first_advice, flow_control_off, told

_VERIFY_SECONDS = 10.0
_EXPERIMENT_SECONDS = 5.0


def experiment(cluster: Cluster, live: LiveOptions, writer: str) -> tuple[str, LiveChange]:
    """Flow control off for some seconds: what it gave as an observation ("" for nothing), and in full."""
    with stand(cluster, find_members(live)) as place:
        trial = measure_change(place, flow_control_off(cluster, place, writer, _EXPERIMENT_SECONDS), _tell)
    return as_observation(trial), trial


def verify_where_possible(diagnosis: Diagnosis, cluster: Cluster, live: LiveOptions) -> list[LiveChange]:
    """The first advice for some seconds, beside what was predicted of it; [] where it cannot be tried, and says why."""
    try:
        wish = first_advice(diagnosis, cluster, _VERIFY_SECONDS)
        with stand(cluster, find_members(live)) as place:
            return [measure_change(place, wish, _tell)]
    except UsageError as error:
        _tell(f"not verified: {error.message}")
        return []


def with_trials(diagnosis: Diagnosis, trials: list[LiveChange]) -> Diagnosis:
    """The diagnosis that also tells what was measured."""
    return replace(diagnosis, trials=tuple(trials), summary=(*diagnosis.summary, *map(told, trials)))


def _tell(text: str) -> None:
    write(f"{text}\n", sys.stderr)
