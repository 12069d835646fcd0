"""In which words is said what keeps workers from applying more?"""

from __future__ import annotations

from typing import Final

from advisor.model.workload.appliers import ApplierForecast, Costs, Hold, Scheme, SchemeForecast
from advisor.report.words.amounts import duration, rate, share
from advisor.report.workload.wording import number_of

SCHEMES: Final = {
    Scheme.AS_WRITTEN: "dependencies as written in the log",
    Scheme.WRITE_SETS: "dependencies by write sets (WRITESET)",
    Scheme.CONSERVATIVE: "slave_parallel_mode=conservative",
    Scheme.OPTIMISTIC: "slave_parallel_mode=optimistic",
    Scheme.AGGRESSIVE: "slave_parallel_mode=aggressive",
    Scheme.MINIMAL: "slave_parallel_mode=minimal",
}
_LIMITS: Final = {
    Hold.NOTHING: "nothing",
    Hold.WORKERS: "the number of workers: more would be faster still",
    Hold.COORDINATOR: "the thread that hands transactions to the workers",
    Hold.GROUP: "the source committed few transactions together, so few may be applied together",
    Hold.ROWS: "transactions that change the same rows follow each other",
    Hold.KEYLESS: "tables without a known key: transactions on them wait for all earlier transactions",
    Hold.DDL: "DDL, or changes that cannot be rolled back: they wait for everything before them",
    Hold.LONG: "long transactions: the commits of all others wait for them",
    Hold.SYNC: "group commits and their syncs; if more transactions committed together, fewer would be needed",
    Hold.FILE_END: "the ends of the log's files, where the replica waits for its workers",
    Hold.CPU: "the CPUs of the replica",
}


def limit_of(forecast: SchemeForecast) -> str:
    """What keeps the run with most workers from being faster, and how much of its time that takes."""
    what = "of the CPUs' time is used" if forecast.limit is Hold.CPU else "of its time"
    return f"{_LIMITS[forecast.limit]} ({share(forecast.limit_share)} {what})"


def ends_of(forecast: SchemeForecast) -> str:
    """From how many workers on more bring no more."""
    last = forecast.runs[-1].workers
    if forecast.enough_workers == last and len(forecast.runs) > 1:
        return f"the rate still grows at {last} workers"
    return f"more than {forecast.enough_workers} worker{'s' * (forecast.enough_workers > 1)} bring less than 5 %"


def assumptions_of(forecast: ApplierForecast) -> list[str]:
    """What the simulation takes for granted."""
    costs = forecast.costs
    return [_work(costs), _group(costs), _disk(costs), *_waits(costs), _cpus(costs)]


def _work(costs: Costs) -> str:
    row = costs.row_seconds / costs.transaction_seconds
    kib = costs.byte_seconds * 1024 / costs.transaction_seconds
    relative = (
        f"each row takes {number_of(row)} times as long as the fixed part of a transaction, each KiB "
        f"{number_of(kib)} times as long"
    )
    if not costs.rate_stated:
        return f"{relative}; state --apply-rate for rates of your replica"
    return f"{relative}; the fixed part takes {duration(costs.transaction_seconds * 1000)}"


def _group(costs: Costs) -> str:
    """CPU time that transactions share, and from where its amount is known."""
    share_of = number_of(costs.group_seconds / costs.transaction_seconds)
    text = f"a group commit takes {share_of} times as much CPU time as that fixed part, however large the group"
    if costs.rate_stated and not costs.cpu_stated:
        text += "; state --cpu-time as well, because the rate does not say how much of the time is CPU time"
    return text


def _waits(costs: Costs) -> list[str]:
    """The time that is neither CPU time nor syncs."""
    if not costs.wait_seconds:
        return []
    waits = duration(costs.wait_seconds * 1000)
    return [f"a worker waits {waits} in each transaction, neither for a CPU nor for a sync"]


def _disk(costs: Costs) -> str:
    if not costs.sync_seconds:
        return "commits do not wait for the disk; state --sync if they do"
    return (
        f"a group commit waits for {costs.syncs} sync{'s' * (costs.syncs > 1)} of {duration(costs.sync_seconds * 1000)}"
    )


def _cpus(costs: Costs) -> str:
    return f"{costs.cpus} CPUs" if costs.cpus else "as many CPUs as workers; state --cpus for fewer"


def rate_or_ratio(per_second: float, first: float, costs: Costs) -> str:
    """A rate if one was stated, else how many times that of the fewest workers."""
    return rate(per_second) if costs.rate_stated else f"{per_second / first:.2f}"
