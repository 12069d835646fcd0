"""How do the arguments of `advisor compare` become a report and an exit code? Reads each side, compares, writes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.cli.compare.request import NamedPaths, named_paths, refuse_too_few
from advisor.cli.compare.stated_facts import refuse_unknown_sides, with_stated
from advisor.cli.shared.evidence_paths import read_paths
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import ReportFormat
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.compare import compare, load_quantities, side_of
from advisor.compare.sides import Side, sides_of_members
from advisor.errors import UsageError
from advisor.model.comparison.comparability import Comparability
from advisor.model.record import record, replace

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.model.evidence import Cluster

_DSN: Final = ("mysql://", "mariadb://")


@record
class CompareRequest:
    """What to compare, as the command line says: paths or NAME=PATH, releases, and what is stated of the sides."""

    words: tuple[str, ...]
    servers: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    observations: tuple[str, ...] = ()
    root: str = ""
    password_file: Path | None = None


def compared(request: CompareRequest) -> Comparability:
    """The comparison. One path of several members compares these with each other."""
    named = named_paths(request.words, request.servers)
    labels = [each.label for each in named]
    refuse_unknown_sides(labels, "--host", request.hosts)
    refuse_unknown_sides(labels, "--observe", request.observations)
    clusters = [with_stated(_read(each, request), each.label, request.hosts, request.observations) for each in named]
    return compare_clusters(named, clusters)


def compare_clusters(named: Sequence[NamedPaths], clusters: Sequence[Cluster]) -> Comparability:
    """The comparison of the evidence of each side; UsageError for a single server."""
    refuse_too_few(len(named), sum(len(cluster.members) for cluster in clusters))
    if len(named) == 1:
        sides: tuple[Side, ...] = sides_of_members(clusters[0], named[0].releases)
    else:
        sides = tuple(
            side_of(each.label, cluster, each.releases) for each, cluster in zip(named, clusters, strict=True)
        )
    return compare(sides, load_quantities())


def exit_code(comparison: Comparability, *, strict: bool) -> ExitCode:
    """NOT_COMPARABLE when a side is not, and with `strict` also when that is not known."""
    wrong = (False, None) if strict else (False,)
    found = any(verdict is each for verdict in comparison.comparable for each in wrong)
    return ExitCode.NOT_COMPARABLE if found else ExitCode.OK


def write_report(comparison: Comparability, form: ReportFormat, colour: Colour, width: int, everything: bool) -> None:
    """Write the report to stdout; only the renderer of its format is imported."""
    if form is ReportFormat.JSON:
        from advisor.report.compare import document

        write(document.render(comparison))
    elif form is ReportFormat.MARKDOWN:
        from advisor.report.compare import markdown

        write(markdown.render(comparison, everything=everything))
    elif form is ReportFormat.HTML:
        from advisor.report.compare import html

        write(html.render(comparison, everything=everything))
    else:
        from advisor.report.compare import text

        write(text.render(comparison, page_for(sys.stdout, colour, width), everything=everything))


def _read(named: NamedPaths, request: CompareRequest) -> Cluster:
    """The evidence of a side; a running server is read with the members that can be found from it."""
    if not any(path.startswith(_DSN) for path in named.paths):
        return read_paths(named.paths, members=False, root=request.root)
    if len(named.paths) > 1:
        raise UsageError(f"{named.label}: a running server cannot be combined with files", hint="name it alone")
    from advisor.cli.shared.live_cluster import LiveOptions, read_live

    cluster, _ = read_live(LiveOptions(dsn=named.paths[0], password_file=request.password_file))
    return replace(cluster, path=named.paths[0])
