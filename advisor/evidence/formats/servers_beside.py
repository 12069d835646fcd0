"""Which other servers of the same file replicate with this one, and which server_id has each?

Only what the file itself shows: the same group_replication_group_name, or a service that counts as a replica beside a
server of its family. Databases of different applications may stand in one Compose file as well. Nodes of Galera may
share a server_id and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.topology_hints import last_written
from advisor.model.server import Role


def server_ids_beside(name: str, servers: Mapping[str, MemberBuilder]) -> dict[str, str]:
    """Every related server of the file with the server_id that its files set, by its name; those without are left
    out."""
    return dict(_ids(servers[name], {other: servers[other] for other in servers if other != name}))


def _ids(one: MemberBuilder, others: Mapping[str, MemberBuilder]) -> Iterator[tuple[str, str]]:
    for name, other in others.items():
        number = _written(other, "server_id")
        if number and _replicate_together(one, other):
            yield name, number


def _replicate_together(one: MemberBuilder, other: MemberBuilder) -> bool:
    if any(_written(server, "wsrep_cluster_address") for server in (one, other)):
        return False
    group = _written(one, "group_replication_group_name")
    if group:
        return group.lower() == _written(other, "group_replication_group_name").lower()
    same_family = one.server.partition(" ")[0] == other.server.partition(" ")[0] != ""
    return same_family and Role.REPLICA in (one.role, other.role)


def _written(server: MemberBuilder, name: str) -> str:
    return last_written(server.options, name) if server.options is not None else ""
