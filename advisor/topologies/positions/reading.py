"""How is a member's position read? One reading of one member, timed, a member that cannot be asked named as such."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from advisor.errors import ServerError
from advisor.model.evidence import Scalar
from advisor.model.progress import Position
from advisor.model.server import Role
from advisor.nodes import Node

Values = dict[str, Scalar]
_REFUSED: Final = (1044, 1142, 1227)  # access denied to a database, to a table, for want of a privilege


def timed(
    node: Node, read: Callable[[Node], Values], role_of: Callable[[Values], Role | None] | None = None
) -> Position:
    """A position of what `read` finds; `role_of` says from it which role the member has now, None as it had."""
    begun = time.monotonic()
    try:
        values = read(node)
    except ServerError as error:
        return Position(node.name, node.role, time.monotonic(), time.monotonic() - begun, {}, error.message)
    ended = time.monotonic()
    role = (role_of(values) if role_of else None) or node.role
    return Position(node.name, role, (begun + ended) / 2, ended - begun, values)


def clock_offset_seconds(began: float, ended: float, server_clock: Scalar) -> float | None:
    """How far a server's clock is from the reader's monotonic one, taken in the middle of a statement."""
    return float(server_clock) - (began + ended) / 2 if isinstance(server_clock, int | float) else None


def if_allowed(node: Node, statement: str) -> list[dict[str, Scalar]]:
    """The rows of a statement that may be refused to an account with few rights; [] then, and what it tells unknown."""
    try:
        return node.session.rows(statement)
    except ServerError as error:
        if error.number not in _REFUSED:
            raise
        return []
