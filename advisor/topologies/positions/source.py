"""How far are a source and its replicas? Positions of MySQL compare with MySQL's, those of MariaDB with MariaDB's."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.gtid.sets import transactions
from advisor.model.progress import Position, Progress
from advisor.model.server import Family, Role
from advisor.nodes import Node
from advisor.topologies.positions import mariadb, mysql
from advisor.topologies.positions.rates import Step, each, lag
from advisor.topologies.positions.read_member import Values, timed


def read_position(node: Node) -> Position:
    """What a member has written, received and applied, and whether it is a source now."""
    return timed(
        node,
        mariadb.read if node.dialect.family is Family.MARIADB else mysql.read,
        None if node.role is Role.STANDALONE else _role,
    )


def _role(values: Values) -> Role | None:
    """A failover changes roles: what replicates from nobody is a source. None where the account may not know."""
    channels = values.get("channels")
    return None if channels is None else Role.REPLICA if channels else Role.SOURCE


def source_of(positions: Mapping[str, Position]) -> Position | None:
    """The member the others replicate from; None when it could not be read."""
    return next(
        (position for position in positions.values() if position.role is Role.SOURCE and not position.error), None
    )


def written(positions: Mapping[str, Position]) -> int | None:
    """How many transactions the source has committed, whether its clients' or replicated."""
    source = source_of(positions)
    if source is None:
        return None
    if mariadb.is_from(source):
        domains = mariadb.written(source)
        return None if domains is None else sum(domains.values())
    gtids = mysql.executed(source)
    return None if gtids is None else transactions(gtids)


def progress(before: Mapping[str, Position], now: Mapping[str, Position]) -> list[Progress]:
    """Every member; a replica against the source if both are of one family. What is not comparable is None."""
    source = source_of(now)
    source_of_mariadb = source if source and mariadb.is_from(source) else None
    source_of_mysql = source if source and not mariadb.is_from(source) else None

    def one(step: Step) -> Progress:
        if mariadb.is_from(step.now):
            return _mariadb_progress(step, source_of_mariadb)
        return _mysql_progress(step, source_of_mysql)

    return each(before, now, one)


def _mysql_progress(step: Step, source: Position | None) -> Progress:
    committed = step.rise(mysql.own_commits)
    if step.now.role is not Role.REPLICA:
        return step.progress(committed_per_second=step.per_second(committed), state="")
    return _replica_progress(
        step,
        committed=committed,
        applied=step.rise(mysql.others_commits),
        behind=mysql.behind(step.now, mysql.written([source]) if source else None),
        applying_age_ms=mysql.applying_age_ms(step.now, source),
        retries=mysql.RETRIES,
    )


def _mariadb_progress(step: Step, source: Position | None) -> Progress:
    committed = mariadb.own_commits(step)
    if step.now.role is not Role.REPLICA:
        return step.progress(committed_per_second=step.per_second(committed), state="")
    return _replica_progress(
        step,
        committed=committed,
        applied=step.rise(mariadb.applied),
        behind=mariadb.behind(step.now, mariadb.written(source) if source else None),
        applying_age_ms=None,
        retries=mariadb.RETRIES,
    )


def _replica_progress(
    step: Step,
    *,
    committed: float | None,
    applied: float | None,
    behind: tuple[int | None, int | None],
    applying_age_ms: float | None,
    retries: str,
) -> Progress:
    """A replica of either family. `retries` is the counter of transactions that the applier had to retry."""
    backlog, unreceived = behind
    applied_per_second = step.per_second(applied)
    return step.progress(
        committed_per_second=step.per_second(committed),
        applied_per_second=applied_per_second,
        backlog=backlog,
        unreceived=unreceived,
        **lag(backlog, applying_age_ms, applied_per_second),
        conflicts_per_second=step.per_second(step.rise_of(retries)),
        reset=step.reset((retries,)),
        state=_stopped(step.text("receivers"), step.text("appliers")),
    )


def _stopped(receivers: str, appliers: str) -> str | None:
    """Which threads of a replica do not run, of any of its channels; "" where all do, None where nothing tells."""
    if not receivers and not appliers:
        return None
    stopped = [name for name, states in (("receiver", receivers), ("applier", appliers)) if "OFF" in states.split(",")]
    if stopped:
        return "replication stopped" if len(stopped) == 2 else f"{stopped[0]} stopped"
    return "receiver connecting" if "CONNECTING" in receivers.split(",") else ""
