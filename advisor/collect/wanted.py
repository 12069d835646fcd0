"""Which servers are meant, and what is said of them beforehand?"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.cluster_file import addresses
from advisor.collect.login import Login
from advisor.collect.reader import Target
from advisor.model.lab import Address, ClusterFile
from advisor.model.record import field, record, replace
from advisor.model.server import Role, Topology


@record
class Wanted:
    """The members to be read. `path` is what the user named, `name` what the cluster is called.

    `topology` and `roles` (by member) are what a file says; the evidence counts more. `problems` are members that are
    known to exist and cannot be asked.
    """

    path: str
    name: str
    targets: tuple[Target, ...]
    topology: Topology | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


def of_cluster_file(cluster: ClusterFile, login: Login) -> Wanted:
    """Every member the file names; the password is that of its password file, else the login's."""
    known = addresses(cluster)
    targets = tuple(
        Target(member.name, _with(known[member.name], login), member.option_file) for member in cluster.members
    )
    roles = {member.name: member.role for member in cluster.members}
    return Wanted(cluster.path, cluster.name, targets, cluster.topology, roles)


def _with(address: Address, login: Login) -> Address:
    return address if address.password else replace(address, password=login.password)


def of_one(address: Address) -> Wanted:
    """One server alone."""
    name = f"{address.host}:{address.port}"
    return Wanted(name, name, (Target(address.host, address),))
