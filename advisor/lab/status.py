"""How does a lab stand now? Which members run, and how the cluster differs from what it claims to be."""

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
class Standing:
    """A lab's file (None when it never became ready), the members whose server runs, and what is wrong."""

    state: LabState
    cluster: ClusterFile | None
    running: tuple[str, ...]
    problems: tuple[str, ...]

    @property
    def word(self) -> str:
        """One word: ready, degraded, unfinished, or down (after a reboot)."""
        if not self.running:
            return "down"
        if self.cluster is None:
            return "unfinished"
        return "degraded" if self.problems else "ready"


def standing(name: str) -> Standing:
    """Ask every member; a server that does not answer is a problem of the cluster, not an error."""
    state = read_state(name)
    running = tuple(sorted(set(processes.using(state.folder).values())))  # also those that were started again
    if not state.cluster_path.exists():
        return Standing(state, None, running, ("it is not ready yet, or never became so",))
    cluster = read_cluster(state.cluster_path)
    gone = tuple(f"{member.name} does not run" for member in cluster.members if member.name not in running)
    if lacks_forwarder(state.folder):
        gone += ("no packet passes between members: the forwarder does not run",)
    return Standing(state, cluster, running, gone + tuple(_problems(cluster, running)))


def _problems(cluster: ClusterFile, running: tuple[str, ...]) -> list[str]:
    there = tuple(member for member in cluster.members if member.name in running)
    if not there:
        return []
    with open_reachable(replace(cluster, members=there), answer_seconds=10) as (nodes, refused):
        found = [f"{name} does not answer: {error.message}" for name, error in refused.items()]
        if len(nodes) == len(cluster.members):
            try:
                found += module_for(cluster.topology, nodes[0].dialect.family).problems(nodes)
            except ServerError as error:
                found.append(str(error))
    return found
