"""What is the status of a lab? Which members run, and how the cluster differs from its planned state."""

from __future__ import annotations

from advisor.cluster_file import read_cluster
from advisor.errors import ServerError
from advisor.lab import processes
from advisor.lab.network.emulation import lacks_forwarder
from advisor.lab.state import LabState, read_state
from advisor.model.lab import ClusterFile
from advisor.model.record import record, replace
from advisor.topologies import module_for, open_reachable


@record
class LabStatus:
    """A lab's cluster.yaml (None when it never became ready), the members whose server runs, and the problems."""

    state: LabState
    cluster: ClusterFile | None
    running: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def summary(self) -> str:
        """In one word: ready, degraded, unfinished, or down (after a reboot)."""
        if not self.running:
            return "down"
        if self.cluster is None:
            return "unfinished"
        return "degraded" if self.problems else "ready"


def lab_status(name: str) -> LabStatus:
    """Ask every member; a server that does not answer is reported as a problem, not raised as an error."""
    state = read_state(name)
    running = tuple(sorted(set(processes.using(state.folder).values())))  # restarted servers included
    if not state.cluster_path.exists():
        return LabStatus(state, None, running, ("the lab is still starting, or its start did not finish",))
    cluster = read_cluster(state.cluster_path)
    problems = tuple(f"{member.name} is not running" for member in cluster.members if member.name not in running)
    if lacks_forwarder(state.folder):
        problems += ("the forwarder is not running, so members cannot reach each other",)
    return LabStatus(state, cluster, running, problems + tuple(_problems(cluster, running)))


def _problems(cluster: ClusterFile, running: tuple[str, ...]) -> list[str]:
    members = tuple(member for member in cluster.members if member.name in running)
    if not members:
        return []
    with open_reachable(replace(cluster, members=members), answer_seconds=10) as (nodes, refused):
        problems = [f"{name} does not answer: {error.message}" for name, error in refused.items()]
        if len(nodes) == len(cluster.members):
            try:
                problems += module_for(cluster.topology, nodes[0].dialect.family).problems(nodes)
            except ServerError as error:
                problems.append(str(error))
    return problems
