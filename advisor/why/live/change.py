"""What does a change give on the running cluster? Applies it for some seconds, measures, and restores the settings.

They are restored on errors and Ctrl-C too, and by another process if we are killed
(advisor/why/live/restore_on_kill.py). Only changes that act at once are tried: no server restarts, no member leaves its
group.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from math import inf
from typing import Final

from advisor.catalog import canonical, spelling
from advisor.collect.targets import ClusterTarget
from advisor.errors import ServerError, UsageError
from advisor.lab.processes import held_back
from advisor.model.applying import Application
from advisor.model.diagnosis import LiveChange, Prediction
from advisor.model.evidence import Cluster
from advisor.model.record import record
from advisor.nodes import Node
from advisor.topologies import (
    ProgressMonitor,
    TopologyModule,
    application,
    apply_settings,
    current,
    module_for,
    open_node,
)
from advisor.why.live.restore_on_kill import restored_if_killed
from advisor.why.live.throughput import Throughput, backlog_drained, flaw_of, measure_throughput

Settings = Mapping[str, Mapping[str, str]]
_AT_ONCE: Final = (
    Application.DYNAMIC,
    Application.PROVIDER_OPTION,
    Application.APPLIER_RESTART,
    Application.RECEIVER_RESTART,
)
_SETTLING_SECONDS: Final = 1.5
_ANSWER_SECONDS: Final = 10.0


@record
class ConnectedCluster:
    """The cluster on which a change is tried, with a connection to every member."""

    module: TopologyModule
    nodes: Sequence[Node]


@record
class PlannedChange:
    """A change to try, and the member whose rate is measured. `most_queued`: a longer backlog anywhere ends it.

    `cause`: the one whose advice it is, if it is any.
    """

    settings: Settings
    member: str
    applied: bool
    seconds: float
    most_queued: int
    predicted: Prediction | None = None
    cause: str = ""


@contextmanager
def connect(cluster: Cluster, wanted: ClusterTarget) -> Iterator[ConnectedCluster]:
    """Connect to every member that was read; ServerError when one cannot be reached."""
    roles = {member.name: member.role for member in cluster.members}
    if cluster.topology is None or not all(roles.get(target.name) for target in wanted.members):
        raise ServerError("no change can be tried: the topology or the role of a member is not known")
    with ExitStack() as stack:
        nodes = []
        for target in wanted.members:
            role = roles[target.name]
            assert role is not None
            node = open_node(target.name, role, target.address, answer_seconds=_ANSWER_SECONDS)
            stack.callback(node.session.close)
            nodes.append(node)
        yield ConnectedCluster(module_for(cluster.topology, nodes[0].dialect.family), nodes)


def why_not(cluster: ConnectedCluster, settings: Settings) -> str:
    """Why settings cannot be tried on a running cluster; "" when they can."""
    releases = {node.name: node.release for node in cluster.nodes}
    for member, values in settings.items():
        release = releases[member]
        assert release is not None
        for name in values:
            how = application(name, release, cluster.module.topology(release.family))
            if how not in _AT_ONCE:
                return f"{name} does not take effect at once ({how.replace('_', ' ')}), so it is not tried"
    return "" if any(settings.values()) else "the first advice contains no settings to try"


def measure_change(cluster: ConnectedCluster, planned: PlannedChange, tell: Callable[[str], None]) -> LiveChange:
    """Measure without, with, and again without the settings. UsageError if they cannot be tried.

    On ServerError the settings are restored too, or the error says that they are not.
    """
    if why := why_not(cluster, planned.settings):
        raise UsageError(why)
    with ProgressMonitor(cluster.module, cluster.nodes) as monitor:
        first = _without(monitor, planned)
        if first.rate is None:
            raise UsageError(f"how many transactions {planned.member} {_verb(planned)} is not known")
        if first.load == 0:
            raise UsageError("nothing is committed: without load there is nothing to measure")
        with _in_force(cluster, planned.settings, tell) as before:
            time.sleep(_SETTLING_SECONDS)
            # Transactions that waited before do not count.
            most = planned.most_queued + (first.backlog if planned.applied else 0)
            during = measure_throughput(monitor, planned.member, planned.applied, planned.seconds, most)
        # An applier's rate does not depend on its backlog; writers may be throttled until the backlog is gone.
        backlog = inf if planned.applied else first.backlog
        second = _without(monitor, planned) if backlog_drained(monitor, backlog) else None
    rates = [each.rate for each in (first, second) if each is not None and each.rate is not None]
    return LiveChange(
        settings=planned.settings,
        before=before,
        member=planned.member,
        applied=planned.applied,
        without=sum(rates) / len(rates),
        during=during.rate or 0.0,
        seconds=round(during.seconds, 1),
        predicted=planned.predicted,
        stopped=during.stopped,
        flaw=flaw_of(first, during, second),
        cause=planned.cause,
    )


def _without(monitor: ProgressMonitor, planned: PlannedChange) -> Throughput:
    return measure_throughput(monitor, planned.member, planned.applied, planned.seconds / 2)


def _verb(planned: PlannedChange) -> str:
    return "applies" if planned.applied else "commits"


@contextmanager
def _in_force(cluster: ConnectedCluster, settings: Settings, tell: Callable[[str], None]) -> Iterator[Settings]:
    before = _values(cluster, settings)
    with restored_if_killed(cluster.nodes, cluster.module, before):
        try:
            with held_back():  # Ctrl-C in the middle would leave it unknown what was set
                apply_settings(cluster.module, cluster.nodes, settings)
            tell(f"in force: {_shown(settings)}")
            yield before
        finally:
            with held_back():
                apply_settings(cluster.module, cluster.nodes, before)
            tell(f"restored: {_shown(before)}")


def _values(cluster: ConnectedCluster, settings: Settings) -> Settings:
    """The present values of the settings."""
    present = {}
    for node in cluster.nodes:
        assert node.release is not None
        family, names = node.release.family, settings.get(node.name, {})
        spelled = {name: spelling(canonical(name, family), node.release) or canonical(name, family) for name in names}
        present[node.name] = {name: current(node, own) for name, own in spelled.items()}
    return {member: values for member, values in present.items() if values}


def _shown(settings: Settings) -> str:
    return "; ".join(
        f"{member}: " + ", ".join(f"{name} = {value}" for name, value in values.items())
        for member, values in settings.items()
    )
