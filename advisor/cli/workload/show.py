"""How does `advisor workload show` become a report?"""

from __future__ import annotations

import sys

from advisor.cli.shared.formats import RunFormat
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.cli.workload.read_log import LogRequest, reading_of
from advisor.workload.shape.tally import workload_of


def write_workload(request: LogRequest, form: RunFormat, colour: Colour, width: int) -> None:
    """Read the log and write the report to stdout; only the renderer of its format is imported."""
    with reading_of(request) as reading:
        load = workload_of(reading, reading.transactions(), request.keys)
    if form is RunFormat.JSON:
        from advisor.report.workload import show_document

        write(show_document.render(load))
    elif form is RunFormat.HTML:
        from advisor.report.workload import show_html

        write(show_html.render(load))
    else:
        from advisor.report.workload import show_text

        write(show_text.render(load, page_for(sys.stdout, colour, width)))
