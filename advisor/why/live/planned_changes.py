"""Which changes are tried, and on which members? The first advice of a diagnosis, or flow control switched off."""

from __future__ import annotations

from typing import Final

from advisor.errors import UsageError
from advisor.model.diagnosis import SURE, Diagnosis, LiveChange, RankedCause, Where
from advisor.model.evidence import Cluster
from advisor.model.rules import Risk
from advisor.model.server import Role, Topology
from advisor.why.live.change import ConnectedCluster, PlannedChange, Settings

_MOST_QUEUED: Final = 50_000  # transactions: a member applies them in some ten seconds to minutes
_MODE: Final = "group_replication_flow_control_mode"
_LIMIT: Final = "galera.gcs.fc_limit"
_NO_LIMIT: Final = "1000000"
_HARMLESS: Final = frozenset({Risk.R0, Risk.R1, Risk.R2})
_OF_APPLIERS: Final = (Topology.ASYNC_MYSQL, Topology.ASYNC_MARIADB)  # whose source never waits for them


def first_advice(diagnosis: Diagnosis, cluster: Cluster, seconds: float) -> PlannedChange:
    """The settings that the first answer with settings advises, on its member; UsageError without any."""
    sure = [ranked for ranked in diagnosis.causes if ranked.confidence >= SURE and ranked.cause.answer == "limit"]
    if not sure:
        raise UsageError(f"no cause has a confidence of at least {SURE:g}")
    first = next((ranked for ranked in sure if _settings(ranked)), None)
    if first is None:
        causes = ", ".join(ranked.cause.id for ranked in sure)
        raise UsageError(f"the advice for {causes} is not a settings change, or it endangers data")
    values = _settings(first)
    applied = first.cause.where is Where.APPLIER and cluster.topology in _OF_APPLIERS
    return PlannedChange(
        settings={first.member: values},
        member=first.member if applied else diagnosis.writer,
        applied=applied,
        seconds=seconds,
        most_queued=_MOST_QUEUED,
        predicted=first.predicted,
        cause=first.cause.id,
    )


def _settings(ranked: RankedCause) -> dict[str, str]:
    """The advised settings; {} if the advice is not a setting, or endangers data or reads."""
    if ranked.advice is None or not set(ranked.advice.risk) <= _HARMLESS:
        return {}
    return {change.name: change.value for change in ranked.changes if change.value is not None}


def flow_control_off(cluster: Cluster, connected: ConnectedCluster, writer: str, seconds: float) -> PlannedChange:
    """Writers without throttling: in a group set on the writer, in Galera on every node."""
    writers = [writer] if writer else [n.name for n in connected.nodes if n.role in (Role.PRIMARY, Role.NODE)][:1]
    if cluster.topology is Topology.GROUP_REPLICATION and writers:
        settings: Settings = {writers[0]: {_MODE: "DISABLED"}}
    elif cluster.topology is Topology.GALERA and writers:
        settings = {node.name: {_LIMIT: _NO_LIMIT} for node in connected.nodes}
    else:
        raise UsageError("only Group Replication and Galera have flow control")
    return PlannedChange(settings, writers[0], applied=False, seconds=seconds, most_queued=_MOST_QUEUED)


def as_observation(change: LiveChange) -> str:
    """The change as an observation for `--observe`; "" if its rates cannot be compared."""
    if change.flaw:
        return ""
    member, values = next(iter(change.settings.items()))
    name, value = next(iter(values.items()))
    was = change.before[member][name]
    return f"tried={name.removeprefix('galera.')}:{was}:{value}:{change.without:.1f}:{change.during:.1f}"


def sentence_on(change: LiveChange) -> str:
    """A sentence on what was measured, for the reply."""
    pairs = {pair for values in change.settings.values() for pair in values.items()}
    sets = ", ".join(f"{name} = {value}" for name, value in sorted(pairs))
    if change.flaw:
        return f"Nothing could be measured with {sets}: {change.flaw}; the old values have been restored."
    verb = "applied" if change.applied else "committed"
    expected = change.predicted
    predicted = f" ({expected.low:.0f} to {expected.high:.0f} were expected)" if expected else ""
    early = f"; ended early: {change.stopped}" if change.stopped else ""
    return (
        f"Measured for {change.seconds:g} seconds with {sets}: {change.member} {verb} {change.during:.0f} instead of "
        f"{change.without:.0f} transactions per second{predicted}; the old values have been restored{early}."
    )
