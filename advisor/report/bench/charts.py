"""How did a benchmark run proceed, second by second? Its moments as charts, with the phases as spans."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from advisor.model.measurement import LoadSecond, Second
from advisor.model.progress import Progress
from advisor.model.record import record, replace
from advisor.model.server import WRITING_ROLES
from advisor.report.html.chart import Chart, Curve, Span

_PHASES: Final = {"warm_up": "warm-up", "measure": "measured", "drain": "drain"}
_PERCENT: Final = 100.0
_MILLISECONDS: Final = "milliseconds"
_LONG_MS: Final = 10_000.0


@record
class _Quantity:
    """One curve of a chart for every member: a figure of its progress, and whether it is a mean over the interval."""

    name: str
    take: Callable[[Progress], float | None]
    steps: bool = True
    dashed: bool = False


def charts_of(seconds: Sequence[Second]) -> tuple[Chart, ...]:
    """Every quantity that is known for a member; times count from the beginning of the first moment."""
    if not seconds:
        return ()
    begin = seconds[0].at_seconds - seconds[0].interval_seconds
    moments = tuple(second.at_seconds - begin for second in seconds)
    spans = tuple(_spans(seconds, moments))
    charts = [*_of_members(seconds, moments), *_of_load(seconds, moments), *_of_host(seconds, moments)]
    return tuple(replace(chart, spans=spans) for chart in charts if chart.curves)


def _spans(seconds: Sequence[Second], moments: Sequence[float]) -> Iterator[Span]:
    """The phases one after the other, each from where the one before it ended."""
    begin = 0.0
    for position, second in enumerate(seconds):
        if position + 1 == len(seconds) or seconds[position + 1].phase != second.phase:
            yield Span(_PHASES[str(second.phase)], begin, moments[position])
            begin = moments[position]


_MEMBERS: Final = (
    ("transactions", "Transactions", "per second", "Committed for the member's clients, or applied from others.", (
        _Quantity("committed", lambda member: member.committed_per_second),
        _Quantity("applied", lambda member: member.applied_per_second, dashed=True),
    )),
    ("backlog", "Backlog", "transactions", "Committed by other members and not yet applied.", (
        _Quantity("", lambda member: None if member.backlog is None else float(member.backlog), steps=False),
    )),
    ("lag", "Lag", _MILLISECONDS, "How old the newest applied transaction is; 0 when nothing is waiting.", (
        _Quantity("", lambda member: member.lag_ms, steps=False),
    )),
    ("throttled", "Writers throttled by flow control", "% of the time", "Time that writers had to wait.", (
        _Quantity("", lambda member: None if member.throttled_share is None else member.throttled_share * _PERCENT),
    )),
    ("held-back", "Clients throttled by flow control", "clients", "Average number of clients that had to wait.", (
        _Quantity("", lambda member: member.throttled_clients),
    )),
    ("conflicts", "Conflicts", "per second", "Transactions refused by certification, or retried by appliers.", (
        _Quantity("", lambda member: member.conflicts_per_second),
    )),
)  # fmt: skip


def _of_members(seconds: Sequence[Second], moments: tuple[float, ...]) -> Iterator[Chart]:
    names = list(dict.fromkeys(member.member for second in seconds for member in second.members))
    sources = {member.member for second in seconds for member in second.members if member.role in WRITING_ROLES}
    for id_, title, unit, about, quantities in _MEMBERS:
        curves = [_curve(seconds, moments, name, quantity) for name in names for quantity in quantities]
        known = [curve for curve in curves if curve.known]
        # A member for which a quantity is always zero gets no line, unless it is zero for all. An empty backlog is
        # worth a line on every member that applies.
        worth = [c for c in known if any(c.known) or not (c.steps or c.member in sources)] or known
        chart = Chart(id_, title, unit, about, tuple(worth))
        yield _in_seconds(chart) if unit == _MILLISECONDS else chart


def _in_seconds(chart: Chart) -> Chart:
    """Times in seconds where milliseconds would be hard to read."""
    longest = max((value for curve in chart.curves for value in curve.known), default=0.0)
    if longest < _LONG_MS:
        return chart
    curves = [
        replace(curve, values=tuple(None if value is None else value / 1000 for value in curve.values))
        for curve in chart.curves
    ]
    return replace(chart, unit="seconds", curves=tuple(curves))


def _curve(seconds: Sequence[Second], moments: tuple[float, ...], name: str, quantity: _Quantity) -> Curve:
    values = tuple(
        next((quantity.take(member) for member in second.members if member.member == name and not member.error), None)
        for second in seconds
    )
    edges = (0.0, *moments) if quantity.steps else moments
    return Curve(quantity.name, name, edges, values, quantity.steps, quantity.dashed)


def _of_load(seconds: Sequence[Second], moments: tuple[float, ...]) -> Iterator[Chart]:
    names = list(dict.fromkeys(report.member for second in seconds for report in second.load))
    about = "95th percentile per second; with an offered rate it includes queueing."
    yield _loaded("latency", "Latency", _MILLISECONDS, about, seconds, moments, names, lambda report: report.latency_ms)
    about = "Transactions of the offered rate that had not started; a growing number means that the rate is too high."
    queued = _loaded(
        "queued", "Not started", "transactions", about, seconds, moments, names, lambda report: report.queued
    )
    if any(any(curve.known) for curve in queued.curves):
        yield queued


def _loaded(
    id_: str, title: str, unit: str, about: str, seconds: Sequence[Second], moments: tuple[float, ...],
    names: Sequence[str], take: Callable[[LoadSecond], float | None],
) -> Chart:  # fmt: skip
    curves = []
    for name in names:
        values = tuple(_last([take(report) for report in second.load if report.member == name]) for second in seconds)
        curves.append(Curve("", name, moments, values))
    return Chart(id_, title, unit, about, tuple(curve for curve in curves if curve.known))


def _last(values: Sequence[float | None]) -> float | None:
    return values[-1] if values else None


def _of_host(seconds: Sequence[Second], moments: tuple[float, ...]) -> Iterator[Chart]:
    names = {"cpu_share": "this machine", "client_cpu_share": "the load generator"}
    curves = []
    for key, name in names.items():
        shares = tuple(second.host.get(key) for second in seconds)
        values = tuple(None if share is None else share * _PERCENT for share in shares)
        curves.append(Curve("", name, (0.0, *moments), values, steps=True))
    about = "Share of all CPUs of the machine that ran the load."
    yield Chart("cpus", "CPUs", "%", about, tuple(curve for curve in curves if curve.known))
