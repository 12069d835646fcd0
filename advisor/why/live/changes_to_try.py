"""Which changes are tried, and on whom? The first advice of a diagnosis, and flow control switched off for a moment."""

from __future__ import annotations

from typing import Final

from advisor.errors import UsageError
from advisor.model.diagnosis import Diagnosis, LiveChange, RankedCause, Where
from advisor.model.evidence import Cluster
from advisor.model.rules import Risk
from advisor.model.server import Role, Topology
from advisor.why.live.change import ConnectedCluster, PlannedChange, Settings
from advisor.why.next_observation import SURE

_MOST_QUEUED: Final = 50_000  # transactions: what a member applies in some ten seconds to minutes
_MODE: Final = "group_replication_flow_control_mode"
_LIMIT: Final = "galera.gcs.fc_limit"
_NO_LIMIT: Final = "1000000"
_HARMLESS: Final = frozenset({Risk.R0, Risk.R1, Risk.R2})
_OF_APPLIERS: Final = (Topology.ASYNC_MYSQL, Topology.ASYNC_MARIADB)  # whose source never waits for them


def first_advice(diagnosis: Diagnosis, cluster: Cluster, seconds: float) -> PlannedChange:
    """The settings of the first answer that advises some, on the member it is about; UsageError where none does."""
    sure = [one for one in diagnosis.causes if one.confidence >= SURE and one.cause.answer == "limit"]
    if not sure:
        raise UsageError("no cause is sure enough to be acted on")
    first = next((one for one in sure if _settings(one)), None)
    if first is None:
        causes = ", ".join(one.cause.id for one in sure)
        raise UsageError(f"what is advised for {causes} is no setting, or endangers data")
    values = _settings(first)
    applied = first.cause.where is Where.APPLIER and cluster.topology in _OF_APPLIERS
    return PlannedChange(
        settings={first.member: values},
        member=first.member if applied else diagnosis.writer,
        applied=applied,
        seconds=seconds,
        most_queued=_MOST_QUEUED,
        predicted=first.predicted,
    )


def _settings(suspect: RankedCause) -> dict[str, str]:
    """What is advised, by name; {} where it is no setting, or endangers data or reads."""
    if suspect.advice is None or not set(suspect.advice.risk) <= _HARMLESS:
        return {}
    return {change.name: change.value for change in suspect.changes if change.value is not None}


def flow_control_off(cluster: Cluster, place: ConnectedCluster, writer: str, seconds: float) -> PlannedChange:
    """Writers that are not held back: in a group on the writer, in Galera on every node."""
    writers = [writer] if writer else [n.name for n in place.nodes if n.role in (Role.PRIMARY, Role.NODE)][:1]
    if cluster.topology is Topology.GROUP_REPLICATION and writers:
        settings: Settings = {writers[0]: {_MODE: "DISABLED"}}
    elif cluster.topology is Topology.GALERA and writers:
        settings = {node.name: {_LIMIT: _NO_LIMIT} for node in place.nodes}
    else:
        raise UsageError("only Group Replication and Galera have flow control")
    return PlannedChange(settings, writers[0], applied=False, seconds=seconds, most_queued=_MOST_QUEUED)


def as_observation(trial: LiveChange) -> str:
    """What was tried, in the words of `--observe`; "" where nothing follows from it."""
    if trial.flaw:
        return ""
    member, values = next(iter(trial.settings.items()))
    name, value = next(iter(values.items()))
    was = trial.before[member][name]
    return f"tried={name.removeprefix('galera.')}:{was}:{value}:{trial.without:.1f}:{trial.during:.1f}"


def told(trial: LiveChange) -> str:
    """A sentence on what was measured, for whoever asked."""
    pairs = {pair for values in trial.settings.values() for pair in values.items()}
    sets = ", ".join(f"{name} = {value}" for name, value in sorted(pairs))
    if trial.flaw:
        return f"Nothing could be measured with {sets}: {trial.flaw}; it has been put back."
    what = "applied" if trial.applied else "committed"
    predicted = f" ({trial.predicted.low:.0f} to {trial.predicted.high:.0f} were expected)" if trial.predicted else ""
    early = f"; ended early: {trial.stopped}" if trial.stopped else ""
    return (
        f"Measured for {trial.seconds:g} seconds with {sets}: {trial.member} {what} {trial.during:.0f} instead of "
        f"{trial.without:.0f} transactions per second{predicted}; it has been put back{early}."
    )
