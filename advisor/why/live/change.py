"""What does a change give on the running cluster? Sets it for some seconds, measures, and puts it back.

It is put back on errors and Ctrl-C, and by a process that waits for our end should we be killed
(advisor/why/live/restore_on_kill.py). Only what acts at once is tried: no server restarts, no member leaves its group.
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
from advisor.topologies import TopologyModule, Watch, application, apply_settings, current, module_for, open_node
from advisor.why.live.pace import flaw_of, pace, settled
from advisor.why.live.restore_on_kill import restored_if_killed

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
    """The cluster a change is tried on, with a connection to every member."""

    module: TopologyModule
    nodes: Sequence[Node]


@record
class PlannedChange:
    """What is tried, and whose rate tells. `most_queued`: a longer backlog on any member ends it."""

    settings: Settings
    member: str
    applied: bool
    seconds: float
    most_queued: int
    predicted: Prediction | None = None


@contextmanager
def stand(cluster: Cluster, wanted: ClusterTarget) -> Iterator[ConnectedCluster]:
    """Open every member that was read; ServerError when one cannot be."""
    roles = {member.name: member.role for member in cluster.members}
    if cluster.topology is None or not all(roles.get(target.name) for target in wanted.members):
        raise ServerError("nothing can be tried: it is not known what every member does in this cluster")
    with ExitStack() as stack:
        nodes = []
        for target in wanted.members:
            role = roles[target.name]
            assert role is not None
            node = open_node(target.name, role, target.address, answer_seconds=_ANSWER_SECONDS)
            stack.callback(node.session.close)
            nodes.append(node)
        yield ConnectedCluster(module_for(cluster.topology, nodes[0].dialect.family), nodes)


def why_not(place: ConnectedCluster, settings: Settings) -> str:
    """Why settings cannot be tried on a cluster that works; "" when they can."""
    releases = {node.name: node.release for node in place.nodes}
    for member, values in settings.items():
        release = releases[member]
        assert release is not None
        for name in values:
            how = application(name, release, place.module.topology(release.family))
            if how not in _AT_ONCE:
                return f"{name} acts after: {how.replace('_', ' ')}; that is not done to a cluster that works"
    return "" if any(settings.values()) else "the first advice sets nothing"


def measure_change(place: ConnectedCluster, wish: PlannedChange, tell: Callable[[str], None]) -> LiveChange:
    """Measure without, with, and again without the settings. UsageError for what cannot be tried.

    ServerError from members; the settings are back then too, or the error says that they are not.
    """
    if why := why_not(place, wish.settings):
        raise UsageError(why)
    with Watch(place.module, place.nodes) as watch:
        first = pace(watch, wish.member, wish.applied, wish.seconds / 2)
        if first.rate is None:
            raise UsageError(f"how many transactions {wish.member} {_does(wish)} is not known")
        if first.load == 0:
            raise UsageError("nobody commits anything: without load nothing can be measured")
        with _in_force(place, wish.settings, tell) as before:
            time.sleep(_SETTLING_SECONDS)
            most = wish.most_queued + (first.backlog if wish.applied else 0)  # what waited before is nothing new
            during = pace(watch, wish.member, wish.applied, wish.seconds, most)
        # Whoever applies is as fast whatever waits for it; writers may be held back until what had queued up is gone.
        backlog = inf if wish.applied else first.backlog
        second = pace(watch, wish.member, wish.applied, wish.seconds / 2) if settled(watch, backlog) else None
    rates = [seen.rate for seen in (first, second) if seen is not None and seen.rate is not None]
    return LiveChange(
        settings=wish.settings,
        before=before,
        member=wish.member,
        applied=wish.applied,
        without=sum(rates) / len(rates),
        during=during.rate or 0.0,
        seconds=round(during.seconds, 1),
        predicted=wish.predicted,
        stopped=during.stopped,
        flaw=flaw_of(first, during, second),
    )


def _does(wish: PlannedChange) -> str:
    return "applies" if wish.applied else "commits"


@contextmanager
def _in_force(place: ConnectedCluster, settings: Settings, tell: Callable[[str], None]) -> Iterator[Settings]:
    before = _values(place, settings)
    with restored_if_killed(place.nodes, place.module, before):
        try:
            with held_back():  # Ctrl-C in the middle would leave unknown what was set
                apply_settings(place.module, place.nodes, settings)
            tell(f"in force: {_shown(settings)}")
            yield before
        finally:
            with held_back():
                apply_settings(place.module, place.nodes, before)
            tell(f"put back: {_shown(before)}")


def _values(place: ConnectedCluster, settings: Settings) -> Settings:
    """What the settings are now."""
    found = {}
    for node in place.nodes:
        assert node.release is not None
        family, names = node.release.family, settings.get(node.name, {})
        spelled = {name: spelling(canonical(name, family), node.release) or canonical(name, family) for name in names}
        found[node.name] = {name: current(node, own) for name, own in spelled.items()}
    return {member: values for member, values in found.items() if values}


def _shown(settings: Settings) -> str:
    return "; ".join(
        f"{member}: " + ", ".join(f"{name} = {value}" for name, value in values.items())
        for member, values in settings.items()
    )
