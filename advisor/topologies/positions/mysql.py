"""How far is a MySQL member? GTID sets, and the age of the transactions its workers apply.

Two statements, 0.4 ms each (`docs/topologies.md`): the executed set is read before the received set, so that nothing
seems to be executed but not received.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import Final

from advisor.gtid.sets import GtidSet, from_server, missing, parse_gtid_set, transactions, union
from advisor.model.evidence import Scalar
from advisor.model.progress import Position
from advisor.nodes import Node, status
from advisor.topologies.positions.rates import number
from advisor.topologies.positions.read_member import Values, clock_offset_seconds, if_allowed

RETRIES: Final = "COUNT_TRANSACTIONS_RETRIES"
EXECUTED: Final = (
    "@@GLOBAL.gtid_executed AS gtid_executed, @@GLOBAL.gtid_mode AS gtid_mode, @@GLOBAL.log_bin AS log_bin,"
    " @@GLOBAL.server_uuid AS server_uuid, UNIX_TIMESTAMP(NOW(6)) + 0e0 AS clock_seconds"
)
_CHANNELS: Final = (
    "SELECT c.CHANNEL_NAME, c.RECEIVED_TRANSACTION_SET, c.SERVICE_STATE AS receiver, a.SERVICE_STATE AS applier,"
    " a.COUNT_TRANSACTIONS_RETRIES, {age} AS applying_age_us"
    " FROM performance_schema.replication_connection_status c"
    " JOIN performance_schema.replication_applier_status a USING (CHANNEL_NAME)"
)


def read(node: Node, more: str = "", of: str = "") -> Values:
    """The values of a position: `more` columns `of` other tables are read in the same statement."""
    begun = time.monotonic()
    rows = node.session.rows(f"SELECT {EXECUTED}{more}{of}")
    values: Values = dict(rows[0]) if rows else {}
    values["clock_offset_seconds"] = clock_offset_seconds(begun, time.monotonic(), values.pop("clock_seconds", None))
    if values.get("gtid_mode") != "ON" and values.get("log_bin"):
        values["Binlog_cache_use"] = status(node, "Binlog_cache_use")
    return values | _applying(node)


def _applying(node: Node) -> Values:
    """What channels received, and the age of what they apply; {} where these tables must not be read."""
    rows = if_allowed(node, _CHANNELS.format(age=node.dialect.applying_age))
    if rows is None:
        return {}
    channels: Values = {"channels": sum(not _of_a_group(row) for row in rows)}
    if not rows:
        return channels
    ages = [int(str(row["applying_age_us"])) for row in rows if row["applying_age_us"] is not None]
    return channels | {
        "RECEIVED_TRANSACTION_SET": ",".join(str(row["RECEIVED_TRANSACTION_SET"] or "") for row in rows).strip(","),
        "COUNT_TRANSACTIONS_RETRIES": sum(int(str(row["COUNT_TRANSACTIONS_RETRIES"] or 0)) for row in rows),
        "applying_age_us": max(ages) if ages else None,
        "receivers": ",".join(str(row["receiver"]) for row in rows if not _of_a_group(row)),
        "appliers": ",".join(str(row["applier"]) for row in rows if not _of_a_group(row)),
    }


def _of_a_group(row: Mapping[str, Scalar]) -> bool:
    """Whether a channel is Group Replication's: it starts and stops those by itself."""
    return str(row["CHANNEL_NAME"]).startswith("group_replication_")


def executed(position: Position) -> GtidSet | None:
    """The transactions a member has; None when GTIDs do not cover all of them."""
    values = position.values
    return parse_gtid_set(str(values["gtid_executed"])) if values.get("gtid_mode") == "ON" else None


def received(positions: Iterable[Position]) -> GtidSet:
    """What members have received, whether applied or not."""
    return union(parse_gtid_set(str(position.values.get("RECEIVED_TRANSACTION_SET") or "")) for position in positions)


def written(positions: Iterable[Position]) -> GtidSet | None:
    """All transactions of members that write; None when those of one are unknown."""
    sets = [executed(position) for position in positions]
    known = [gtids for gtids in sets if gtids is not None]
    return union(known) if sets and len(known) == len(sets) else None


def own_commits(position: Position) -> int | None:
    """How many transactions of its own clients a member committed; without a binary log nothing counts them."""
    if not position.values.get("log_bin"):
        return None
    gtids = executed(position)
    if gtids is None:
        used = number(position.values.get("Binlog_cache_use"))
        return None if used is None else int(used)
    return transactions(from_server(gtids, str(position.values["server_uuid"])))


def others_commits(position: Position) -> int | None:
    """How many transactions of other members a member has."""
    gtids = executed(position)
    if gtids is None:
        return None
    return transactions(gtids) - transactions(from_server(gtids, str(position.values["server_uuid"])))


def behind(position: Position, wanted: GtidSet | None) -> tuple[int | None, int | None]:
    """The backlog, and the part of it not received yet."""
    here = executed(position)
    if here is None or wanted is None:
        return None, None
    backlog = missing(wanted, here)
    received = position.values.get("RECEIVED_TRANSACTION_SET")
    if received is None:
        return backlog, None
    return backlog, missing(wanted, union([here, parse_gtid_set(str(received))]))


def applying_age_ms(position: Position, writer: Position | None) -> float | None:
    """How long ago the oldest transaction in a worker was committed, by the clock of the one `writer`.

    Both clocks are compared with the reader's; a difference shorter than the two readings took counts as none.
    """
    age = number(position.values.get("applying_age_us"))
    if age is None:
        return None
    offset, writer_offset = (
        position.values.get("clock_offset_seconds"),
        writer and writer.values.get("clock_offset_seconds"),
    )
    if writer and isinstance(offset, float) and isinstance(writer_offset, float):
        fast = offset - writer_offset
        if abs(fast) > position.took_seconds + writer.took_seconds:
            age -= fast * 1e6
    return max(0.0, age / 1000)
