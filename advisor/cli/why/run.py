"""How do the arguments of `advisor why` become a diagnosis on the screen? Reads, states, diagnoses, writes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from advisor.check.stated import parse_host, state, with_contradictions
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.cli.why.observe import observe, split_observations
from advisor.errors import UsageError
from advisor.model.diagnosis import Diagnosis
from advisor.model.evidence import Cluster
from advisor.model.record import record
from advisor.model.server import Release, Role, Topology

if TYPE_CHECKING:
    from advisor.cli.shared.live_cluster import Live

# To take the evidence of a large bundle apart takes a third of a second, at the end of a process that ends anyway. What
# holds itself is not taken apart, as nobody looks for cycles then (advisor/cli/__init__.py).
_KEPT: list[object] = []
_KEPT.append(_KEPT)


@record
class Asked:
    """What the command line says about what to explain: paths, or the running cluster that `live` names."""

    paths: tuple[str, ...]
    observed: tuple[str, ...] = ()
    server: str = ""
    role: Role | None = None
    topology: Topology | None = None
    host: tuple[str, ...] = ()
    together: bool = False
    members: bool = False
    root: str = ""
    live: Live | None = None
    verify: bool = False
    experiment: bool = False


def answer(asked: Asked, form: str, colour: Colour, width: int, *, explain_terms: bool) -> None:
    """Diagnose, and write the report to stdout."""
    from advisor.why import diagnose

    paths, observed = split_observations(asked.paths)
    releases = _releases(asked.server)
    _KEPT.append(read := _read(paths, asked))
    cluster = state(read, asked.role, asked.topology, parse_host(asked.host))
    cluster = observe(with_contradictions(cluster, releases), (*asked.observed, *observed))
    diagnosis = diagnose(cluster, releases)
    if asked.verify or asked.experiment:
        cluster, diagnosis = _tried(asked, cluster, diagnosis, releases)
    write(_rendered(diagnosis, cluster, form, colour, width, explain_terms))


def _tried(
    asked: Asked, cluster: Cluster, diagnosis: Diagnosis, releases: tuple[Release, ...]
) -> tuple[Cluster, Diagnosis]:
    """What changes gave on the running cluster; an experiment's outcome is evidence for the diagnosis."""
    from advisor.cli.why.verify import experiment, verify_where_possible, with_trials
    from advisor.why import diagnose

    if asked.live is None:
        raise UsageError("only a running cluster can be tried", hint="--lab, --cluster or --dsn")
    trials = []
    if asked.experiment:
        seen, trial = experiment(cluster, asked.live, diagnosis.writer)
        cluster = observe(cluster, (seen,) if seen else ())
        diagnosis = diagnose(cluster, releases)
        trials.append(trial)
    if asked.verify:
        trials += verify_where_possible(diagnosis, cluster, asked.live)
    return cluster, with_trials(diagnosis, trials)


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


def _read(paths: list[str], asked: Asked) -> Cluster:
    from advisor.evidence import read_members, read_path, read_together

    if asked.live is not None:
        if paths:
            raise UsageError("a running cluster is looked at alone", hint="without paths")
        import threading

        from advisor.cli.shared.live_cluster import read_live

        threading.Thread(target=_make_ready, daemon=True).start()  # while the servers are read
        return read_live(asked.live)[0]
    if not paths:
        raise UsageError("nothing to look at", hint="name an option file, dumps, a bundle, or --dsn mysql://USER@HOST")
    root = asked.root or "/"
    if asked.together and asked.members:
        raise UsageError("--together and --members say different things", hint="pieces of one server, or one each")
    if asked.members:
        return read_members(paths, root=root)
    if len(paths) > 1 and not asked.together:
        raise UsageError("several targets", hint="--together: pieces of one server; --members: one server each")
    return read_path(paths[0], root=root) if len(paths) == 1 else read_together(paths, root=root)


def _make_ready() -> None:
    """What a diagnosis needs besides evidence; whatever is wrong with it is told by whoever asks for it next."""
    from contextlib import suppress

    from advisor.errors import AdvisorError
    from advisor.why import diagnose  # noqa: F401 – loading it takes as long as the causes
    from advisor.why.rules.loader import load_causes, load_ceilings

    with suppress(AdvisorError):
        load_causes()
        load_ceilings()


def _releases(server: str) -> tuple[Release, ...]:
    if not server:
        return ()
    from advisor.catalog import parse_release

    return parse_release(server)
