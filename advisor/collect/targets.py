"""Which members are to be read, and what does cluster.yaml state about them?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from advisor.cluster_file import addresses
from advisor.collect.login import Login
from advisor.collect.member.reader import MemberTarget
from advisor.errors import ServerError
from advisor.model.lab import Address, ClusterFile
from advisor.model.record import field, record, replace
from advisor.model.server import Role, Topology
from advisor.topologies import discover

_OF_THE_CONNECTION: Final = 2000  # client errors begin here; lower numbers are the server's
_REFUSED_LOGINS: Final = (1045, 1044, 1129, 1130, 1698, 1040)


@record
class ClusterTarget:
    """The members to be read. `path` is what the user named, `name` what the cluster is called.

    `topology` and `roles` (by member) are what cluster.yaml states; the evidence wins over it. `problems` are members
    that are known to exist and cannot be read. `cluster` has the members as cluster.yaml or discovery names them; None
    where the server could only be read alone.
    """

    path: str
    name: str
    members: tuple[MemberTarget, ...]
    topology: Topology | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    cluster: ClusterFile | None = None


def of_cluster_file(cluster: ClusterFile, login: Login) -> ClusterTarget:
    """Every member the file names; the password is that of its password file, else the login's."""
    known = addresses(cluster)
    members = tuple(
        MemberTarget(member.name, _with(known[member.name], login), member.option_file) for member in cluster.members
    )
    roles = {member.name: member.role for member in cluster.members}
    return ClusterTarget(cluster.path, cluster.name, members, cluster.topology, roles, cluster=cluster)


def _with(address: Address, login: Login) -> Address:
    return address if address.password else replace(address, password=login.password)


def of_address(address: Address) -> ClusterTarget:
    """The cluster of the server at an address, whichever member it is; ServerError when that one cannot be asked.

    If the account lacks the privilege to find the other members, the server is read alone, which is noted. Roles are
    left to the evidence, which comes from the same servers and has more of it.
    """
    place = f"{address.host}:{address.port}"
    try:
        discovery = discover(address)
    except ServerError as error:
        if not 0 < error.number < _OF_THE_CONNECTION or error.number in _REFUSED_LOGINS:
            raise
        problem = f"{place}: cannot tell whether it is in a cluster: {error.message}"
        return ClusterTarget(place, place, (MemberTarget(place, address),), problems=(problem,))
    members = tuple(MemberTarget(member.name, discovery.logins[member.name]) for member in discovery.cluster.members)
    return ClusterTarget(place, place, members, problems=discovery.unknowns, cluster=discovery.cluster)
