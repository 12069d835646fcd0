"""What can be done with one running member of a cluster? Read its status, make it replicate."""

from __future__ import annotations

from advisor.client import Session
from advisor.dialects import Dialect
from advisor.model.evidence import Scalar
from advisor.model.lab import Address
from advisor.model.record import record
from advisor.model.server import Release, Role


@record
class Node:
    """A member with an open connection. `replication` is how other members log in to it.

    `release` is None where it was not read.
    """

    name: str
    role: Role
    session: Session
    dialect: Dialect
    replication: Address
    release: Release | None = None


def status(node: Node, name: str) -> str:
    """A status counter as text; "" when the server has none of that name."""
    return node.session.pairs("SHOW GLOBAL STATUS LIKE %s", name).get(name, "")


def follow(replica: Node, source: Node) -> None:
    """Make a member replicate from another, and start it."""
    at = source.replication
    replica.session.rows(replica.dialect.follow, at.host, at.port, at.user, at.password)
    replica.session.run(replica.dialect.start_replica)


def replication_problems(replica: Node) -> list[str]:
    """Why a replica does not receive or apply; [] when it does both."""
    words = replica.dialect
    rows = replica.session.rows(words.show_replica)
    if not rows:
        return [f"{replica.name} does not replicate from any server"]
    problems = []
    for what, running, error in (
        ("receiving", words.receiver_running, words.receiver_error),
        ("applying", words.applier_running, words.applier_error),
    ):
        if _text(rows[0].get(running)) != "Yes":
            problems.append(f"{replica.name} is not {what}: {_text(rows[0].get(error)) or _text(rows[0].get(running))}")
    return problems


def _text(value: Scalar) -> str:
    return "" if value is None else str(value)
