"""How is a connection to each member opened? With the dialect of the release that runs there."""

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

# A Galera node without a quorum answers SHOW, but no SELECT.
_VERSION: Final = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'version_comment')"
_UNKNOWN_VARIABLE: Final = 1193
# A session that waits until the member has caught up would never see its lag.
_READ_AT_ONCE: Final = (
    "SET SESSION wsrep_sync_wait = 0",
    "SET SESSION group_replication_consistency = 'EVENTUAL'",
)


def open_node(
    name: str, role: Role, login: Address, timeout_seconds: float = 5.0, answer_seconds: float = 60.0
) -> Node:
    """A member with an open connection, and the release it reports; ServerError when that fails."""
    session = connect(login, timeout_seconds, answer_seconds)
    try:
        _read_at_once(session)
        variables = session.pairs(_VERSION)
        release = detect_release(variables.get("version", ""), variables.get("version_comment", ""))
        if release is None:
            raise ServerError(f"{name}: {variables.get('version', '')!r} is not a version of MySQL or MariaDB")
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
    """The members that can be opened, in the order of the file, and the errors of the others by name.

    Connections are closed at the end. `logins` are the addresses to use instead of those in the file.
    """
    known = addresses(cluster) if logins is None else logins

    def attempt(member: ClusterMember) -> Node | ServerError:
        try:
            return open_node(member.name, member.role, known[member.name], min(5.0, answer_seconds), answer_seconds)
        except ServerError as error:
            return error

    with ThreadPoolExecutor(8) as pool:
        attempts = list(pool.map(attempt, cluster.members))
    with ExitStack() as stack:
        nodes = [stack.enter_context(_closing(node)) for node in attempts if isinstance(node, Node)]
        refused = zip(cluster.members, attempts, strict=True)
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
