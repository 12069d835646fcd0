"""Where do runs take place? A cluster with an open connection to every member."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from advisor.catalog import parse_release
from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.dialects import dialect_of
from advisor.model.lab import ClusterFile
from advisor.model.record import record
from advisor.model.server import Role
from advisor.nodes import Node
from advisor.topologies import TopologyModule, module_for

_WRITING = (Role.STANDALONE, Role.SOURCE, Role.PRIMARY, Role.NODE)


@record
class Field:
    """A cluster, how its topology measures, and its members."""

    cluster: ClusterFile
    module: TopologyModule
    nodes: Sequence[Node]


@contextmanager
def opened(cluster: ClusterFile) -> Iterator[Field]:
    """Connect to every member; ServerError when one cannot be reached."""
    release = parse_release(cluster.server)[0]
    known = addresses(cluster)
    with ExitStack() as stack:
        nodes = [
            Node(
                member.name,
                member.role,
                stack.enter_context(connect(known[member.name], answer_seconds=10)),
                dialect_of(release.family, release.version),
                known[member.name],
            )
            for member in cluster.members
        ]
        yield Field(cluster, module_for(cluster.topology, release.family), nodes)


def default_writers(cluster: ClusterFile) -> tuple[str, ...]:
    """The first member that clients write to; () where no role says that one is."""
    return tuple(member.name for member in cluster.members if member.role in _WRITING)[:1]
