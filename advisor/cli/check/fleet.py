"""`advisor check` on a fleet: which servers, judged on all CPUs, and one report by cluster and by rule."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from advisor.cli.check.output import CheckFormat, FailOn, Presentation
from advisor.cli.check.run import CheckRequest, Judging, clusters_of, judging_of
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.errors import InputError, UsageError
from advisor.evidence import expand, read_members
from advisor.evidence.source.files import split_part
from advisor.fleet.inventory.entries import Entry
from advisor.fleet.inventory.read import read_inventory
from advisor.fleet.live_servers import LiveLimits, read_side_by_side
from advisor.fleet.processes import in_processes, usable_cpus
from advisor.fleet.since import with_since
from advisor.fleet.summary import failed, fleet_report, servers_of
from advisor.fleet.tasks import Task, of_entries, of_paths
from advisor.model.fleet.report import FleetReport, FleetServer
from advisor.model.record import record
from advisor.model.rules import Severity
from advisor.report.words.layout import Page

_COLUMNS_OF_A_FILE = 80


@record
class FleetRequest:
    """What to judge and how: a check of `paths` and of the servers of an inventory. `jobs` 0: one for each CPU."""

    check: CheckRequest
    inventory: Path | None = None
    since: Path | None = None
    jobs: int = 0
    limits: LiveLimits = LiveLimits()
    password_file: Path | None = None


def judge_fleet(request: FleetRequest) -> FleetReport:
    """The report. InputError when nothing at all could be read of an inventory, or of an earlier report."""
    judging = judging_of(request.check)
    inventory = read_inventory(str(request.inventory)) if request.inventory else None
    entries = inventory.entries if inventory else ()
    problems = list(inventory.problems) if inventory else []
    tasks = [*of_entries(entry for entry in entries if entry.path), *_tasks_of_paths(request.check, problems)]
    live = [entry for entry in entries if entry.dsn]
    if not tasks and not live:
        raise InputError("there is nothing to check", file=" ".join(request.check.paths), hint="; ".join(problems))

    def work(task: Task) -> list[FleetServer]:
        return list(_judge_task(task, request.check, judging))

    done = in_processes(work, tasks, request.jobs or usable_cpus())
    servers = [server for found in done for server in found]
    servers += _judge_live(live, judging, request)
    report = fleet_report(servers, judging.rules, problems)
    return with_since(report, str(request.since)) if request.since else report


def _tasks_of_paths(request: CheckRequest, problems: list[str]) -> list[Task]:
    targets: list[str] = []

    def refused(error: InputError) -> None:
        problems.append(f"{error.file}: {error.message}")

    for path in request.paths:
        try:
            targets += expand([path], request.root or "/", refused)
        except InputError as error:
            problems.append(str(error))
    return of_paths(list(dict.fromkeys(targets)), request.paths)


def _judge_task(task: Task, request: CheckRequest, judging: Judging) -> Iterator[FleetServer]:
    """The servers of one task. Members that cannot be read together are judged alone."""
    if len(task.paths) > 1:
        try:
            yield from _judge_members(task, request, judging)
            return
        except InputError:
            readable = [at for at, path in enumerate(task.paths) if _is_readable(path, request.root)]
        rest = [at for at in range(len(task.paths)) if at not in readable]
        if len(readable) > 1 and rest:
            kept = Task(task.cluster, _at(task.names, readable), _at(task.paths, readable))
            yield from _judge_task(kept, request, judging)
            readable = []
        for at in (*readable, *rest):
            yield from _judge_task(Task(task.cluster, (task.names[at],), (task.paths[at],)), request, judging)
        return
    failures: list[InputError] = []
    for paths, evidence in clusters_of(task.paths, request, failures.append):
        cluster = judging.stated(evidence)
        part = split_part(paths[0])[1]
        name = f"{task.names[0]}#{part}" if part and part != split_part(task.paths[0])[1] else task.names[0]
        judgement = judging.judge_as(cluster, judging.releases)
        yield from servers_of(judgement, Task(task.cluster, (name,), tuple(paths)))
    for failure in failures:
        yield from failed(task, f"{failure.message}" + (f" (line {failure.line})" if failure.line else ""))


def _judge_members(task: Task, request: CheckRequest, judging: Judging) -> Iterator[FleetServer]:
    cluster = judging.stated(read_members(task.paths, root=request.root or "/"))
    yield from servers_of(judging.judge_as(cluster, judging.releases), task)


def _is_readable(path: str, root: str) -> bool:
    try:
        read_members([path], root=root or "/")
    except InputError:
        return False
    return True


def _at(values: Sequence[str], places: Sequence[int]) -> tuple[str, ...]:
    return tuple(values[at] for at in places)


def _judge_live(entries: Sequence[Entry], judging: Judging, request: FleetRequest) -> Iterator[FleetServer]:
    """Running servers, each cluster judged as soon as its members are read."""
    if not entries:
        return
    from advisor.collect.login import find_login

    login = find_login(str(request.password_file or ""), os.environ)
    addresses = {(entry.cluster, entry.name): entry.dsn for entry in entries}
    for read in read_side_by_side(entries, login, request.limits):
        for name, failure in read.failures.items():
            yield from failed(Task(read.name, (name,), (addresses[read.name, name],)), failure)
        if read.evidence is None:
            continue
        cluster = judging.stated(read.evidence)
        names = tuple(member.name for member in cluster.members)
        paths = tuple(addresses.get((read.name, name), "") for name in names)
        yield from servers_of(judging.judge_as(cluster, judging.releases), Task(read.name, names, paths))


def write_fleet_report(report: FleetReport, presentation: Presentation) -> None:
    """Write the report to stdout or its file."""
    if presentation.output is None:
        write(_render(report, presentation))
        return
    from advisor.cli.check.report_file import refuse_input_as_output, write_report_file

    refuse_input_as_output(presentation.output, [server.path for server in report.servers])
    write_report_file(presentation.output, _render(report, presentation))


def _render(report: FleetReport, presentation: Presentation) -> str:
    if presentation.form is CheckFormat.JSON:
        from advisor.report.fleet import document

        return document.render(report)
    if presentation.form is CheckFormat.HTML:
        from advisor.report.fleet import html

        return html.render(report)
    if presentation.form is not CheckFormat.TEXT:
        raise UsageError(f"--format {presentation.form} is not available for a fleet", hint="use text, json or html")
    from advisor.report.fleet import text

    page = page_for(sys.stdout, presentation.colour, presentation.width)
    if presentation.output is not None:
        page = Page(presentation.width or _COLUMNS_OF_A_FILE, presentation.colour is Colour.ALWAYS)
    return text.render(report, page, everything=presentation.verbosity > 0)


def exit_code_of_fleet(report: FleetReport, fail_on: FailOn, *, strict: bool) -> ExitCode:
    """2 where nothing could be read, else 1 with findings at or above `fail_on`.

    `strict`: servers that could not be read count as findings, and so do uncertain findings.
    """
    servers = report.servers
    if servers and all(server.failure for server in servers):
        return ExitCode.USAGE
    if fail_on is FailOn.NEVER:
        return ExitCode.OK
    order = list(Severity)
    least = order.index(Severity(fail_on))
    found = (f for c in report.clusters for s in c.servers for f in s.findings)
    whole = (f for c in report.clusters for f in c.findings_of_cluster)
    counts = any(order.index(f.severity) >= least and (f.certain or strict) for group in (found, whole) for f in group)
    failing = strict and any(server.failure for server in servers)
    return ExitCode.FINDINGS if counts or failing else ExitCode.OK
