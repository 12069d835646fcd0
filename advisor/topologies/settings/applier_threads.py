"""How are a replica's threads stopped while settings change? Those that ran are stopped, and started again after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from advisor.errors import UsageError
from advisor.model.applying import Application
from advisor.nodes import Node


@contextmanager
def paused(nodes: Sequence[Node], changing: Sequence[Node], how: Application) -> Iterator[None]:
    """Stop the threads that read settings of a kind only at their start; nothing on a member without replication."""
    if how in (Application.MEMBER_REJOIN, Application.GROUP_RESTART):
        raise UsageError("there is no group to leave")
    stopped = [node for node in changing if _runs(node, how)]
    for node in stopped:
        node.session.run(_statement(node, how, "STOP"))
    try:
        yield
    finally:
        for node in stopped:
            node.session.run(_statement(node, how, "START"))


def _runs(node: Node, how: Application) -> bool:
    words = node.dialect
    column = {
        Application.APPLIER_RESTART: words.applier_running,
        Application.RECEIVER_RESTART: words.receiver_running,
    }.get(how)
    return column is not None and any(row[column] == "Yes" for row in node.session.rows(words.show_channels))


def _statement(node: Node, how: Application, verb: str) -> str:
    thread = "SQL_THREAD" if how is Application.APPLIER_RESTART else "IO_THREAD"
    return f"{verb} {node.dialect.channels} {thread}"
