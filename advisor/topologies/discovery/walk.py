"""Which cluster is a server in? From one member to those it knows, and so on, until no new member turns up.

All are opened with the same account and password. The address that a member reports may lead elsewhere from here, so
the server that answers must also have the expected identity. Members that could not be read are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from advisor.errors import ServerError
from advisor.model.discovery import Discovery, Membership, Neighbour
from advisor.model.lab import Address, ClusterFile, ClusterMember
from advisor.model.record import record, replace
from advisor.model.server import WRITING_ROLES, Family, Release, Role
from advisor.topologies.discovery.open_members import open_node

_OF_THE_CONNECTION: Final = 2000  # client errors begin here; lower numbers are refusals by the server
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_VARIABLES: Final = (
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_id','server_uuid','hostname','port','datadir')"
)
_STATUS: Final = "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_cluster_state_uuid','wsrep_local_index')"


@record
class _Member:
    """A member that answered: its address, its identity, and the topology module that recognised it."""

    login: Address
    release: Release
    identity: dict[str, str]
    module: Any
    membership: Membership
    unknowns: tuple[str, ...]

    @property
    def name(self) -> str:
        return _name(self.login)


def walk(login: Address, modules: Sequence[Any], timeout_seconds: float = 5.0) -> Discovery:
    """The cluster of the server at an address; ServerError when that server cannot be read.

    An unreachable member costs `timeout_seconds` for each of its possible addresses; members are tried in parallel.
    """
    members = [_visit(login, modules, timeout_seconds)]
    unknowns: list[str] = []
    tried: set[tuple[object, ...]] = set()
    visited = 0
    with ThreadPoolExecutor(8) as pool:
        while visited < len(members):
            untried = _untried(members, visited, tried)
            visited = len(members)
            for result in pool.map(lambda pair: _identify(pair[0], pair[1], modules, timeout_seconds), untried):
                if isinstance(result, str):
                    unknowns.append(result)
                elif not any(result.identity == member.identity for member in members):
                    members.append(result)
    return _discovery(members, unknowns)


def _untried(
    members: Sequence[_Member], first_new: int, tried: set[tuple[object, ...]]
) -> list[tuple[Neighbour, Address]]:
    """Neighbours of the newest members that were not tried yet, each with the address of the member that knows it."""
    untried = []
    for reporter in members[first_new:]:
        for neighbour in reporter.membership.neighbours:
            key = (neighbour.hosts, neighbour.port, neighbour.what if not neighbour.hosts else "")
            if key not in tried and not any(_is(neighbour, member.identity) for member in members):
                tried.add(key)
                untried.append((neighbour, reporter.login))
    return untried


def _visit(login: Address, modules: Sequence[Any], timeout_seconds: float) -> _Member:
    """Read the identity of one server, its topology, and the members it knows."""
    node = open_node(_name(login), Role.STANDALONE, login, timeout_seconds, answer_seconds=30)
    unknowns = []
    with node.session:
        identity = node.session.pairs(_VARIABLES) | node.session.pairs(_STATUS)
        for module in sorted(modules, key=lambda each: -int(each.PRECEDENCE)):
            try:
                membership = module.recognises(node)
            except ServerError as error:
                if not 0 < error.number < _OF_THE_CONNECTION:
                    raise
                unknowns.append(f"{node.name}: cannot tell whether it is in another topology: {error.message}")
                continue
            if membership is not None and node.release is not None:
                return _Member(login, node.release, identity, module, membership, (*unknowns, *membership.unknowns))
    raise ServerError(f"{node.name} is not in a topology that advisor knows")


def _identify(neighbour: Neighbour, reporter: Address, modules: Sequence[Any], timeout_seconds: float) -> _Member | str:
    """The member a neighbour turns out to be, or a text that says why it could not be read."""
    reasons = []
    for host in _addresses(neighbour.hosts, reporter.host):
        login = replace(reporter, host=host, port=neighbour.port, socket="")
        try:
            member = _visit(login, modules, timeout_seconds)
        except ServerError as error:
            reasons.append(error.message)
            continue
        if _is(neighbour, member.identity):
            return member
        reasons.append(f"{_name(login)} is a different server")
    return f"{neighbour.what}: {'; '.join(reasons)}" if reasons else neighbour.what


def _is(neighbour: Neighbour, identity: dict[str, str]) -> bool:
    known = neighbour.identity
    return bool(known) and all(identity.get(name, "").lower() == value.lower() for name, value in known.items())


def _addresses(hosts: Sequence[str], reporter: str) -> list[str]:
    """Where a host may be, seen from here: a member's loopback is the member's own host."""
    return list(
        dict.fromkeys(place for host in hosts for place in ((reporter, host) if host in _LOOPBACK else (host,)))
    )


def _discovery(found: Sequence[_Member], unknowns: Sequence[str]) -> Discovery:
    module = max((member.module for member in found), key=lambda module: int(module.PRECEDENCE))
    members = [member for member in found if member.membership.role in module.ROLES]
    members.sort(key=lambda member: (member.membership.role not in WRITING_ROLES, member.login.host, member.login.port))
    outside = [
        f"{member.name} is a {member.membership.role} outside the cluster and was left out"
        for member in found
        if member not in members
    ]
    first = members[0]
    family: Family = first.release.family
    cluster = ClusterFile(
        path="",
        name=found[0].name,
        topology=module.topology(family),
        server=first.release.name,
        user=first.login.user,
        password_file="",
        members=tuple(
            ClusterMember(
                member.name, member.membership.role, member.login.host, member.login.port, member.login.socket
            )
            for member in members
        ),
    )
    reported = [line for member in found for line in member.unknowns]
    return Discovery(
        cluster,
        {member.name: member.login for member in members},
        {member.name: member.release for member in members},
        tuple(dict.fromkeys([*unknowns, *reported, *outside])),
    )


def _name(login: Address) -> str:
    return f"{login.host}:{login.port}"
