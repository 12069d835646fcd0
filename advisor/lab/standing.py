"""How does a lab stand now? Which members run, and how the cluster differs from what it claims to be."""

from __future__ import annotations

from contextlib import ExitStack

from advisor.catalog import parse_release
from advisor.client import connect
from advisor.cluster_file import addresses, read_cluster
from advisor.dialects import dialect_of
from advisor.errors import ServerError
from advisor.lab import processes
from advisor.lab.state import LabState, read_state
from advisor.model.lab import ClusterFile
from advisor.model.record import record
from advisor.nodes import Node
from advisor.topologies import module_for


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
    return Standing(state, cluster, running, gone + tuple(_problems(cluster, running)))


def _problems(cluster: ClusterFile, running: tuple[str, ...]) -> list[str]:
    release = parse_release(cluster.server)[0]
    known = addresses(cluster)
    found: list[str] = []
    with ExitStack() as stack:
        nodes = []
        for member in cluster.members:
            if member.name in running:
                try:
                    session = stack.enter_context(connect(known[member.name], answer_seconds=10))
                except ServerError as error:
                    found.append(f"{member.name} does not answer: {error.message}")
                    continue
                words = dialect_of(release.family, release.version)
                nodes.append(Node(member.name, member.role, session, words, known[member.name]))
        if len(nodes) == len(cluster.members):
            try:
                found += module_for(cluster.topology, release.family).problems(nodes)
            except ServerError as error:
                found.append(str(error))
    return found
