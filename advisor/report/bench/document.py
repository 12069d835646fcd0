"""What does the JSON report of `advisor bench` contain? schemas/measurement.json is made from these classes.

Rates are transactions per second, units of time are in the names, unknown values are null. `seconds` has every moment
of a run, with `at_seconds` counted from the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from advisor.model.measurement import Comparison, Measurement, Run, Search, Second
from advisor.model.record import replace

SCHEMA: Final = "advisor/measurement/1"


@dataclass(frozen=True, slots=True)
class MeasuredRun:
    """One run: when it began (seconds since 1970), its result, and every moment of it."""

    began: float
    measurement: Measurement
    seconds: tuple[Second, ...]


@dataclass(frozen=True, slots=True)
class MeasurementDocument:
    """The whole report. `search` is present with --find-sustained, `comparison` with --vs."""

    schema: str
    runs: tuple[MeasuredRun, ...]
    search: Search | None
    comparison: Comparison | None


def document(runs: Sequence[Run], search: Search | None = None, comparison: Comparison | None = None) -> dict[str, Any]:
    """The report as a JSON object."""
    measured = tuple(MeasuredRun(run.began, run.measurement, from_first(run.seconds)) for run in runs)
    return asdict(MeasurementDocument(SCHEMA, measured, search, comparison))


def from_first(seconds: Sequence[Second]) -> tuple[Second, ...]:
    """The same moments counted from the first, in whole milliseconds."""
    first = seconds[0].at_seconds if seconds else 0.0

    def shifted(at_seconds: float) -> float:
        return round(at_seconds - first, 3)

    return tuple(
        replace(
            second,
            at_seconds=shifted(second.at_seconds),
            members=tuple(replace(member, at_seconds=shifted(member.at_seconds)) for member in second.members),
            load=tuple(replace(report, at_seconds=shifted(report.at_seconds)) for report in second.load),
        )
        for second in seconds
    )
