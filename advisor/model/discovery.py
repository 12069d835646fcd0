"""What discovery finds of a cluster, starting at one member: its members, and those that could not be read."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.model.lab import Address, ClusterFile
from advisor.model.record import field, record
from advisor.model.server import Release, Role


@record
class Neighbour:
    """A member that another one knows. It may be at any of `hosts`; `identity` tells whether a server is that member.

    `identity` has server variables or status variables by name ("server_uuid", "wsrep_cluster_state_uuid"). Without
    host and port, only its existence is known. `what` describes it in words.
    """

    hosts: tuple[str, ...]
    port: int
    what: str
    identity: Mapping[str, str] = field(default_factory=dict)


@record
class Membership:
    """A member's part in a topology: its role, the members it knows, and what it could not tell."""

    role: Role
    neighbours: tuple[Neighbour, ...] = ()
    unknowns: tuple[str, ...] = ()


@record
class Discovery:
    """A cluster that was discovered. Members are named host:port; `cluster` has no path and no password file.

    `logins` and `releases` are by member. `unknowns` has a line for each member that could not be reached, and for each
    query that was refused, with what would help.
    """

    cluster: ClusterFile
    logins: Mapping[str, Address]
    releases: Mapping[str, Release]
    unknowns: tuple[str, ...] = ()
