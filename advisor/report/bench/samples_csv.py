"""How are the moments of a run written as CSV? A line per moment and member; an empty cell is unknown.

`at_seconds` counts from the first moment of the run. A member's line has the figures of its load generator as well.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, Final

from advisor.model.measurement import Second
from advisor.model.progress import Progress
from advisor.report.bench.document import from_first

_MEMBER: Final = (
    "member", "role", "interval_seconds", "committed_per_second", "applied_per_second", "backlog", "unreceived",
    "lag_ms", "lag_method", "throttled_share", "throttled_clients", "throttling", "conflicts_per_second", "reset",
    "error",
)  # fmt: skip
_LOAD: Final = ("transactions_per_second", "latency_ms", "errors_per_second", "reconnects_per_second", "queued")
_HOST: Final = ("cpu_share", "client_cpu_share")
COLUMNS: Final = ("run", "at_seconds", "phase", *_MEMBER, *(f"load_{name}" for name in _LOAD), *_HOST)


def samples_as_csv(runs: Sequence[Sequence[Second]]) -> str:
    """The moments of every run; runs are counted from 1."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, seconds in enumerate(runs, 1):
        for second in from_first(seconds):
            for member in second.members:
                writer.writerow([number, second.at_seconds, second.phase, *_line(second, member)])
    return text.getvalue()


def _line(second: Second, member: Progress) -> list[Any]:
    load = [report for report in second.load if report.member == member.member][-1:]
    cells = [getattr(member, name) for name in _MEMBER]
    cells += [getattr(load[0], name) if load else None for name in _LOAD]
    cells += [second.host.get(name) for name in _HOST]
    return [round(cell, 4) if isinstance(cell, float) else cell for cell in cells]
