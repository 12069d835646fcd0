"""How are the members of a cluster opened? A connection each, in the dialect of what runs there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Final

from advisor.catalog import detect_release
from advisor.client import Session, connect
from advisor.cluster_file import addresses
from advisor.dialects import dialect_of
from advisor.errors import ServerError
from advisor.model.lab import Address, ClusterFile, ClusterMember
from advisor.model.server import Role
from advisor.nodes import Node

# A Galera node without a quorum answers SHOW, and no SELECT.
_VERSION: Final = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'version_comment')"
_UNKNOWN_VARIABLE: Final = 1193
# A reader that waited until a member has caught up would never see that it lags.
_READ_AT_ONCE: Final = (
    "SET SESSION wsrep_sync_wait = 0",
    "SET SESSION group_replication_consistency = 'EVENTUAL'",
)


def open_node(
    name: str, role: Role, login: Address, timeout_seconds: float = 5.0, answer_seconds: float = 60.0
) -> Node:
    """A member with an open connection, its release read from it; ServerError when it cannot be had."""
    session = connect(login, timeout_seconds, answer_seconds)
    try:
        _read_at_once(session)
        told = session.pairs(_VERSION)
        release = detect_release(told.get("version", ""), told.get("version_comment", ""))
        if release is None:
            raise ServerError(f"{name}: {told.get('version', '')!r} is no version of MySQL or MariaDB")
    except BaseException:
        session.close()
        raise
    return Node(name, role, session, dialect_of(release.family, release.version), login, release)


def _read_at_once(session: Session) -> None:
    for statement in _READ_AT_ONCE:
        try:
            session.run(statement)
        except ServerError as error:
            if error.number != _UNKNOWN_VARIABLE:
                raise


@contextmanager
def open_reachable(
    cluster: ClusterFile, logins: Mapping[str, Address] | None = None, answer_seconds: float = 60.0
) -> Iterator[tuple[list[Node], dict[str, ServerError]]]:
    """The members that can be opened, in the order of the file, and by name why the others cannot; closed at the end.

    `logins` say where and as whom to log in; without them the cluster's own file does.
    """
    known = addresses(cluster) if logins is None else logins

    def attempt(member: ClusterMember) -> Node | ServerError:
        try:
            return open_node(member.name, member.role, known[member.name], answer_seconds=answer_seconds)
        except ServerError as error:
            return error

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(attempt, cluster.members))
    with ExitStack() as stack:
        nodes = [stack.enter_context(_closing(each)) for each in found if isinstance(each, Node)]
        refused = zip(cluster.members, found, strict=True)
        yield nodes, {member.name: error for member, error in refused if isinstance(error, ServerError)}


@contextmanager
def open_nodes(
    cluster: ClusterFile, logins: Mapping[str, Address] | None = None, answer_seconds: float = 60.0
) -> Iterator[list[Node]]:
    """All members, in the order of the file; ServerError when one cannot be opened."""
    with open_reachable(cluster, logins, answer_seconds) as (nodes, refused):
        for error in refused.values():
            raise error
        yield nodes


@contextmanager
def _closing(node: Node) -> Iterator[Node]:
    with node.session:
        yield node
