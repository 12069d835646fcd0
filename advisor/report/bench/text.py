"""How is a bench run shown to a person? The rates first, whether they hold, then each member; 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.measurement import Comparison, Measurement, MemberMeasurement, Search
from advisor.report.words.amounts import duration, rate, ratio, share, span, whole
from advisor.report.words.layout import Page
from advisor.report.words.table import text_table

_MOST_WARNINGS: Final = 5  # of several runs together
_METHODS: Final = {
    "slowest_member": "slowest member",
    "drain": "with the time to drain",
    "offered": "offered and done",
}
_WORDS: Final[dict[bool | None, tuple[str, str]]] = {
    True: ("yes", "good"), False: ("no", "critical"), None: ("unknown", "warning"),
}  # fmt: skip
_RATIOS: Final = {"peak": "peak", "sustained": "sustained", "latency_p95": "latency p95", "lag_p95": "lag p95"}


def measurement_as_text(found: Measurement, page: Page) -> str:
    """One run: its rates, the verdict and its reason, latency, members, what limits its worth."""
    peak = f"{rate(found.peak_per_second)} tx/s {span(found.peak_interval)}".rstrip()
    ways = [f"{rate(way.per_second)} tx/s  {_METHODS[way.method]}" for way in found.sustained]
    lines = [
        *page.wrap(page.paint(title(found), "strong"), 0),
        *page.labelled("peak", [peak]),
        *page.labelled("sustained", ways or ["unknown"]),
        *page.labelled("within bound", [f"{_verdict(found, page)}: {found.sustained_because}"]),
        *page.labelled("throttled", _throttled(found)),
        *page.labelled("latency", [_latency(found)]),
        *page.labelled("errors", _errors(found)),
        *page.labelled("measured", [_measured(found)]),
        "",
        *_members(found, page),
    ]
    if found.warnings:
        lines += ["", *(line for said in found.warnings for line in _warning(said, page))]
    return "\n".join(lines) + "\n"


def sweep_as_text(runs: Sequence[Measurement], page: Page) -> str:
    """Several runs that differ in threads or rate, a line each, and every warning once."""
    rows = [["threads", "offered", "peak tx/s", "95 %", "sustained", "in bound", "p50", "p95", "p99", "lag p95"]]
    for run in runs:
        offered = rate(run.load.rate_per_second) if run.load.rate_per_second else ""
        latencies = [duration(run.latency_ms.get(name)) for name in ("p50", "p95", "p99")]
        slowest = rate(run.sustained[0].per_second) if run.sustained else "?"
        lag = duration(max((member.lag_ms["p95"] for member in run.members if member.lag_ms), default=None))
        rows.append([
            str(run.load.threads), offered, rate(run.peak_per_second), span(run.peak_interval).strip("()"), slowest,
            _WORDS[run.sustained_within_bound][0], *latencies, lag,
        ])  # fmt: skip
    said = list(dict.fromkeys(f"{run.load.threads} threads: {warning}" for run in runs for warning in run.warnings))
    if len(said) > _MOST_WARNINGS:
        said[_MOST_WARNINGS - 1 :] = [f"{len(said) - _MOST_WARNINGS + 1} more warnings are in the JSON report"]
    lines = text_table(rows, left=0)
    if max(map(len, lines)) > page.width:
        lines = text_table([[*row[:3], "", *row[4:]] for row in rows], left=0)
    lines = [*lines, *([""] if said else []), *(line for one in said for line in _warning(one, page))]
    return "\n".join(lines) + "\n"


def search_as_text(found: Search, page: Page) -> str:
    """The answer of a search and every probe."""
    answer = found.per_second
    if answer.mid is None:
        lines = page.labelled("sustained", [f"unknown: {found.because}"])
    else:
        confirmed = {True: "confirmed", False: "not confirmed", None: "not yet confirmed"}[found.confirmed]
        told = f"{rate(answer.mid)} tx/s {span(answer)}, {confirmed} at 0.9 and 1.2 of it"
        lines = page.labelled("sustained", [told, *([found.because] if found.because else [])])
    rows = [["offered", "done", "in bound", "lag p95"]]
    rows += [
        [rate(one.offered_per_second), rate(one.committed_per_second), _WORDS[one.inside][0], duration(one.lag_p95_ms)]
        for one in found.probes
    ]
    return "\n".join([*lines, "", *("  " + line for line in text_table(rows, left=0))]) + "\n"


def comparison_as_text(found: Comparison, page: Page) -> str:
    """The ratio of B to A of everything measured, and what B was."""
    settings = ", ".join(f"{name}={value}" for name, value in found.settings.items())
    lines = page.labelled("A", ["as the cluster was"]) + page.labelled("B", [settings])
    lines += page.labelled("pairs", [str(len(found.a))])
    for name, interval in found.ratios.items():
        sure = interval.low is not None and interval.high is not None and not interval.low <= 1 <= interval.high
        told = f"B is {ratio(interval)} of A" + ("" if sure else ": no difference shown")
        lines += page.labelled(_RATIOS[name], [told])
    lines += [line for said in found.warnings for line in _warning(said, page)]
    return "\n".join(lines) + "\n"


def title(found: Measurement) -> str:
    """What was measured on what: "gr: update_index, 16 threads on m1 (group_replication, mysql-9.7.4)"."""
    load = found.load
    offered = f" at {rate(load.rate_per_second)} tx/s offered" if load.rate_per_second else ""
    threads = f"{load.threads} thread{'s' if load.threads > 1 else ''}"
    where = f"{found.topology}, {found.server}" if found.server else str(found.topology)
    return f"{found.cluster}: {load.workload}, {threads} on {', '.join(load.writers)}{offered} ({where})"


def _verdict(found: Measurement, page: Page) -> str:
    word, style = _WORDS[found.sustained_within_bound]
    return page.paint(word, style)


def _throttled(found: Measurement) -> list[str]:
    known = found.throttled_share
    return [] if known is None else [f"{share(known)} of the time of the writers' clients, by flow control"]


def _latency(found: Measurement) -> str:
    known = [f"{name} {duration(value)}" for name, value in found.latency_ms.items()]
    return ", ".join(known) + (", waiting included" if found.load.rate_per_second else "") if known else "unknown"


def _errors(found: Measurement) -> list[str]:
    said = []
    if found.errors_per_second:
        said.append(f"{rate(found.errors_per_second)} transactions per second tried again")
    if found.conflicts_per_second:
        said.append(f"{rate(found.conflicts_per_second)} per second refused by certification")
    return said


def _measured(found: Measurement) -> str:
    state = "steady" if found.steady else "not steady"
    said = f"{found.measured_seconds:.0f} s after {found.warm_up_seconds:.0f} s of warm-up, {state}"
    probes = [found.host.get(f"fsync_ms_{when}") for when in ("before", "after")]
    known = [duration(value) for value in probes if value is not None]
    return said + (f"; fsync here {' and '.join(dict.fromkeys(known))}" if known else "")


_HEADINGS: Final = (
    "member", "role", "commit/s", "apply/s", "backlog", "growth/s", "lag p50", "p95", "max", "drain",
)  # fmt: skip


def _members(found: Measurement, page: Page) -> list[str]:
    """A line per member, rates and growth per second; without roles where they do not fit."""
    alone = found.load.writers[0] if len(found.load.writers) == 1 else ""
    rows = [list(_HEADINGS), *(_member(one, one.member == alone) for one in found.members)]
    lines = text_table(rows, left=2)
    if max(map(len, lines)) > page.width - 2:
        lines = text_table([row[:1] + row[2:] for row in rows])
    return ["  " + line for line in lines]


def _member(one: MemberMeasurement, only_writer: bool) -> list[str]:
    """A line; what does not apply to the only writer is empty."""
    if only_writer:
        return [one.member, one.role, rate(one.committed_per_second), *[""] * 7]
    commits = rate(one.committed_per_second) if one.committed_per_second else ""
    slope = one.backlog_slope_per_second
    growth = "?" if slope.mid is None else f"{slope.mid:+,.0f}"
    lags = [duration(one.lag_ms.get(name)) for name in ("p50", "p95", "max")]
    drain = "?" if one.drain_seconds is None else duration(one.drain_seconds * 1000)
    return [
        one.member, one.role, commits, rate(one.applied_per_second), whole(one.backlog_max), growth, *lags, drain,
    ]  # fmt: skip


def _warning(said: str, page: Page) -> list[str]:
    lines = page.wrap(f"! {said}", 2)
    return [page.paint(line, "warning") for line in lines]
