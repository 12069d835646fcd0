"""How are measured amounts written? Three figures are enough; what is unknown is a question mark, never zero."""

from __future__ import annotations

from typing import Final

from advisor.model.measurement import Interval

UNKNOWN: Final = "?"


def rate(value: float | None) -> str:
    """Transactions per second: whole from 10 on, one decimal below."""
    if value is None:
        return UNKNOWN
    return f"{value:,.0f}" if abs(value) >= 9.95 or value == 0 else f"{value:.1f}"


def duration(milliseconds: float | None) -> str:
    """A time in ms below a second, else in s."""
    if milliseconds is None:
        return UNKNOWN
    if milliseconds >= 999.5:
        return f"{milliseconds / 1000:,.1f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= 9.95 or milliseconds == 0 else f"{milliseconds:.1f} ms"


def share(value: float | None) -> str:
    """A share from 0 to 1 in percent."""
    return UNKNOWN if value is None else f"{value:.0%}"


def whole(value: int | None) -> str:
    """A count."""
    return UNKNOWN if value is None else f"{value:,}"


def span(interval: Interval) -> str:
    """An interval of rates in brackets; "" where none is known."""
    if interval.low is None or interval.high is None:
        return ""
    return f"({rate(interval.low)} to {rate(interval.high)})"


def ratio(interval: Interval) -> str:
    """A ratio with its interval: "1.52 (1.38 to 1.67)"."""
    if interval.mid is None:
        return UNKNOWN
    known = interval.low is not None and interval.high is not None
    return f"{interval.mid:.2f}" + (f" ({interval.low:.2f} to {interval.high:.2f})" if known else "")
