"""What does the user state about servers, and how does it get into the evidence?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from advisor.model.evidence import Cluster, Fact
from advisor.model.record import replace
from advisor.model.server import Release, Role, Topology, join_labels

if TYPE_CHECKING:
    from advisor.evidence.stated_host import Stated


def parse_host(texts: Sequence[str]) -> dict[str, Fact]:
    """`cpus=16,memory=64G` as facts of the host; UsageError as `stated_host` says."""
    if not texts:
        return {}
    from advisor.check.lint import HOST
    from advisor.evidence.stated_host import stated_host

    return {name: _fact(name, stated) for name, stated in stated_host(texts, HOST).items()}


def state(cluster: Cluster, role: Role | None, topology: Topology | None, host: Mapping[str, Fact]) -> Cluster:
    """The cluster with what the user stated; it wins over what files say."""
    members = [replace(member, host={**member.host, **host}) for member in cluster.members]
    if role is not None:
        members = [replace(member, role=role, role_source=f"--role {role}") for member in members]
    if topology is not None:
        cluster = replace(cluster, topology=topology, topology_source=f"--topology {topology}")
    return replace(cluster, members=tuple(members))


def with_contradictions(cluster: Cluster, asked: Sequence[Release]) -> Cluster:
    """The cluster with a remark for every member whose own evidence names another release than --server does."""
    if not asked:
        return cluster
    from advisor.check.worlds import possible_releases

    told = []
    for member in cluster.members:
        stated = possible_releases(member, asked).releases
        if not any(_may_be_same(one, other) for one in stated for other in asked):
            labels = join_labels(release.label for release in stated)
            told.append(f"{member.name}: judged as {labels}, which the evidence says it is, not as --server says")
    return replace(cluster, problems=(*cluster.problems, *told)) if told else cluster


def _may_be_same(one: Release, other: Release) -> bool:
    same = one.family is other.family and one.series == other.series
    return same and bool(one.stands_for or other.stands_for or one.version == other.version)


def _fact(name: str, stated: Stated) -> Fact:
    """`memory=0.1G` is not a whole number of bytes, and a machine has whole bytes."""
    in_bytes = name.endswith("_bytes")
    value = int(stated.value) if in_bytes and isinstance(stated.value, float) else stated.value
    return Fact(name, value, "bytes" if in_bytes else "", f"--host {stated.written}")
