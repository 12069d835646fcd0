"""How does `advisor bench` proceed? Makes the runs, shows progress and results, saves the samples if one ends early."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from advisor.atomic_write import write_file
from advisor.bench.bundle_recording import BundleRecorder
from advisor.bench.compare_settings import applier, compare
from advisor.bench.open_cluster import open_cluster
from advisor.bench.run_log import RunLog
from advisor.bench.search.sustained_search import find_sustained_rate
from advisor.cli.bench.request import BenchRequest
from advisor.cli.shared.formats import RunFormat
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.collect.bundle.save import save_anywhere
from advisor.errors import AdvisorError, LabError, ServerError, UsageError, WriteError
from advisor.lab import folders
from advisor.lab.processes import undisturbed
from advisor.model.measurement import Comparison, Run, Search, Second
from advisor.model.record import record, replace
from advisor.report.bench.document import document
from advisor.report.bench.live_lines import LiveLines
from advisor.report.bench.samples_csv import samples_as_csv
from advisor.report.bench.text import comparison_as_text, measurement_as_text, search_as_text, sweep_as_text, title
from advisor.report.words.layout import Page


@record
class Outputs:
    """What to write: the format of the report, and the files of samples and of the bundle, None for no file."""

    form: RunFormat
    csv: Path | None
    bundle: Path | None


@record
class Results:
    """What the runs gave; the search and the comparison where one was made."""

    runs: list[Run]
    search: Search | None = None
    comparison: Comparison | None = None


def bench(request: BenchRequest, pairs: int, outputs: Outputs) -> None:
    """Make the runs and write the report; samples taken before an error or Ctrl-C are saved."""
    several = request.find_sustained or request.versus or len(request.plans) > 1
    if outputs.form is RunFormat.HTML and several:
        raise UsageError(
            "--format html shows a single run", hint="give --threads one value, and leave out --find-sustained and --vs"
        )
    if outputs.csv and not outputs.csv.absolute().parent.is_dir():
        raise UsageError(f"--csv {outputs.csv}: the folder does not exist")
    bundle = BundleRecorder(request.cluster, request.plans[0].seconds, outputs.bundle) if outputs.bundle else None
    listeners = [*([bundle.take] if bundle else []), *([_show_live()] if sys.stderr.isatty() else [])]
    with open_cluster(request.cluster) as opened:
        run_log = RunLog(opened, tell, listeners)
        with _saved_if_interrupted(run_log, outputs):
            search: Search | None = None
            comparison: Comparison | None = None
            if request.find_sustained:
                search = find_sustained_rate(request.plans[0], run_log.measure, tell)
            elif request.versus:
                apply = applier(opened)
                comparison = compare(request.plans[0], request.versus, pairs, run_log.measure, apply, tell)
            else:
                for plan in request.plans:
                    run_log.measure(plan)
    _report(Results(run_log.runs, search, comparison), outputs.form)
    saved: dict[Path, Path] = {}
    if outputs.csv:
        saved[outputs.csv] = save_anywhere(lambda at: write_file(at, samples_as_csv(run_log.seconds)), outputs.csv)
    if bundle and outputs.bundle:
        saved[outputs.bundle] = bundle.write(run_log.runs[0].measurement)
    _refuse_problems(request, run_log.runs, saved)


def _refuse_problems(request: BenchRequest, runs: list[Run], saved: dict[Path, Path]) -> None:
    """ServerError when the cluster changed, LabError when a file had to be written to another place."""
    if problems := dict.fromkeys(problem for run in runs for problem in run.problems):
        raise ServerError(f"{request.cluster.name} changed during the runs: {'; '.join(problems)}")
    if moved := [
        f"{path} could not be written; it was saved as {place}" for path, place in saved.items() if place != path
    ]:
        raise LabError("; ".join(moved))


def tell(line: str) -> None:
    """A line of progress."""
    write(f"{line}\n", sys.stderr)


def _show_live() -> Callable[[Second], None]:
    live = LiveLines(page_for(sys.stderr, Colour.AUTO, 0))
    return lambda second: write("".join(f"{line}\n" for line in live.lines(second)), sys.stderr)


@contextmanager
def _saved_if_interrupted(run_log: RunLog, outputs: Outputs) -> Iterator[None]:
    """When a run breaks off, save its samples, say where, and report the runs that were finished."""
    try:
        yield
    except (AdvisorError, KeyboardInterrupt) as error:
        with undisturbed():
            if any(run_log.seconds):
                tell(_save(outputs.csv or folders.home() / "interrupted.csv", samples_as_csv(run_log.seconds)))
            if run_log.runs:
                _report(Results(run_log.runs), outputs.form)
        if isinstance(error, KeyboardInterrupt):
            raise LabError("interrupted; the load was stopped") from None
        raise


def _save(path: Path, text: str) -> str:
    try:
        place = save_anywhere(lambda at: write_file(at, text), path)
    except WriteError as error:
        return f"the run ended early, and its samples are lost: {error.message}"
    return f"the run ended early; its samples so far are in {place}"


def _report(results: Results, form: RunFormat) -> None:
    if form is RunFormat.HTML:
        from advisor.report.bench import html

        write(html.render(results.runs[-1]))
    elif form is RunFormat.JSON:
        write(json.dumps(document(results.runs, results.search, results.comparison), indent=2) + "\n")
    else:
        write(_text(results, page_for(sys.stdout, Colour.AUTO, 0)))


def _text(results: Results, page: Page) -> str:
    measurements = [run.measurement for run in results.runs]
    load = replace(measurements[-1].load, rate_per_second=0.0)  # what all runs have in common
    heading = "".join(f"{line}\n" for line in page.wrap(title(replace(measurements[-1], load=load)), 0))
    if results.search:
        return heading + search_as_text(results.search, page)
    if results.comparison:
        return heading + comparison_as_text(results.comparison, page)
    return measurement_as_text(measurements[0], page) if len(measurements) == 1 else sweep_as_text(measurements, page)
