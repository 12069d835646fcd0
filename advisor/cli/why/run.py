"""How do the arguments of `advisor why` become a report? Reads, adds what the user states, diagnoses, writes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from advisor.check.possible_releases import with_contradictions
from advisor.check.stated import parse_host, state
from advisor.cli.shared.evidence_paths import read_paths, refuse_together_and_members, stated_releases
from advisor.cli.shared.garbage_collection import keep_until_exit
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.cli.why.observe import observe, split_observations
from advisor.errors import UsageError
from advisor.model.diagnosis import Diagnosis
from advisor.model.evidence import Cluster
from advisor.model.record import record, replace
from advisor.model.server import Release, Role, Topology

if TYPE_CHECKING:
    from advisor.cli.shared.live_cluster import LiveOptions
    from advisor.cli.why.past import Past


@record
class WhyRequest:
    """What to diagnose: paths, or the running cluster that `live` names; and what the user states about it."""

    paths: tuple[str, ...]
    observed: tuple[str, ...] = ()
    server: str = ""
    role: Role | None = None
    topology: Topology | None = None
    host: tuple[str, ...] = ()
    together: bool = False
    members: bool = False
    root: str = ""
    live: LiveOptions | None = None
    verify: bool = False
    experiment: bool = False
    past: Past | None = None


def answer(request: WhyRequest, form: str, colour: Colour, width: int, *, explain_terms: bool) -> None:
    """Diagnose, and write the report to stdout."""
    from advisor.why import diagnose

    paths, observed = split_observations(request.paths)
    releases = stated_releases(request.server)
    evidence = _read(paths, request)
    keep_until_exit(evidence)
    cluster = state(evidence, request.role, request.topology, parse_host(request.host))
    cluster = observe(with_contradictions(cluster, releases), (*request.observed, *observed))
    diagnosis = corrected_where_live(diagnose(cluster, releases), request)
    if request.verify or request.experiment:
        cluster, diagnosis = _with_live_changes(request, cluster, diagnosis, releases)
    write(_rendered(diagnosis, cluster, form, colour, width, explain_terms))


def _with_live_changes(
    request: WhyRequest, cluster: Cluster, diagnosis: Diagnosis, releases: tuple[Release, ...]
) -> tuple[Cluster, Diagnosis]:
    """The diagnosis with changes measured on the running cluster; an experiment's outcome is evidence for it."""
    from advisor.cli.why.verify import experiment, keep_verified, verify_where_possible, with_live_changes
    from advisor.why import diagnose

    if request.live is None:
        raise UsageError(
            "--verify and --experiment need a running cluster", hint="name it with --lab, --cluster or --dsn"
        )
    changes = []
    if request.experiment:
        observation, change = experiment(cluster, request.live, diagnosis.writer)
        cluster = observe(cluster, (observation,) if observation else ())
        diagnosis = corrected_where_live(diagnose(cluster, releases), request)
        changes.append(change)
    if request.verify:
        verified = verify_where_possible(diagnosis, cluster, request.live)
        keep_verified(diagnosis, verified)
        changes += verified
    return cluster, with_live_changes(diagnosis, changes)


def corrected_where_live(diagnosis: Diagnosis, request: WhyRequest) -> Diagnosis:
    """With the predictions that changes verified on this machine correct; a bundle gives the same answer everywhere."""
    if request.live is None:
        return diagnosis
    from advisor.cli.why.verified_file import verified_changes
    from advisor.why.verified.correction import corrected_by

    verified, note = verified_changes()
    problems = (*diagnosis.problems, note) if note else diagnosis.problems
    return corrected_by(verified, replace(diagnosis, problems=problems))


def _rendered(
    diagnosis: Diagnosis, cluster: Cluster, form: str, colour: Colour, width: int, explain_terms: bool
) -> str:
    if form == "html":
        from advisor.report.charts import members_over_time
        from advisor.report.why import html

        return html.render(diagnosis, members_over_time.charts_of(cluster))
    if form == "json":
        from advisor.report.why import document

        return document.render(diagnosis)
    if form == "markdown":
        from advisor.report.why import markdown

        return markdown.render(diagnosis)
    from advisor.report.why import text

    return text.render(diagnosis, page_for(sys.stdout, colour, width), explain_terms=explain_terms)


def _read(paths: list[str], request: WhyRequest) -> Cluster:
    if request.past is not None:
        from advisor.cli.why.past import read_past

        if paths or request.live is not None:
            raise UsageError("--history cannot be combined with paths or a running cluster")
        return read_past(request.past)
    if request.live is not None:
        if paths:
            raise UsageError("a running cluster cannot be combined with paths")
        import threading

        from advisor.cli.shared.live_cluster import read_live

        threading.Thread(target=_make_ready, daemon=True).start()  # while the servers are read
        return read_live(request.live)[0]
    if not paths:
        raise UsageError(
            "nothing to diagnose", hint="give an option file, dumps or a bundle, or --dsn mysql://USER@HOST"
        )
    refuse_together_and_members(request.together, request.members)
    if len(paths) > 1 and not (request.members or request.together):
        raise UsageError(
            "several paths: one server or several?", hint="--together: one server; --members: each path is one server"
        )
    return read_paths(paths, members=request.members, root=request.root)


def _make_ready() -> None:
    """Load causes and ceilings; errors in them are reported when the diagnosis loads them again."""
    from contextlib import suppress

    from advisor.errors import AdvisorError
    from advisor.why import diagnose  # noqa: F401 – loading it takes as long as the causes
    from advisor.why.rules.loader import load_causes, load_ceilings

    with suppress(AdvisorError):
        load_causes()
        load_ceilings()
