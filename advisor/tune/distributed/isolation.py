"""Is the storage of a study apart from the cluster under test? Its load and restarts would be measured, too."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from advisor.errors import ServerError, UsageError
from advisor.nodes import Node
from advisor.tune.state.database import Connection, storage_errors


def refuse_members(storage: Connection, nodes: Sequence[Node]) -> None:
    """UsageError when the storage is one of the servers under test, by whatever address it is reached.

    A lock is taken there, and every member is asked whether it is held: names, proxies and sockets cannot hide that.
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
        hint = "a server that is neither restarted nor put under load: any small MySQL, MariaDB or PostgreSQL"
        raise UsageError(f"the storage {storage.url} is {same[0]}, a member of the cluster under test", hint=hint)


def refuse_replicas(storage: Connection, nodes: Sequence[Node], token: str) -> None:
    """UsageError when what is written to the storage arrives on a member: it would be in the same topology."""
    if storage.engine.name != "mysql":
        return
    database = storage.address.database.replace("`", "``")
    for node in nodes:
        try:
            found = node.session.value(
                f"SELECT COUNT(*) FROM `{database}`.study_user_attributes WHERE value_json = %s", f'"{token}"'
            )
        except ServerError:
            continue  # no such table there, or none of this account's business
        if found:
            raise UsageError(
                f"what is written to the storage {storage.url} arrives on {node.name}, a member of the cluster under "
                "test", hint="take a server that does not replicate with it",
            )  # fmt: skip
