"""How long does it take to apply a transaction? A stated model: so much for each transaction, row and byte."""

from __future__ import annotations

from advisor.annotations import Final
from advisor.model.record import replace
from advisor.model.server import Family
from advisor.model.workload.appliers import Costs
from advisor.model.workload.transaction import Kind, Transaction

# CPU seconds of threads (schedstat) of replicas of MySQL 9.7.4 and MariaDB 10.11.19 with 1 to 16 workers, loads
# update_index and write_only, on a busy machine (docs/binary-logs.md). Ratios matter, not the seconds: a stated rate or
# CPU time scales all of them. What falls as more transactions share a group commit is `group_seconds`.
UNSCALED: Final = {
    Family.MYSQL: Costs(170e-6, 22e-6, 4e-9, 20e-6, event_seconds=6e-6, group_seconds=500e-6, background_share=0.03),
    Family.MARIADB: Costs(
        95e-6, 25e-6, 4e-9, 5e-6, event_seconds=1.5e-6, group_seconds=110e-6, stages=1, background_share=0.12
    ),
}
UNSYNCED: Final = 0.6  # of a group commit's CPU time remains where it does not wait for syncs (one run of MariaDB)
_ASSUMED_ROWS: Final = 1  # of a statement, or where rows were not counted


def work_seconds(transaction: Transaction, costs: Costs) -> float:
    """Seconds of one CPU that a worker needs for a transaction until its commit."""
    rows = transaction.rows
    if rows is None:
        rows = max(transaction.statements, _ASSUMED_ROWS)
    ddl = float(transaction.took_seconds or 0) if transaction.kind is Kind.DDL else 0.0
    return costs.transaction_seconds + rows * costs.row_seconds + transaction.size_bytes * costs.byte_seconds + ddl


def events_seconds(transaction: Transaction, costs: Costs) -> float:
    """Seconds of one CPU that the coordinator needs for the events of a transaction."""
    return transaction.events * costs.event_seconds


def scaled_to(costs: Costs, factor: float) -> Costs:
    """The same costs with CPU times multiplied; waits stay."""
    return replace(
        costs,
        transaction_seconds=costs.transaction_seconds * factor,
        row_seconds=costs.row_seconds * factor,
        byte_seconds=costs.byte_seconds * factor,
        dispatch_seconds=costs.dispatch_seconds * factor,
        event_seconds=costs.event_seconds * factor,
        group_seconds=costs.group_seconds * factor,
    )
