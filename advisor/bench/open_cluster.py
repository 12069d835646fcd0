"""Which cluster do runs take place on? One with an open connection to every member."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from advisor.model.lab import ClusterFile
from advisor.model.record import record, replace
from advisor.model.server import Role
from advisor.nodes import Node
from advisor.topologies import TopologyModule, module_for, open_nodes

_ANSWER_SECONDS: Final = 10.0  # a member that takes longer to report its position is lost
_WRITING = (Role.STANDALONE, Role.SOURCE, Role.PRIMARY, Role.NODE)


@record
class OpenCluster:
    """A cluster, the module of its topology, and a connection to each member."""

    cluster: ClusterFile
    module: TopologyModule
    nodes: Sequence[Node]


@contextmanager
def open_cluster(cluster: ClusterFile) -> Iterator[OpenCluster]:
    """Connect to every member; ServerError when one cannot be reached. The release is the one that is running."""
    with open_nodes(cluster, answer_seconds=_ANSWER_SECONDS) as nodes:
        release = nodes[0].release
        running = replace(cluster, server=release.name) if release else cluster
        yield OpenCluster(running, module_for(cluster.topology, nodes[0].dialect.family), nodes)


def default_writers(cluster: ClusterFile) -> tuple[str, ...]:
    """The first member that takes writes by its role; () where there is none."""
    return tuple(member.name for member in cluster.members if member.role in _WRITING)[:1]
