"""What was found of a cluster from one of its members: who is in it, and who could not be asked."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.model.lab import Address, ClusterFile
from advisor.model.record import field, record
from advisor.model.server import Release, Role


@record
class Neighbour:
    """A member another one knows of. It may be at any of `hosts`; there, `identity` tells whether it is the one.

    `identity` has server variables or status variables by name ("server_uuid", "wsrep_cluster_state_uuid"). No host
    and no port: all that is known is that there is one, and `what` says so in words.
    """

    hosts: tuple[str, ...]
    port: int
    what: str
    identity: Mapping[str, str] = field(default_factory=dict)


@record
class Membership:
    """What a member says of the topology it is in: its role, the members it knows of, and what it cannot tell."""

    role: Role
    neighbours: tuple[Neighbour, ...] = ()
    unknowns: tuple[str, ...] = ()


@record
class Discovery:
    """A cluster as it was found. Members are named host:port; `cluster` has no path and no password file.

    `logins` has who to log in as by member, `releases` what runs there. `unknowns` say, one per line, which members
    could not be reached or refused, and what could not be asked, with what would help.
    """

    cluster: ClusterFile
    logins: Mapping[str, Address]
    releases: Mapping[str, Release]
    unknowns: tuple[str, ...] = ()
