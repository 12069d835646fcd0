"""How is one member's position read? With the time it took; an unreachable member gets a position with an error."""

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
_REFUSED: Final = (1044, 1142, 1227)  # access denied to a database, to a table, by a missing privilege


def timed(
    node: Node, read: Callable[[Node], Values], role_of: Callable[[Values], Role | None] | None = None
) -> Position:
    """A position with the values that `read` returns; `role_of` tells the member's role from them, None: unchanged."""
    begun = time.monotonic()
    try:
        values = read(node)
    except ServerError as error:
        return Position(node.name, node.role, time.monotonic(), time.monotonic() - begun, {}, error.message)
    ended = time.monotonic()
    role = (role_of(values) if role_of else None) or node.role
    return Position(node.name, role, (begun + ended) / 2, ended - begun, values)


def clock_offset_seconds(began: float, ended: float, server_clock: Scalar) -> float | None:
    """How far a server's clock is from the reader's monotonic one, in the middle of a statement."""
    return float(server_clock) - (began + ended) / 2 if isinstance(server_clock, int | float) else None


def if_allowed(node: Node, statement: str) -> list[dict[str, Scalar]] | None:
    """The rows of a statement; None if it is refused because the account lacks a privilege."""
    try:
        return node.session.rows(statement)
    except ServerError as error:
        if error.number not in _REFUSED:
            raise
        return None
