"""How does `advisor bench` go about it? Runs, says how it goes, shows, and keeps what was seen if it breaks off."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor.atomic_write import write_file
from advisor.bench.bundle_recording import Recorder
from advisor.bench.compare_settings import applier, compare
from advisor.bench.open_cluster import Field, opened
from advisor.bench.run import Plan, measure
from advisor.bench.search.sustained_search import search as find
from advisor.cli.bench.request import Request
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.collect.bundle.save import save_anywhere
from advisor.errors import AdvisorError, LabError, ServerError, UsageError, WriteError
from advisor.lab import folders
from advisor.lab.processes import undisturbed
from advisor.model.measurement import Comparison, Run, Search, Second
from advisor.model.record import record, replace
from advisor.report.bench.document import document
from advisor.report.bench.live_lines import Moments
from advisor.report.bench.samples_csv import samples_as_csv
from advisor.report.bench.text import comparison_as_text, measurement_as_text, search_as_text, sweep_as_text, title
from advisor.report.words.layout import Page


class Bench:
    """Runs on one cluster and everything they saw, those that broke off too."""

    def __init__(self, field: Field, recorder: Recorder | None) -> None:
        self._field, self._recorder = field, recorder
        self._moments = Moments(page_for(sys.stderr, Colour.AUTO, 0)) if sys.stderr.isatty() else None
        self.seen: list[list[Second]] = []
        self.runs: list[Run] = []

    def run(self, plan: Plan) -> Run:
        """One run, shown as it goes on a terminal."""
        self.seen.append([])
        if self._moments:
            self._moments.begin()
        self.runs.append(measure(self._field, plan, self._take, tell))
        return self.runs[-1]

    def _take(self, second: Second) -> None:
        self.seen[-1].append(second)
        if self._recorder:
            self._recorder.hear(second)
        if self._moments:
            write("".join(f"{line}\n" for line in self._moments.lines(second)), sys.stderr)


@record
class Outputs:
    """What is written beside the report, None for nothing; `form` is the report's own: text, json or html."""

    form: str
    csv: Path | None
    plot: Path | None
    bundle: Path | None


def bench(request: Request, pairs: int, outputs: Outputs) -> None:
    """Run what is asked for and write the report; what was seen before an error or Ctrl-C is kept."""
    search: Search | None = None
    comparison: Comparison | None = None
    if outputs.form == "html" and (request.find_sustained or request.versus or len(request.plans) > 1):
        raise UsageError("--format html shows one run", hint="one number of --threads, no --find-sustained or --vs")
    recorder = Recorder(request.cluster, request.plans[0].seconds, outputs.bundle) if outputs.bundle else None
    with opened(request.cluster) as field:
        runner = Bench(field, recorder)
        with _kept(runner, outputs):
            if request.find_sustained:
                search = find(request.plans[0], runner.run, tell)
            elif request.versus:
                comparison = compare(request.plans[0], request.versus, pairs, runner.run, applier(field), tell)
            else:
                for plan in request.plans:
                    runner.run(plan)
    _report(runner.runs, search, comparison, outputs)
    moved: dict[Path, Path] = {}
    if outputs.csv:
        moved[outputs.csv] = save_anywhere(lambda at: write_file(at, samples_as_csv(runner.seen)), outputs.csv)
    if recorder and outputs.bundle:
        moved[outputs.bundle] = recorder.write(runner.runs[0].measurement)
    if outputs.plot:
        from advisor.bench.plot import draw

        last = runner.runs[-1]
        draw(last.measurement, last.seconds, title(last.measurement), outputs.plot)
    if problems := dict.fromkeys(problem for run in runner.runs for problem in run.problems):
        raise ServerError(f"{request.cluster.name} is no longer what it was: {'; '.join(problems)}")
    if elsewhere := [f"{path} could not be written and is {at}" for path, at in moved.items() if at != path]:
        raise LabError("; ".join(elsewhere))


def tell(line: str) -> None:
    """A line of progress."""
    write(f"{line}\n", sys.stderr)


@contextmanager
def _kept(runner: Bench, outputs: Outputs) -> Iterator[None]:
    """When a run breaks off, write what was seen so far, say where, and report the runs that were finished."""
    try:
        yield
    except (AdvisorError, KeyboardInterrupt) as error:
        with undisturbed():
            if any(runner.seen):
                tell(_kept_at(outputs.csv or folders.home() / "interrupted.csv", samples_as_csv(runner.seen)))
            if runner.runs:
                _report(runner.runs, None, None, outputs)
        if isinstance(error, KeyboardInterrupt):
            raise LabError("interrupted; the load is stopped") from None
        raise


def _kept_at(path: Path, text: str) -> str:
    try:
        place = save_anywhere(lambda at: write_file(at, text), path)
    except WriteError as error:
        return f"the run broke off, and its samples are lost: {error.message}"
    return f"the run broke off; its samples so far are in {place}"


def _report(runs: list[Run], search: Search | None, comparison: Comparison | None, outputs: Outputs) -> None:
    page = page_for(sys.stdout, Colour.AUTO, 0)
    if outputs.form == "html":
        from advisor.report.bench import html

        write(html.render(runs[-1]))
        return
    write(_json(runs, search, comparison) if outputs.form == "json" else _text(runs, search, comparison, page))


def _text(runs: list[Run], search: Search | None, comparison: Comparison | None, page: Page) -> str:
    found = [run.measurement for run in runs]
    load = replace(found[-1].load, rate_per_second=0.0)  # of what all runs have in common
    heading = "".join(f"{line}\n" for line in page.wrap(title(replace(found[-1], load=load)), 0))
    if search:
        return heading + search_as_text(search, page)
    if comparison:
        return heading + comparison_as_text(comparison, page)
    return measurement_as_text(found[0], page) if len(found) == 1 else sweep_as_text(found, page)


def _json(runs: list[Run], search: Search | None, comparison: Comparison | None) -> str:
    return json.dumps(document(runs, search, comparison), indent=2) + "\n"


