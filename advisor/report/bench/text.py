"""How is a benchmark run shown on a terminal? The rates, whether they are sustained, each member; 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.measurement import Comparison, Measurement, MemberMeasurement, Search
from advisor.report.words.amounts import duration, rate, ratio, share, span, whole
from advisor.report.words.fidelity import fidelity_lines
from advisor.report.words.layout import Page
from advisor.report.words.table import text_table
from advisor.units import show

_MOST_WARNINGS: Final = 5  # of several runs together
_METHODS: Final = {
    "slowest_member": "slowest member",
    "drain": "drain time included",
    "offered": "offered rate, completed",
}
_WORDS: Final[dict[bool | None, tuple[str, str]]] = {
    True: ("yes", "good"), False: ("no", "critical"), None: ("unknown", "warning"),
}  # fmt: skip
_RATIOS: Final = {"peak": "peak", "sustained": "sustained", "latency_p95": "latency p95", "lag_p95": "lag p95"}


def measurement_as_text(measurement: Measurement, page: Page) -> str:
    """One run: its rates, the verdict with its reason, latency, members, warnings."""
    peak = f"{rate(measurement.peak_per_second)} tx/s {span(measurement.peak_interval)}".rstrip()
    rates = [f"{rate(way.per_second)} tx/s ({_METHODS[way.method]})" for way in measurement.sustained]
    lines = [
        *page.wrap(page.paint(title(measurement), "strong"), 0),
        *page.labelled("peak", [peak]),
        *page.labelled("sustained", rates or ["unknown"]),
        *page.labelled("within limit", [f"{_verdict(measurement, page)}: {measurement.sustained_because}"]),
        *page.labelled("throttled", _throttled(measurement)),
        *page.labelled("latency", [_latency(measurement)]),
        *page.labelled("errors", _errors(measurement)),
        *page.labelled("measured", [_measured(measurement)]),
        "",
        *_members(measurement, page),
    ]
    if measurement.fidelity:
        lines += ["", *fidelity_lines(measurement.fidelity)]
    if measurement.warnings:
        lines += ["", *(line for warning in measurement.warnings for line in _warning(warning, page))]
    return "\n".join(lines) + "\n"


def sweep_as_text(runs: Sequence[Measurement], page: Page) -> str:
    """Several runs that differ in threads or rate: a line each, and every warning once."""
    rows = [["threads", "offered", "peak tx/s", "95 %", "sustained", "in limit", "p50", "p95", "p99", "lag p95"]]
    for run in runs:
        offered = rate(run.load.rate_per_second) if run.load.rate_per_second else ""
        latencies = [duration(run.latency_ms.get(name)) for name in ("p50", "p95", "p99")]
        slowest = rate(run.sustained[0].per_second) if run.sustained else "?"
        lag = duration(max((member.lag_ms["p95"] for member in run.members if member.lag_ms), default=None))
        rows.append([
            str(run.load.threads), offered, rate(run.peak_per_second), span(run.peak_interval).strip("()"), slowest,
            _WORDS[run.sustained_within_bound][0], *latencies, lag,
        ])  # fmt: skip
    warnings = list(
        dict.fromkeys(f"{show(run.load.threads, 'threads')}: {warning}" for run in runs for warning in run.warnings)
    )
    if len(warnings) > _MOST_WARNINGS:
        more = len(warnings) - _MOST_WARNINGS + 1
        warnings[_MOST_WARNINGS - 1 :] = [f"{more} more warnings are in the JSON report"]
    lines = text_table(rows, left=0)
    if max(map(len, lines)) > page.width:
        lines = text_table([[*row[:3], "", *row[4:]] for row in rows], left=0)
    lines = [*lines, *([""] if warnings else []), *(line for warning in warnings for line in _warning(warning, page))]
    return "\n".join(lines) + "\n"


def search_as_text(search: Search, page: Page) -> str:
    """The result of a search and every probe."""
    answer = search.per_second
    if answer.mid is None:
        lines = page.labelled("sustained", [f"unknown: {search.because}"])
    else:
        confirmed = {True: "confirmed", False: "not confirmed", None: "not yet confirmed"}[search.confirmed]
        sentence = f"{rate(answer.mid)} tx/s {span(answer)}, {confirmed} at 0.9 and 1.2 times that rate"
        lines = page.labelled("sustained", [sentence, *([search.because] if search.because else [])])
    rows = [["offered", "committed", "in limit", "lag p95"]]
    rows += [
        [
            rate(probe.offered_per_second),
            rate(probe.committed_per_second),
            _WORDS[probe.inside][0],
            duration(probe.lag_p95_ms),
        ]
        for probe in search.probes
    ]
    return "\n".join([*lines, "", *("  " + line for line in text_table(rows, left=0))]) + "\n"


def comparison_as_text(comparison: Comparison, page: Page) -> str:
    """The ratio B/A of every figure, and the settings of B."""
    settings = ", ".join(f"{name}={value}" for name, value in comparison.settings.items())
    lines = page.labelled("A", ["the current configuration"]) + page.labelled("B", [settings])
    lines += page.labelled("pairs", [str(len(comparison.a))])
    for name, interval in comparison.ratios.items():
        significant = interval.low is not None and interval.high is not None and not interval.low <= 1 <= interval.high
        sentence = f"B is {ratio(interval)} times A" + ("" if significant else ": not significant")
        lines += page.labelled(_RATIOS[name], [sentence])
    lines += [line for warning in comparison.warnings for line in _warning(warning, page)]
    return "\n".join(lines) + "\n"


def title(measurement: Measurement) -> str:
    """The load and the cluster: "gr: update_index, 16 threads on m1 (group_replication, mysql-9.7.4)"."""
    load = measurement.load
    offered = f" at {rate(load.rate_per_second)} tx/s offered" if load.rate_per_second else ""
    threads = f"{load.threads} thread{'s' if load.threads > 1 else ''}"
    where = f"{measurement.topology}, {measurement.server}" if measurement.server else str(measurement.topology)
    return f"{measurement.cluster}: {load.workload}, {threads} on {', '.join(load.writers)}{offered} ({where})"


def _verdict(measurement: Measurement, page: Page) -> str:
    word, style = _WORDS[measurement.sustained_within_bound]
    return page.paint(word, style)


def _throttled(measurement: Measurement) -> list[str]:
    known = measurement.throttled_share
    return [] if known is None else [f"{share(known)} of the writers' time, by flow control"]


def _latency(measurement: Measurement) -> str:
    known = [f"{name} {duration(value)}" for name, value in measurement.latency_ms.items()]
    return (
        ", ".join(known) + (", queueing included" if measurement.load.rate_per_second else "") if known else "unknown"
    )


def _errors(measurement: Measurement) -> list[str]:
    lines = []
    if measurement.errors_per_second:
        lines.append(f"{rate(measurement.errors_per_second)} transactions per second retried")
    if measurement.conflicts_per_second:
        lines.append(f"{rate(measurement.conflicts_per_second)} per second refused by certification")
    return lines


def _measured(measurement: Measurement) -> str:
    state = "steady" if measurement.steady else "not steady"
    phases = f"{measurement.measured_seconds:.0f} s after {measurement.warm_up_seconds:.0f} s of warm-up, {state}"
    probes = [(measurement.host.get(f"fsync_ms_{when}"), when) for when in ("before", "after")]
    known = [f"{duration(value)} {when}" for value, when in probes if value is not None]
    return phases + (f"; an fsync on this machine took {' and '.join(known)} the run" if known else "")


_HEADINGS: Final = (
    "member", "role", "commit/s", "apply/s", "backlog", "growth/s", "lag p50", "p95", "max", "drain",
)  # fmt: skip


def _members(measurement: Measurement, page: Page) -> list[str]:
    """A line per member, rates and growth per second; without roles if the lines would be too long."""
    rows = [
        list(_HEADINGS),
        *(_member(member, member.member == measurement.load.sole_writer) for member in measurement.members),
    ]
    lines = text_table(rows, left=2)
    if max(map(len, lines)) > page.width - 2:
        lines = text_table([row[:1] + row[2:] for row in rows])
    return ["  " + line for line in lines]


def _member(member: MemberMeasurement, only_writer: bool) -> list[str]:
    """A line; empty where it does not apply to the only writer."""
    if only_writer:
        return [member.member, member.role, rate(member.committed_per_second), *[""] * 7]
    commits = rate(member.committed_per_second) if member.committed_per_second else ""
    slope = member.backlog_slope_per_second
    growth = "?" if slope.mid is None else f"{slope.mid:+,.0f}"
    lags = [duration(member.lag_ms.get(name)) for name in ("p50", "p95", "max")]
    drain = "?" if member.drain_seconds is None else duration(member.drain_seconds * 1000)
    return [
        member.member, member.role, commits, rate(member.applied_per_second), whole(member.backlog_max), growth,
        *lags, drain,
    ]  # fmt: skip


def _warning(warning: str, page: Page) -> list[str]:
    lines = page.wrap(f"! {warning}", 2)
    return [page.paint(line, "warning") for line in lines]
