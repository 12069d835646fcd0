"""How are changes tried on the running cluster? Only if --verify or --experiment is given; each step is reported."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from advisor.cli.shared.live_cluster import LiveOptions, find_members
from advisor.cli.shared.terminal import write
from advisor.cli.why.verified_file import keep, verified_changes
from advisor.errors import UsageError
from advisor.model.diagnosis import Diagnosis, LiveChange
from advisor.model.evidence import Cluster
from advisor.model.record import replace
from advisor.why.live.change import connect, measure_change
from advisor.why.live.planned_changes import as_observation, first_advice, flow_control_off, sentence_on
from advisor.why.verified.pair import pair_of

_VERIFY_SECONDS = 10.0
_EXPERIMENT_SECONDS = 5.0


def experiment(cluster: Cluster, live: LiveOptions, writer: str) -> tuple[str, LiveChange]:
    """Flow control off for some seconds: the outcome as an observation ("" for none), and in full."""
    with connect(cluster, find_members(live)) as connected:
        planned = flow_control_off(cluster, connected, writer, _EXPERIMENT_SECONDS)
        change = measure_change(connected, planned, _tell)
    return as_observation(change), change


def verify_where_possible(diagnosis: Diagnosis, cluster: Cluster, live: LiveOptions) -> list[LiveChange]:
    """The first advice for some seconds; [] with a message if it cannot be tried."""
    try:
        planned = first_advice(diagnosis, cluster, _VERIFY_SECONDS)
        with connect(cluster, find_members(live)) as connected:
            return [measure_change(connected, planned, _tell)]
    except UsageError as error:
        _tell(f"not verified: {error.message}")
        return []


def keep_verified(diagnosis: Diagnosis, changes: Sequence[LiveChange]) -> None:
    """Keep what was predicted and measured, for the next prediction on this machine; says so, or why it is not kept."""
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    pairs = [pair for change in changes if (pair := pair_of(change, diagnosis, now)) is not None]
    if why_not := keep(pairs):
        _tell(f"result not saved for future predictions: {why_not}")
        return
    for pair in pairs:
        known = sum(each.cause == pair.cause for each in verified_changes()[0])
        counted = f"{known} verified change{'s' * (known > 1)}"
        _tell(f"result saved for future predictions: {counted} for {pair.cause} so far")


def with_live_changes(diagnosis: Diagnosis, changes: list[LiveChange]) -> Diagnosis:
    """The diagnosis with what was measured on the running cluster."""
    return replace(diagnosis, trials=tuple(changes), summary=(*diagnosis.summary, *map(sentence_on, changes)))


def _tell(text: str) -> None:
    write(f"{text}\n", sys.stderr)
