"""What is a member's progress between two positions? Rates, lag, and counters that went backwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from advisor.model.evidence import Scalar
from advisor.model.progress import Position, Progress
from advisor.model.record import record

# One reading of a lab member takes 0.3 to 2 ms; over a shorter interval, rates are meaningless.
_SHORTEST_SECONDS: Final = 0.005


@record
class Step:
    """One member before and now; `before` is None when it could not be read then, or did not exist."""

    before: Position | None
    now: Position

    @property
    def seconds(self) -> float:
        """The interval, 0.0 when there is none."""
        return self.now.at_seconds - self.before.at_seconds if self.before else 0.0

    def text(self, name: str) -> str:
        """A value now, "" when there is none."""
        value = self.now.values.get(name)
        return "" if value is None else str(value)

    def rise(self, count: Callable[[Position], float | None]) -> float | None:
        """How much a count grew; None when it is unknown at one end, or decreased."""
        if self.before is None:
            return None
        first, last = count(self.before), count(self.now)
        return None if first is None or last is None or last < first else last - first

    def rise_of(self, name: str) -> float | None:
        """How much a counter of the server grew."""
        return self.rise(lambda position: number(position.values.get(name)))

    def per_second(self, rise: float | None) -> float | None:
        """A rise as a rate."""
        return None if rise is None or self.seconds < _SHORTEST_SECONDS else rise / self.seconds

    def reset(self, names: Iterable[str]) -> bool:
        """Whether one of the server's counters is lower than before."""
        before = self.before.values if self.before else {}
        pairs = [(number(before.get(name)), number(self.now.values.get(name))) for name in names]
        return any(first is not None and last is not None and last < first for first, last in pairs)

    def progress(self, **known: Any) -> Progress:
        """The member's progress with the given figures."""
        return Progress(self.now.member, self.now.role, self.now.at_seconds, self.seconds, **known)


def number(value: Scalar) -> float | None:
    """A counter as a number; None for anything else."""
    if isinstance(value, int | float):
        return value
    try:
        return float(value) if value else None
    except ValueError:
        return None


def each(
    before: Mapping[str, Position], now: Mapping[str, Position], progress: Callable[[Step], Progress]
) -> list[Progress]:
    """The progress of every member; one that could not be read has only its error."""
    members = []
    for name, position in now.items():
        earlier = before.get(name)
        step = Step(None if earlier is None or earlier.error else earlier, position)
        members.append(step.progress(error=position.error) if position.error else progress(step))
    return members


def lag(backlog: int | None, applying_age_ms: float | None, applied_per_second: float | None) -> dict[str, Any]:
    """The fields `lag_ms` and `lag_method` by the best method available; both unknown if the backlog is."""
    if backlog is None:
        return {}
    if not backlog:
        return {"lag_ms": 0.0, "lag_method": "counted"}
    if applying_age_ms is not None:
        return {"lag_ms": applying_age_ms, "lag_method": "timestamps"}
    if applied_per_second:
        return {"lag_ms": backlog / applied_per_second * 1000, "lag_method": "rate"}
    return {}
