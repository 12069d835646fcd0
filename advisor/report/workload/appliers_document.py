"""What does the JSON report of `advisor workload appliers` contain? Its schema is made from these dataclasses."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from advisor.model.workload.appliers import ApplierForecast, SchemeForecast
from advisor.report.workload.appliers_wording import assumptions_of, limit_of
from advisor.report.workload.show_document import FileRead, NotRead, files_read, not_read

SCHEMA: Final = "advisor/appliers/1"


@dataclass(frozen=True, slots=True)
class WorkersRun:
    """So many workers. `speed_up` over the fewest; `per_second` null unless the rate with one worker was stated.

    `group_size`: transactions per group commit. `cpu_share`: of the CPUs' time. `held`: share of the time by what the
    next commit had to wait for.
    """

    workers: int
    speed_up: float
    per_second: float | None
    group_size: float
    cpu_share: float
    held: dict[str, float]


@dataclass(frozen=True, slots=True)
class SchemeSimulated:
    """A rule by which replicas apply in parallel. `enough_workers`: the fewest within 5 % of the most.

    `limit`: what keeps most workers from being faster, with its share of the time; `limit_text` in words.
    """

    scheme: str
    runs: list[WorkersRun]
    enough_workers: int
    limit: str
    limit_share: float
    limit_text: str
    unknown: list[str]


@dataclass(frozen=True, slots=True)
class LongTransaction:
    """A transaction that takes long. `seconds` null unless the rate was stated; `share` of one worker's time."""

    place: str
    gtid: str
    tables: list[str]
    rows: int | None
    size_bytes: int
    seconds: float | None
    share: float


@dataclass(frozen=True, slots=True)
class AppliersDocument:
    """The report. `left_out`: transactions behind the most that are simulated."""

    schema: str
    files: list[FileRead]
    not_read: list[NotRead]
    transactions: int
    left_out: int
    assumed: list[str]
    schemes: list[SchemeSimulated]
    longest: list[LongTransaction]
    keyless_tables: list[str]


def document(forecast: ApplierForecast) -> AppliersDocument:
    """The forecast as the JSON report has it."""
    stated = forecast.costs.rate_stated
    whole_seconds = forecast.schemes[0].runs[0].seconds
    return AppliersDocument(
        schema=SCHEMA,
        files=files_read(forecast.files),
        not_read=not_read(forecast.notes),
        transactions=forecast.transactions,
        left_out=forecast.left_out,
        assumed=assumptions_of(forecast),
        schemes=[_scheme(each, stated) for each in forecast.schemes],
        longest=[
            LongTransaction(
                each.place,
                each.gtid,
                list(each.tables),
                each.rows,
                each.size_bytes,
                round(each.seconds, 6) if stated else None,
                round(each.seconds / whole_seconds, 4),
            )
            for each in forecast.longest
        ],
        keyless_tables=list(forecast.keyless_tables),
    )


def render(forecast: ApplierForecast) -> str:
    """The document as UTF-8 text, indented by two."""
    return json.dumps(asdict(document(forecast)), indent=2, ensure_ascii=False) + "\n"


def _scheme(forecast: SchemeForecast, stated: bool) -> SchemeSimulated:
    first = forecast.runs[0].per_second
    runs = [
        WorkersRun(
            run.workers,
            round(run.per_second / first, 3),
            round(run.per_second, 1) if stated else None,
            round(run.group_size, 2),
            round(run.cpu_share, 3),
            {str(hold): round(seconds / run.seconds, 4) for hold, seconds in run.held_seconds.items()},
        )
        for run in forecast.runs
    ]
    return SchemeSimulated(
        str(forecast.scheme),
        runs,
        forecast.enough_workers,
        str(forecast.limit),
        round(forecast.limit_share, 3),
        limit_of(forecast),
        list(forecast.caveats),
    )
