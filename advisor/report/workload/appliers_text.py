"""What does a DBA read of simulated workers at the terminal?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from advisor.model.workload.appliers import ApplierForecast
from advisor.report.words.amounts import duration, share, whole
from advisor.report.words.layout import Page
from advisor.report.words.table import text_table
from advisor.report.words.values import printable
from advisor.report.workload.appliers_wording import SCHEMES, assumptions_of, ends_of, limit_of, rate_or_ratio
from advisor.report.workload.wording import files_of, note_of, number_of, size_of

_LONG: Final = 10  # times the mean


def render(forecast: ApplierForecast, page: Page) -> str:
    """The forecast as text."""
    lines = [page.paint(line, "strong") for line in page.wrap(printable(files_of(forecast.files)), 0)]
    left_out = f"; {whole(forecast.left_out)} more are left out: choose a time with --from and --to"
    simulated = f"{whole(forecast.transactions)} transactions simulated{left_out if forecast.left_out else ''}"
    lines += page.wrap(simulated, 2)
    for section in (_table, _limits, _longest, _assumed, _not_read):
        lines += section(forecast, page)
    return "\n".join(lines) + "\n"


def _table(forecast: ApplierForecast, page: Page) -> Iterator[str]:
    stated = forecast.costs.rate_stated
    heading = "Transactions applied per second" if stated else "Speed-up compared with the fewest workers"
    yield from ("", page.paint(heading, "strong"))
    rows: list[tuple[str, ...]] = [("workers", *(str(each.scheme) for each in forecast.schemes), "per group commit")]
    for at, first in enumerate(forecast.schemes[0].runs):
        figures = [
            rate_or_ratio(each.runs[at].per_second, each.runs[0].per_second, forecast.costs)
            for each in forecast.schemes
        ]
        sizes = [number_of(each.runs[at].group_size) for each in forecast.schemes]
        rows.append((str(first.workers), *figures, ", ".join(sizes) if forecast.costs.sync_seconds else ""))
    yield from (f"  {line}" for line in text_table(rows))


def _limits(forecast: ApplierForecast, page: Page) -> Iterator[str]:
    for each in forecast.schemes:
        yield ""
        yield page.paint(SCHEMES[each.scheme], "strong")
        yield from page.labelled("ends", [ends_of(each)])
        yield from page.labelled(f"at {each.runs[-1].workers}", [limit_of(each)])
        yield from page.labelled("unknown", list(each.caveats))


def _longest(forecast: ApplierForecast, page: Page) -> Iterator[str]:
    """Transactions that take ten times as long as others, and a hundredth of one worker's time or more."""
    whole_seconds = forecast.schemes[0].runs[0].seconds
    least = max(0.01, _LONG / forecast.transactions) * whole_seconds
    long = [each for each in forecast.longest if each.seconds > least]
    if long:
        yield from ("", page.paint("Long transactions", "strong"))
    for each in long:
        rows = "rows unknown" if each.rows is None else f"{whole(each.rows)} rows"
        took = f"{duration(each.seconds * 1000)}, " if forecast.costs.rate_stated else ""
        part = f"{took}{share(each.seconds / whole_seconds)} of one worker's time"
        yield from page.wrap(f"{printable(each.place)}: {part}; {size_of(each.size_bytes)}, {rows}", 2)
        about = ", ".join(filter(None, (each.gtid, *each.tables[:3])))
        yield from (page.paint(line, "faint") for line in page.wrap(printable(about), 4))


def _assumed(forecast: ApplierForecast, page: Page) -> Iterator[str]:
    yield from ("", page.paint("Assumed", "strong"))
    yield from (line for text in assumptions_of(forecast) for line in page.wrap(text, 2))


def _not_read(forecast: ApplierForecast, page: Page) -> Iterator[str]:
    if forecast.keyless_tables:
        tables = ", ".join(forecast.keyless_tables)
        yield from ("", page.paint("Tables without a primary key", "strong"), *page.wrap(printable(tables), 2))
    if forecast.notes:
        yield from ("", page.paint("Problems while reading the log", "strong"))
        yield from (line for note in forecast.notes for line in page.wrap(printable(note_of(note)), 2))
