"""How does `advisor workload appliers` become a report?"""

from __future__ import annotations

import re
import sys
from typing import Final

from advisor.cli.shared.duration import parse_seconds
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.cli.workload.read_log import LogRequest, reading_of
from advisor.errors import UsageError
from advisor.workload.appliers.calibrate import Assumed
from advisor.workload.appliers.foretell import foretell

MOST_WORKERS: Final = 1024
_RANGE: Final = re.compile(r"(\d+)\.\.(\d+)")


def parse_workers(text: str) -> tuple[int, ...]:
    """Numbers of workers: "4", "1,4,16", or "1..64", which doubles. UsageError for anything else."""
    match = _RANGE.fullmatch(text.strip())
    if match:
        first, last = int(match[1]), int(match[2])
        numbers = [first]
        while 0 < numbers[-1] <= last // 2:
            numbers.append(numbers[-1] * 2)
        numbers += [last] if numbers[-1] < last else []
    else:
        parts = text.split(",")
        if not all(part.strip().isdecimal() for part in parts):
            raise UsageError(f"--workers {text}: not numbers of workers", hint="e.g. 1..64, or 1,4,16")
        numbers = sorted(set(map(int, parts)))
    if not 0 < numbers[0] <= numbers[-1] <= MOST_WORKERS or (match and int(match[2]) < numbers[0]):
        raise UsageError(
            f"--workers {text}: must be numbers from 1 to {MOST_WORKERS}, in rising order", hint="e.g. 1..64, or 1,4,16"
        )
    return tuple(numbers)


def assumed_of(apply_rate: float, cpu_time: str, sync: str, syncs: int, cpus: int, in_order: bool) -> Assumed:
    """What the options say of the replica. UsageError for a CPU time without the rate it was measured with."""
    if cpu_time and not apply_rate:
        raise UsageError(
            f"--cpu-time {cpu_time}: needs --apply-rate", hint="measure both at the same time, with one worker"
        )
    cpu_seconds = parse_seconds(cpu_time, "--cpu-time") if cpu_time else 0.0
    return Assumed(apply_rate, cpu_seconds, parse_seconds(sync, "--sync") if sync else 0.0, syncs, cpus, in_order)


def write_appliers(
    request: LogRequest, workers: str, assumed: Assumed, form: ListFormat, colour: Colour, width: int
) -> None:
    """Read the log, simulate, and write the report to stdout."""
    numbers = parse_workers(workers)
    with reading_of(request) as reading:
        forecast = foretell(reading, reading.transactions(), numbers, assumed)
    if form is ListFormat.JSON:
        from advisor.report.workload import appliers_document

        write(appliers_document.render(forecast))
    else:
        from advisor.report.workload import appliers_text

        write(appliers_text.render(forecast, page_for(sys.stdout, colour, width)))
