"""How do the arguments of `advisor timeline` become a report? Reads the history, finds what changed, writes."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from advisor.cli.shared.duration import parse_seconds
from advisor.cli.shared.formats import RunFormat
from advisor.cli.shared.past.moment import TimeSpan, parse_moment
from advisor.cli.shared.past.monitoring_source import monitoring_source
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.errors import UsageError
from advisor.history.prometheus import Wanted
from advisor.history.source import read_history
from advisor.model.monitoring.timeline import Timeline
from advisor.model.record import record
from advisor.timeline.build import timeline, wanted_quantities

_LAST_SECONDS = 3600.0
_LEAST_SECONDS = 20.0
_MOST_SECONDS = 31 * 86400.0


@record
class TimelineRequest:
    """What to look at: the source, its time as the command line says it, and the members."""

    source: str
    begin: str = ""
    end: str = ""
    last: str = ""
    select: str = ""
    password_file: Path | None = None
    timeout_seconds: float = 60.0


def made(request: TimelineRequest) -> Timeline:
    """The timeline of what was asked for."""
    span = span_of(request)
    source = monitoring_source(request.source, request.password_file, request.timeout_seconds)
    if request.select and not source.is_address:
        raise UsageError("--select applies to a monitoring server, not to a file")
    wanted = Wanted(span.begin_seconds, span.end_seconds, wanted_quantities(), request.select)
    return timeline(read_history(source, wanted))


def span_of(request: TimelineRequest) -> TimeSpan:
    """The time asked for; of a file everything, when none is. UsageError when it is none, or more than a month."""
    asked = request.begin or request.end or request.last
    if not asked and not request.source.startswith(("http://", "https://")):
        return TimeSpan(0, 0)
    if request.begin and request.last:
        raise UsageError("--from and --last cannot be combined", hint="--last 1h --to 15:00 ends at 15:00")
    end = parse_moment(request.end, "--to") if request.end else time.time()
    last = parse_seconds(request.last, "--last") if request.last else _LAST_SECONDS
    begin = parse_moment(request.begin, "--from") if request.begin else end - last
    if begin > time.time():
        raise UsageError("this time is in the future", hint="times without a zone are those of this machine")
    if end - begin < _LEAST_SECONDS:
        raise UsageError(f"the period is shorter than {_LEAST_SECONDS:.0f} s, or ends before it begins")
    if end - begin > _MOST_SECONDS:
        raise UsageError("the period is longer than a month", hint="a shorter period shows more detail")
    return TimeSpan(begin, end)


def write_report(found: Timeline, form: RunFormat, colour: Colour, width: int) -> None:
    """Write the report to stdout; only the renderer of its format is imported."""
    if form is RunFormat.JSON:
        from advisor.report.timeline import document

        write(document.render(found))
    elif form is RunFormat.HTML:
        from advisor.report.timeline import html

        write(html.render(found))
    else:
        from advisor.report.timeline import text

        write(text.render(found, page_for(sys.stdout, colour, width)))
