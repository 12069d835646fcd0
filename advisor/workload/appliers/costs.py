"""How long does it take to apply a transaction? A stated model: so much for each transaction, row and byte."""

from __future__ import annotations

from advisor.annotations import Final
from advisor.model.record import replace
from advisor.model.server import Family
from advisor.model.workload.appliers import Costs
from advisor.model.workload.transaction import Kind, Transaction

# Of the order that replicas of MySQL 9.7.4 and MariaDB 10.11.19 showed (docs/binary-logs.md). Ratios matter, not the
# seconds: a stated rate scales all of them. The share of the other threads was fitted to a replica of MySQL 9.7.4 on
# two CPUs: without syncs, 4 and 16 workers applied 1.37 and 1.14 times what one did.
UNSCALED: Final = {
    Family.MYSQL: Costs(180e-6, 12e-6, 4e-9, 30e-6, background_share=0.7),
    Family.MARIADB: Costs(120e-6, 10e-6, 4e-9, 15e-6, background_share=0.7),
}
_ASSUMED_ROWS: Final = 1  # of a statement, or where rows were not counted


def work_seconds(transaction: Transaction, costs: Costs) -> float:
    """Seconds of one CPU that a worker needs for a transaction until its commit."""
    rows = transaction.rows
    if rows is None:
        rows = max(transaction.statements, _ASSUMED_ROWS)
    ddl = float(transaction.took_seconds or 0) if transaction.kind is Kind.DDL else 0.0
    return costs.transaction_seconds + rows * costs.row_seconds + transaction.size_bytes * costs.byte_seconds + ddl


def scaled_to(costs: Costs, factor: float) -> Costs:
    """The same costs with CPU times multiplied; those of syncs stay."""
    return replace(
        costs,
        transaction_seconds=costs.transaction_seconds * factor,
        row_seconds=costs.row_seconds * factor,
        byte_seconds=costs.byte_seconds * factor,
        dispatch_seconds=costs.dispatch_seconds * factor,
        rate_stated=True,
    )
