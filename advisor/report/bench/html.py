"""How is a benchmark run shown in a browser? As one HTML file with every second of it."""

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
    "slowest_member": "sustained (slowest member)",
    "drain": "sustained (drain time included)",
    "offered": "sustained (offered rate, completed)",
}
_BOUND: Final[dict[bool | None, str]] = {True: "Within", False: "Outside", None: "Unknown whether within"}
_COLUMNS: Final = (
    Column("member", Kind.NAME),
    Column("role"),
    *(Column(name, Kind.NUMBER) for name in (
        "commits/s", "applies/s", "backlog", "growth/s", "lag p50", "lag p95", "lag max", "drain",
    )),
)  # fmt: skip


def render(run: Run) -> str:
    """The page of one run."""
    measurement, prose, charts = run.measurement, Prose(), charts_of(run.seconds)
    hint = "The phases of the run are shaded. Point at a curve for its values; drag, or use the buttons, to zoom."
    sections = [
        _head(measurement, run, prose),
        _warnings(measurement),
        _members(measurement),
        _circumstances(measurement),
        tag("section", tag("h2", "Second by second", id="over-time"), tag("p", hint, class_="quiet hint"),
            *(figure(chart) for chart in charts)) if charts else None,
        prose.glossary(),
        tag(
            "footer",
            f"Made by advisor {__version__}. This file is self-contained and loads nothing from the network.",
        ),
    ]  # fmt: skip
    shown = [section for section in sections if section is not None]
    return page(f"{rate(measurement.peak_per_second)} tx/s · {measurement.cluster}", shown, charts)


def _head(measurement: Measurement, run: Run, prose: Prose) -> Safe:
    from datetime import UTC, datetime

    load = measurement.load
    offered = f"{rate(load.rate_per_second)} tx/s offered" if load.rate_per_second else "as fast as possible"
    threads = f"{load.threads} thread{'s' if load.threads > 1 else ''} on {', '.join(load.writers)}"
    began = datetime.fromtimestamp(run.began, UTC).strftime("%Y-%m-%d %H:%M UTC")
    subtitle = [str(measurement.topology).replace("_", " "), measurement.server, load.workload, threads, offered, began]
    verdict = _BOUND[measurement.sustained_within_bound]
    lede = f"{verdict} the lag limit of {duration(measurement.lag_bound_ms)}: {measurement.sustained_because}."
    rates = [
        _figure(_METHODS[sustained.method], f"{rate(sustained.per_second)} tx/s") for sustained in measurement.sustained
    ]
    return tag(
        "header",
        tag("p", " · ".join(filter(None, subtitle)), class_="eyebrow"),
        tag("h1", f"{rate(measurement.peak_per_second)} tx/s at {measurement.cluster}"),
        tag("p", prose(lede), class_="lede"),
        tag(
            "div",
            _figure(
                "peak: committed during the measurement",
                f"{rate(measurement.peak_per_second)} tx/s",
                _interval(measurement),
            ),
            *(rates or [_figure("sustained", "unknown")]),
            *(_figure(f"latency {name}", duration(value)) for name, value in measurement.latency_ms.items()),
            _figure("writers throttled", share(measurement.throttled_share))
            if measurement.throttled_share is not None
            else None,
            class_="figures-row",
        ),
    )


def _interval(measurement: Measurement) -> str:
    text = span(measurement.peak_interval).strip("()")
    return f"95 %: {text}" if text else ""


def _figure(label: str, value: str, more: str = "") -> Safe:
    return tag("div", tag("b", value), tag("span", label), tag("small", f" {more}") if more else None)


def _warnings(measurement: Measurement) -> Safe | None:
    if not measurement.warnings:
        return None
    lines = tag("ul", *(tag("li", warning) for warning in measurement.warnings))
    return tag("section", tag("h2", "What makes these figures less reliable"), tag("div", lines, class_="card note"))


def _members(measurement: Measurement) -> Safe:
    rows = [_cells(member, member.member == measurement.load.sole_writer) for member in measurement.members]
    members = table("Members", _COLUMNS, rows, stacked=True)
    return tag("section", tag("h2", "Members"), tag("div", members, class_="card"))


def _cells(member: MemberMeasurement, only_writer: bool) -> list[str]:
    """A row of the table: empty where it does not apply to the only writer, a question mark where unknown."""
    commits = rate(member.committed_per_second)
    if only_writer:
        return [member.member, member.role, commits, *[""] * 7]
    slope = member.backlog_slope_per_second
    growth = "?" if slope.mid is None else f"{slope.mid:+,.0f} {span(slope)}".strip()
    lags = [duration(member.lag_ms.get(name)) for name in ("p50", "p95", "max")]
    drain = "?" if member.drain_seconds is None else duration(member.drain_seconds * 1000)
    return [
        member.member,
        member.role,
        commits,
        rate(member.applied_per_second),
        whole(member.backlog_max),
        growth,
        *lags,
        drain,
    ]


def _circumstances(measurement: Measurement) -> Safe:
    load, host = measurement.load, measurement.host
    steady = "steady" if measurement.steady else "not steady"
    settings = ", ".join(f"{name} = {value}" for name, value in load.settings.items())
    probes = [duration(host[name]) for name in ("fsync_ms_before", "fsync_ms_after") if name in host]
    shares = [("cpu_share", "this machine"), ("client_cpu_share", "the load generator")]
    busy = [f"{label} {share(host[name])}" for name, label in shares if name in host]
    busy += [
        f"{name.partition(':')[2]} {share(value)}" for name, value in host.items() if name.startswith("cpu_share:")
    ]
    conflicts = measurement.conflicts_per_second
    pairs = [
        (
            "Measured",
            f"{measurement.measured_seconds:.0f} s after {measurement.warm_up_seconds:.0f} s of warm-up, {steady}",
        ),
        ("Data", f"{load.tables} tables of {load.rows_per_table:,} rows"),
        ("Workload", ", ".join(filter(None, (load.workload, settings)))),
        (
            "Lag",
            ", ".join(f"{member.member} by {member.lag_method}" for member in measurement.members if member.lag_method),
        ),
        ("CPUs", ", ".join(busy)),
        ("fsync", " before, ".join(probes) + " after" if len(probes) == 2 else "".join(probes)),
        (
            "Errors",
            f"{rate(measurement.errors_per_second)} per second retried" if measurement.errors_per_second else "",
        ),
        ("Conflicts", f"{rate(conflicts)} per second refused by certification" if conflicts else ""),
    ]
    rows = [(tag("dt", name), tag("dd", printable(value))) for name, value in pairs if value]
    listed = tag("dl", *rows, class_="pairs")
    return tag("section", tag("h2", "Conditions"), tag("div", listed, class_="card"))
