"""What does the user state about servers, and how does it get into the evidence?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.annotations import TYPE_CHECKING
from advisor.model.evidence import Cluster, Fact
from advisor.model.record import replace
from advisor.model.server import Role, Topology

if TYPE_CHECKING:
    from advisor.evidence.host_grammar import Stated


def parse_host(texts: Sequence[str]) -> dict[str, Fact]:
    """`cpus=16,memory=64G` as facts of the host; UsageError as `stated_host` says."""
    if not texts:
        return {}
    from advisor.check.known_names import HOST_NAMES
    from advisor.evidence.host_grammar import stated_host

    return {name: _fact(name, stated) for name, stated in stated_host(texts, HOST_NAMES).items()}


def state(cluster: Cluster, role: Role | None, topology: Topology | None, host: Mapping[str, Fact]) -> Cluster:
    """The cluster with what the user stated; it wins over what files say."""
    members = [replace(member, host={**member.host, **host}) for member in cluster.members]
    if role is not None:
        members = [replace(member, role=role, role_source=f"--role {role}") for member in members]
    if topology is not None:
        cluster = replace(cluster, topology=topology, topology_source=f"--topology {topology}")
    cluster = replace(cluster, members=tuple(members))
    if not any(member.variables for member in cluster.members):
        return cluster
    from advisor.evidence.computed_parameters import with_computed_parameters

    return with_computed_parameters(cluster)


def _fact(name: str, stated: Stated) -> Fact:
    """A stated value as a fact. Bytes are rounded down: `memory=0.1G` is not a whole number of them."""
    in_bytes = name.endswith("_bytes")
    value = int(stated.value) if in_bytes and isinstance(stated.value, float) else stated.value
    return Fact(name, value, "bytes" if in_bytes else "", f"--host {stated.written}")
