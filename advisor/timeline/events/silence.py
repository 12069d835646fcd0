"""When was a member not read? Its exporter did not reach the server, or Prometheus did not reach the exporter.

A scrape that fails now and then is normal; only gaps that are long for this member, while others were read, are told.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from advisor.history.rates import gap_seconds
from advisor.model.monitoring.history import History, MemberHistory, Series
from advisor.model.monitoring.timeline import Event, EventKind

_UPTIME: Final = "status.Uptime"
_REACHES: Final = "exporter.reaches_server"
_RANK: Final = 5
_LEAST_SECONDS: Final = 8.0
_LONG: Final = 2.5  # times the member's usual longest gap


def find(member: MemberHistory, history: History) -> Iterator[Event]:
    """Stretches without a reading of the server, from the last one before to the first one after."""
    down = [series for series in member.series.get(_REACHES, ()) if 0.0 in series.values]
    for series in member.series.get(_UPTIME, ())[:1]:
        for begin, end in _gaps(series, history):
            refused = any(begin < at < end and value == 0 for one in down for at, value in _pairs(one))
            yield _event(member.name, begin, end, history, refused)


def _pairs(series: Series) -> Iterator[tuple[float, float]]:
    return zip(series.at_seconds, series.values, strict=True)


def _gaps(series: Series, history: History) -> Iterator[tuple[float, float]]:
    """Gaps far longer than this member's usual ones."""
    moments = [*series.at_seconds, history.end_seconds]
    steps = sorted(later - earlier for earlier, later in pairwise(moments))
    usual = steps[int(0.98 * (len(steps) - 1))] if steps else 0.0
    least = max(_LEAST_SECONDS, gap_seconds(series.at_seconds), _LONG * usual if len(steps) > 50 else 0.0)
    yield from ((earlier, later) for earlier, later in pairwise(moments) if later - earlier >= least)


def _event(member: str, begin: float, end: float, history: History, refused: bool) -> Event:
    gone = end >= history.end_seconds
    what = "does not answer its exporter" if refused else "is not scraped"
    kind = EventKind.UNREACHABLE if refused else EventKind.NOT_SCRAPED
    lasting = "until the end" if gone else f"for {end - begin:.0f} s"
    return Event(
        kind, member, begin, begin, begin, "silence", f"{member} {what} {lasting}", _RANK,
        end_seconds=None if gone else end,
    )  # fmt: skip
