"""Which cluster is a server in? From one member to those it knows of and on, until nobody knows of another.

Same account and password for all. What a member reports as its address may mean nothing from here, so whoever answers
must also be who was meant; everybody who could not be asked is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from advisor.errors import ServerError
from advisor.model.discovery import Discovery, Membership, Neighbour
from advisor.model.lab import Address, ClusterFile, ClusterMember
from advisor.model.record import record, replace
from advisor.model.server import Family, Release, Role
from advisor.topologies.discovery.open_members import open_node

_OF_THE_CONNECTION: Final = 2000  # numbers from here on; below are what the server refuses
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
_WRITE: Final = (Role.SOURCE, Role.PRIMARY, Role.STANDALONE)
_VARIABLES: Final = (
    "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('server_id','server_uuid','hostname','port','datadir')"
)
_STATUS: Final = "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_cluster_state_uuid','wsrep_local_index')"


@record
class _Found:
    """A member that answered: how to log in, what tells it from others, which topology module knows it."""

    login: Address
    release: Release
    identity: dict[str, str]
    module: Any
    seen: Membership
    unknowns: tuple[str, ...]

    @property
    def name(self) -> str:
        return _name(self.login)


def walk(login: Address, modules: Sequence[Any], timeout_seconds: float = 5.0) -> Discovery:
    """The cluster of the server at an address; ServerError when that one cannot be asked.

    A member that cannot be reached costs `timeout_seconds` for each of the places where it may be, all at once.
    """
    found = [_visit(login, modules, timeout_seconds)]
    unknowns: list[str] = []
    tried: set[tuple[object, ...]] = set()
    begun = 0
    with ThreadPoolExecutor(8) as pool:
        while begun < len(found):
            asked = _not_asked_yet(found, begun, tried)
            begun = len(found)
            for result in pool.map(lambda pair: _ask(pair[0], pair[1], modules, timeout_seconds), asked):
                if isinstance(result, str):
                    unknowns.append(result)
                elif not any(result.identity == member.identity for member in found):
                    found.append(result)
    return _discovery(found, unknowns)


def _not_asked_yet(
    found: Sequence[_Found], begin: int, tried: set[tuple[object, ...]]
) -> list[tuple[Neighbour, Address]]:
    """Whom the newest members know that nobody was before, each with who told of it."""
    asked = []
    for teller in found[begin:]:
        for neighbour in teller.seen.neighbours:
            key = (neighbour.hosts, neighbour.port, neighbour.what if not neighbour.hosts else "")
            if key not in tried and not any(_is(neighbour, member.identity) for member in found):
                tried.add(key)
                asked.append((neighbour, teller.login))
    return asked


def _visit(login: Address, modules: Sequence[Any], timeout_seconds: float) -> _Found:
    """Ask one server who it is and whom it knows, by the topology that recognises it."""
    node = open_node(_name(login), Role.STANDALONE, login, timeout_seconds, answer_seconds=30)
    unknowns = []
    with node.session:
        identity = node.session.pairs(_VARIABLES) | node.session.pairs(_STATUS)
        for module in sorted(modules, key=lambda each: -int(each.PRECEDENCE)):
            try:
                seen = module.recognises(node)
            except ServerError as error:
                if not 0 < error.number < _OF_THE_CONNECTION:
                    raise
                unknowns.append(f"{node.name}: whether it is in another topology: {error.message}")
                continue
            if seen is not None and node.release is not None:
                return _Found(login, node.release, identity, module, seen, (*unknowns, *seen.unknowns))
    raise ServerError(f"{node.name} is in no topology known here")


def _ask(neighbour: Neighbour, teller: Address, modules: Sequence[Any], timeout_seconds: float) -> _Found | str:
    """Who a neighbour is, or why that stays unknown."""
    reasons = []
    for host in _places(neighbour.hosts, teller.host):
        login = replace(teller, host=host, port=neighbour.port, socket="")
        try:
            found = _visit(login, modules, timeout_seconds)
        except ServerError as error:
            reasons.append(error.message)
            continue
        if _is(neighbour, found.identity):
            return found
        reasons.append(f"{_name(login)} is another server")
    return f"{neighbour.what}: {'; '.join(reasons)}" if reasons else neighbour.what


def _is(neighbour: Neighbour, identity: dict[str, str]) -> bool:
    known = neighbour.identity
    return bool(known) and all(identity.get(name, "").lower() == value.lower() for name, value in known.items())


def _places(hosts: Sequence[str], teller: str) -> list[str]:
    """Where a host may be from here: what is loopback to a member is the member's own host."""
    return list(dict.fromkeys(place for host in hosts for place in ((teller, host) if host in _LOOPBACK else (host,))))


def _discovery(found: Sequence[_Found], unknowns: Sequence[str]) -> Discovery:
    module = max((member.module for member in found), key=lambda each: int(each.PRECEDENCE))
    ours = [member for member in found if member.seen.role in module.ROLES]
    ours.sort(key=lambda member: (member.seen.role not in _WRITE, member.login.host, member.login.port))
    others = [f"{each.name} is a {each.seen.role} beside the cluster, left out" for each in found if each not in ours]
    first = ours[0]
    family: Family = first.release.family
    cluster = ClusterFile(
        path="",
        name=found[0].name,
        topology=module.topology(family),
        server=first.release.name,
        user=first.login.user,
        password_file="",
        members=tuple(
            ClusterMember(each.name, each.seen.role, each.login.host, each.login.port, each.login.socket)
            for each in ours
        ),
    )
    said = [line for member in found for line in member.unknowns]
    return Discovery(
        cluster,
        {each.name: each.login for each in ours},
        {each.name: each.release for each in ours},
        tuple(dict.fromkeys([*unknowns, *said, *others])),
    )


def _name(login: Address) -> str:
    return f"{login.host}:{login.port}"
