"""What does the traffic look like without any change, and what could be shown in how long?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from advisor.bench.measure.sampler import ticks
from advisor.errors import UsageError
from advisor.model.record import record, replace
from advisor.tune.live.limits import Limits, Standing, State, latest
from advisor.tune.live.statistics.autocorrelation import autocorrelation_steps, semivariogram
from advisor.tune.live.statistics.equal_rate import rate_slope
from advisor.tune.live.statistics.turn_plan import SHARE_OF_WATCH, detectable_effect, plan_turns
from advisor.tune.live.statistics.verdict import Measure, plain_figure
from advisor.tune.live.traffic.figures import (
    ENOUGH_KNOWN,
    Figures,
    Reading,
    by_second,
    figures_of,
    with_typical_latency,
)
from advisor.tune.live.traffic.reader import READ_EVERY_SECONDS, LiveReader

CHECK_SECONDS: Final = 4.0  # after so long it is known what cannot be read
_RECENT: Final = 120  # readings: more than the longest window of a limit
_HOURS: Final = (0.5, 1.0, 4.0, 12.0, 24.0)
_NOT_BY_SECOND: Final = (Measure.LAG, Measure.BACKLOG, Measure.HEADROOM)


@record
class Watch:
    """What was seen: the figures of the whole watch, and the noise of `measure`, one value per second in `series`.

    `slope` is the power of the rate with which latency rises. `moment_seconds`: how long a moment of the traffic lasts
    (autocorrelation time). `detectable` are pairs of (seconds of turns, smallest effect that they show of one change);
    the effect is None where the turns would be too few. `unknown` says what cannot be read.
    """

    figures: Figures
    measure: Measure
    series: tuple[float | None, ...]
    slope: float
    moment_seconds: float
    detectable: tuple[tuple[float, float | None], ...]
    measures: tuple[Measure, ...]
    unknown: dict[str, str]


@record
class SeenTraffic:
    """The readings of a watch, and for each the figures of the last seconds until then, by which limits are judged."""

    readings: tuple[Reading, ...]
    windows: tuple[Figures, ...]


def watch(reader: LiveReader, limits: Limits, seconds: float, on_reading: Callable[[Reading], None]) -> SeenTraffic:
    """Read for some time. UsageError, after a few seconds already, for a limit that cannot be watched."""
    readings: list[Reading] = []
    windows: list[Figures] = []
    checked = False
    for _ in ticks(READ_EVERY_SECONDS):
        readings.append(reader.read())
        on_reading(readings[-1])
        windows.append(figures_of(latest(readings[-_RECENT:])))
        if len(readings) > _RECENT + 1:  # histograms of a day would not fit into memory
            readings[-_RECENT - 1] = replace(readings[-_RECENT - 1], buckets=None)
        watched = readings[-1].at_seconds - readings[0].at_seconds
        ended = watched >= seconds
        if ended or (watched >= CHECK_SECONDS and not checked):
            refuse_unwatched(limits.standings(readings[-1:]))
            checked = True
        if ended:
            break
    return SeenTraffic(tuple(readings), tuple(windows))


def refuse_unwatched(standings: Sequence[Standing]) -> None:
    """UsageError that names every limit that cannot be watched, and how to give it up."""
    unknown = [standing for standing in standings if standing.state is State.UNKNOWN]
    if unknown:
        named = "; ".join(f"{standing.watched} ({standing.why})" for standing in unknown)
        options = " ".join(f"--give-up {standing.watched}" for standing in unknown)
        raise UsageError(
            f"no value is safe to change, because this cannot be watched: {named}",
            hint=f"fix the cause, or tune without the limit: {options}",
        )


def describe(
    readings: Sequence[Reading], seconds_planned: float, left_out_seconds: int, headroom: float | None = None
) -> Watch:
    """What the readings say, and the headroom `why` computed. UsageError where there is too little traffic."""
    figures = with_typical_latency(replace(figures_of(readings), headroom=headroom), readings)
    measures = tuple(measure for measure in Measure if plain_figure(figures, measure) is not None)
    judged = [measure for measure in measures if measure not in _NOT_BY_SECOND]
    if not judged or not figures.rate:
        raise UsageError(
            "no transaction was committed while the traffic was watched", hint="run it while users are active"
        )
    each = by_second(readings)
    slope = rate_slope([second.commit_ms for second in each], [second.rate for second in each])
    measure, series = _planned_by(judged, each, slope)
    variogram = semivariogram(series, len(series) // 2)
    return Watch(
        figures=figures,
        measure=measure,
        series=series,
        slope=slope,
        moment_seconds=autocorrelation_steps(variogram),
        detectable=_detectable(series, seconds_planned, left_out_seconds, len(measures)),
        measures=measures,
        unknown=dict(readings[-1].missing),
    )


def _planned_by(
    judged: Sequence[Measure], each: Sequence[Figures], slope: float
) -> tuple[Measure, tuple[float | None, ...]]:
    """The first measure that is known in most seconds, and its logarithm in each: turns are planned by its noise."""
    found: list[tuple[float, Measure, tuple[float | None, ...]]] = []
    for measure in judged:
        of_latency = measure is Measure.COMMIT_LATENCY
        values = [second.commit_ms if of_latency else plain_figure(second, measure) for second in each]
        pairs = zip(values, [second.rate for second in each], strict=True)
        series = tuple(_log(value, rate, slope if of_latency else 0.0) for value, rate in pairs)
        known = sum(value is not None for value in series) / max(1, len(series))
        if known >= ENOUGH_KNOWN:
            return measure, series
        found.append((known, measure, series))
    _, measure, series = max(found, key=lambda one: one[0])
    return measure, series


def _log(value: float | None, rate: float | None, slope: float) -> float | None:
    if not value or not rate:
        return None
    return math.log(value) - slope * math.log(rate)


def _detectable(
    series: Sequence[float | None], planned: float, left_out_seconds: int, measures: int
) -> tuple[tuple[float, float | None], ...]:
    found: list[tuple[float, float | None]] = []
    for seconds in sorted({planned, *(3600 * hours for hours in _HOURS if 3600 * hours > planned)}):
        plan = plan_turns(series, seconds, left_out_seconds, measures)
        found.append((seconds, None if plan is None else detectable_effect(plan, measures)))
    return tuple(found)


def shortest_watch_seconds(left_out_seconds: int, shortest_turn: int) -> float:
    """How long must be watched before turns of a candidate can be planned?"""
    return float(SHARE_OF_WATCH * max(shortest_turn, 3 * left_out_seconds) + 1)
