"""What does somebody open in a browser who ran a benchmark? A run as one HTML file, with every second of it."""

from __future__ import annotations

from typing import Final

from advisor import __version__
from advisor.model.measurement import Measurement, MemberMeasurement, Run
from advisor.report.bench.charts import charts_of
from advisor.report.charts.figure import figure
from advisor.report.html.markup import Safe, tag
from advisor.report.html.page import page
from advisor.report.html.prose import Prose
from advisor.report.html.tables import Column, Kind, table
from advisor.report.words.amounts import duration, rate, share, span, whole
from advisor.report.words.values import printable

_METHODS: Final = {
    "slowest_member": "sustained, by the slowest member",
    "drain": "sustained, with the time to drain",
    "offered": "sustained, as offered and done",
}
_BOUND: Final[dict[bool | None, str]] = {True: "Inside", False: "Outside", None: "Not known whether inside"}
_COLUMNS: Final = (
    Column("member", Kind.NAME),
    Column("role"),
    *(Column(name, Kind.NUMBER) for name in (
        "commits/s", "applies/s", "backlog", "growth/s", "lag p50", "lag p95", "lag max", "drain",
    )),
)  # fmt: skip


def render(run: Run) -> str:
    """The page of one run."""
    found, prose, charts = run.measurement, Prose(), charts_of(run.seconds)
    told = "The phases of the run are shaded. Point at a curve for its values; drag, or use the buttons, to zoom."
    sections = [
        _head(found, run, prose),
        _warnings(found),
        _members(found),
        _circumstances(found),
        tag("section", tag("h2", "Second by second", id="over-time"), tag("p", told, class_="quiet hint"),
            *(figure(chart) for chart in charts)) if charts else None,
        prose.glossary(),
        tag("footer", f"Made by advisor {__version__}. This file holds everything it shows and loads nothing."),
    ]  # fmt: skip
    shown = [section for section in sections if section is not None]
    return page(f"{rate(found.peak_per_second)} tx/s · {found.cluster}", shown, charts)


def _head(found: Measurement, run: Run, prose: Prose) -> Safe:
    from datetime import UTC, datetime

    load = found.load
    offered = f"{rate(load.rate_per_second)} tx/s offered" if load.rate_per_second else "as fast as it goes"
    threads = f"{load.threads} thread{'s' if load.threads > 1 else ''} on {', '.join(load.writers)}"
    began = datetime.fromtimestamp(run.began, UTC).strftime("%Y-%m-%d %H:%M UTC")
    what = [str(found.topology).replace("_", " "), found.server, load.workload, threads, offered, began]
    verdict = _BOUND[found.sustained_within_bound]
    lede = f"{verdict} the lag bound of {duration(found.lag_bound_ms)}: {found.sustained_because}."
    ways = [_figure(_METHODS[way.method], f"{rate(way.per_second)} tx/s") for way in found.sustained]
    return tag(
        "header",
        tag("p", " · ".join(filter(None, what)), class_="eyebrow"),
        tag("h1", f"{rate(found.peak_per_second)} tx/s at {found.cluster}"),
        tag("p", prose(lede), class_="lede"),
        tag(
            "div",
            _figure("committed while measuring (peak)", f"{rate(found.peak_per_second)} tx/s", _sure(found)),
            *(ways or [_figure("sustained", "not known")]),
            *(_figure(f"latency {name}", duration(value)) for name, value in found.latency_ms.items()),
            _figure("writers held back", share(found.throttled_share)) if found.throttled_share is not None else None,
            class_="figures-row",
        ),
    )


def _sure(found: Measurement) -> str:
    known = span(found.peak_interval).strip("()")
    return f"95 %: {known}" if known else ""


def _figure(what: str, value: str, more: str = "") -> Safe:
    return tag("div", tag("b", value), tag("span", what), tag("small", f" {more}") if more else None)


def _warnings(found: Measurement) -> Safe | None:
    if not found.warnings:
        return None
    lines = tag("ul", *(tag("li", said) for said in found.warnings))
    return tag("section", tag("h2", "What limits the worth of these figures"), tag("div", lines, class_="card note"))


def _members(found: Measurement) -> Safe:
    alone = found.load.writers[0] if len(found.load.writers) == 1 else ""
    rows = [_cells(one, one.member == alone) for one in found.members]
    members = table("Members", _COLUMNS, rows, stacked=True)
    return tag("section", tag("h2", "Members"), tag("div", members, class_="card"))


def _cells(one: MemberMeasurement, only_writer: bool) -> list[str]:
    """A line of the table; what does not apply to the only writer is empty, and what is unknown a question mark."""
    commits = rate(one.committed_per_second)
    if only_writer:
        return [one.member, one.role, commits, *[""] * 7]
    slope = one.backlog_slope_per_second
    growth = "?" if slope.mid is None else f"{slope.mid:+,.0f} {span(slope)}".strip()
    lags = [duration(one.lag_ms.get(name)) for name in ("p50", "p95", "max")]
    drain = "?" if one.drain_seconds is None else duration(one.drain_seconds * 1000)
    return [one.member, one.role, commits, rate(one.applied_per_second), whole(one.backlog_max), growth, *lags, drain]


def _circumstances(found: Measurement) -> Safe:
    load, host = found.load, found.host
    steady = "steady" if found.steady else "not steady"
    settings = ", ".join(f"{name} = {value}" for name, value in load.settings.items())
    probes = [duration(host[name]) for name in ("fsync_ms_before", "fsync_ms_after") if name in host]
    shares = [("cpu_share", "this machine"), ("client_cpu_share", "the load generator")]
    busy = [f"{what} {share(host[name])}" for name, what in shares if name in host]
    busy += [
        f"{name.partition(':')[2]} {share(value)}" for name, value in host.items() if name.startswith("cpu_share:")
    ]
    conflicts = found.conflicts_per_second
    pairs = [
        ("Measured", f"{found.measured_seconds:.0f} s after {found.warm_up_seconds:.0f} s of warm-up, {steady}"),
        ("Data", f"{load.tables} tables of {load.rows_per_table:,} rows"),
        ("Workload", ", ".join(filter(None, (load.workload, settings)))),
        ("Lag", ", ".join(f"{one.member} by {one.lag_method}" for one in found.members if one.lag_method)),
        ("Processors", ", ".join(busy)),
        ("fsync", " before, ".join(probes) + " after" if len(probes) == 2 else "".join(probes)),
        ("Errors", f"{rate(found.errors_per_second)} per second tried again" if found.errors_per_second else ""),
        ("Conflicts", f"{rate(conflicts)} per second refused by certification" if conflicts else ""),
    ]
    rows = [(tag("dt", name), tag("dd", printable(value))) for name, value in pairs if value]
    listed = tag("dl", *rows, class_="pairs")
    return tag("section", tag("h2", "Circumstances"), tag("div", listed, class_="card"))
