"""The seconds of a bench run as charts: phases, means and readings, what is unknown, and what is not worth a line."""

from __future__ import annotations

from advisor.model.measurement import LoadSecond, Phase, Second
from advisor.model.progress import Progress
from advisor.model.server import Role
from advisor.report.bench.charts import charts_of
from advisor.report.html.chart import Chart, Span


def second(at: float, phase: Phase, lag_ms: float | None = 5.0, **writer: object) -> Second:
    """A moment a second after the one before, of a writer and two replicas."""
    members = (
        Progress("m1", Role.PRIMARY, at, 1.0, 100.0, backlog=0, throttled_clients=3.5, **writer),
        Progress(
            "m2", Role.SECONDARY, at, 1.0, committed_per_second=0.0, applied_per_second=90.0, backlog=10, lag_ms=lag_ms
        ),
        Progress(
            "m3", Role.SECONDARY, at, 1.0, committed_per_second=0.0, applied_per_second=99.0, backlog=0, lag_ms=0.0
        ),
    )
    load = (LoadSecond(at, "m1", 100.0, latency_ms=7.5),) if phase is not Phase.DRAIN else ()
    return Second(at, phase, members, load, {"cpu_share": 0.25})


def drawn(*seconds: Second) -> dict[str, Chart]:
    return {chart.id: chart for chart in charts_of(seconds)}


RUN = (second(101, Phase.WARM_UP), second(102, Phase.MEASURE), second(103, Phase.MEASURE), second(104, Phase.DRAIN))


def test_time_begins_with_the_first_interval_and_phases_follow_each_other() -> None:
    chart = drawn(*RUN)["transactions"]
    assert chart.spans == (Span("warm-up", 0.0, 1.0), Span("measured", 1.0, 3.0), Span("drain", 3.0, 4.0))
    assert chart.curves[0].at_seconds == (0.0, 1.0, 2.0, 3.0, 4.0)


def test_what_is_always_zero_gets_no_line_but_an_empty_backlog_does() -> None:
    charts = drawn(*RUN)
    named = {name: [f"{c.member} {c.name}".strip() for c in chart.curves] for name, chart in charts.items()}
    assert named == {
        "transactions": ["m1 committed", "m2 applied", "m3 applied"],
        "backlog": ["m2", "m3"],
        "lag": ["m2", "m3"],
        "held-back": ["m1"],
        "latency": ["m1"],
        "cpus": ["this machine"],
    }


def test_a_missing_value_is_a_gap() -> None:
    lost = second(102, Phase.MEASURE, error="gone away")
    curve = drawn(RUN[0], lost, RUN[2])["transactions"].curves[0]
    assert curve.values == (100.0, None, 100.0)
    assert drawn(*RUN)["latency"].curves[0].values == (7.5, 7.5, 7.5, None)


def test_a_long_lag_is_shown_in_seconds() -> None:
    assert drawn(*RUN)["lag"].unit == "milliseconds"
    long = drawn(RUN[0], second(102, Phase.MEASURE, lag_ms=12_000.0), second(103, Phase.MEASURE, lag_ms=None))["lag"]
    assert (long.unit, long.curves[0].values) == ("seconds", (0.005, 12.0, None))


def test_a_run_without_a_moment_has_no_chart() -> None:
    assert charts_of(()) == ()
