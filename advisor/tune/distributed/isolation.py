"""Is the storage of a study separate from the cluster under test? Otherwise its own load would be measured."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from advisor.errors import ServerError, UsageError
from advisor.nodes import Node
from advisor.tune.state.database import Connection, storage_errors


def refuse_members(storage: Connection, nodes: Sequence[Node]) -> None:
    """UsageError when the storage is one of the servers under test, by whatever address it is reached.

    Takes a lock there and asks every member whether it is held: names, proxies and sockets cannot hide that.
    """
    from sqlalchemy import text

    if storage.engine.name != "mysql":
        return
    name = f"advisor {os.getpid()} {time.time_ns()}"
    with storage_errors(storage.url), storage.engine.connect() as connection:
        connection.execute(text("SELECT GET_LOCK(:name, 0)"), {"name": name})
        try:
            same = [node.name for node in nodes if node.session.value("SELECT IS_USED_LOCK(%s)", name) is not None]
        finally:
            connection.execute(text("SELECT RELEASE_LOCK(:name)"), {"name": name})
    if same:
        hint = "use a server outside the cluster: any small MySQL, MariaDB or PostgreSQL"
        raise UsageError(f"the storage {storage.url} is {same[0]}, a member of the cluster under test", hint=hint)


def refuse_replicas(storage: Connection, nodes: Sequence[Node], token: str) -> None:
    """UsageError when writes to the storage replicate to a member: it would be part of the topology."""
    if storage.engine.name != "mysql":
        return
    database = storage.address.database.replace("`", "``")
    for node in nodes:
        try:
            arrived = node.session.value(
                f"SELECT COUNT(*) FROM `{database}`.study_user_attributes WHERE value_json = %s", f'"{token}"'
            )
        except ServerError:
            continue  # no such table there, or no privilege to read it
        if arrived:
            raise UsageError(
                f"writes to the storage {storage.url} replicate to {node.name}, a member of the cluster under test",
                hint="use a server that does not replicate to the cluster under test",
            )  # fmt: skip
