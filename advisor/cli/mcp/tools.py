"""Which questions may an assistant ask, and how is each answered? With the JSON report of the command of that name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from advisor.cli.mcp.arguments import (
    CheckArguments,
    CompareArguments,
    ExplainArguments,
    WhyArguments,
)
from advisor.cli.mcp.readable import Readable
from advisor.errors import AdvisorError, InputError, UsageError
from advisor.model.record import record

MOST_CHARACTERS: Final = 1024 * 1024  # of an answer


@record
class Answer:
    """The report as JSON text, and a line for each path that could not be read."""

    report: str
    unread: tuple[str, ...] = ()


@record
class Tool:
    """A tool: its name and texts, the class of its arguments, the schemas that its reports can have, what answers."""

    name: str
    title: str
    description: str
    arguments: type
    schemas: tuple[str, ...]
    answer: Callable[[Any, Readable], Answer]


def check(asked: CheckArguments, readable: Readable) -> Answer:
    """The findings, as `advisor check` reports them."""
    from advisor.cli.check.run import CheckRequest, judging_of
    from advisor.report.check import document

    request = CheckRequest(
        paths=tuple(asked.paths),
        server=asked.server,
        role=asked.role,
        topology=asked.topology,
        host=_host(asked.host),
        only=tuple(asked.only),
        ignore=tuple(asked.ignore),
        together=asked.together,
        members=asked.members,
    )
    judging = judging_of(request)
    unread: list[InputError] = []
    judgements = [
        judging.judge_as(judging.stated(cluster), judging.releases)
        for cluster in readable.clusters(asked, request, unread.append)
    ]
    if unread and not judgements:
        raise unread[0]
    return Answer(document.render(judgements), tuple(map(one_line, unread)))


def why(asked: WhyArguments, readable: Readable) -> Answer:
    """The diagnosis, as `advisor why` reports it."""
    from advisor.check.possible_releases import with_contradictions
    from advisor.check.stated import parse_host, state
    from advisor.cli.shared.evidence_paths import stated_releases
    from advisor.cli.why.observe import observe
    from advisor.cli.why.run import WhyRequest, corrected_where_live
    from advisor.report.why import document
    from advisor.why import diagnose

    releases = stated_releases(asked.server)
    host = parse_host(_host(asked.host))
    cluster = state(readable.cluster(asked), asked.role, asked.topology, host)
    cluster = observe(with_contradictions(cluster, releases), asked.observe)
    live = readable.live if asked.running else None
    return Answer(document.render(corrected_where_live(diagnose(cluster, releases), WhyRequest((), live=live))))


def compare(asked: CompareArguments, readable: Readable) -> Answer:
    """The comparison, as `advisor compare` reports it."""
    from advisor.cli.compare.request import NamedPaths
    from advisor.cli.compare.run import compare_clusters
    from advisor.cli.compare.stated_facts import with_stated
    from advisor.cli.shared.evidence_paths import stated_releases
    from advisor.report.compare import document

    names = [side.name for side in asked.sides]
    if len(set(names)) < len(names):
        raise UsageError("two sides have the same name", hint="name each side differently")
    named = [NamedPaths(side.name, tuple(side.paths), stated_releases(side.server)) for side in asked.sides]
    clusters = [with_stated(readable.cluster(side), side.name, _host(side.host), side.observe) for side in asked.sides]
    return Answer(document.render(compare_clusters(named, clusters)))


def explain(asked: ExplainArguments, readable: Readable) -> Answer:
    """What a rule claims or an option is, as `advisor explain` reports it."""
    from advisor.check import load_rules
    from advisor.cli.explain.option import explain_option
    from advisor.cli.explain.subject import subject_of
    from advisor.cli.shared.config_file import here
    from advisor.cli.shared.evidence_paths import stated_releases
    from advisor.report.rules import explanation, option_page

    given = bool(asked.paths or asked.texts or asked.running)
    rules = load_rules(here().rules)
    subject = subject_of(asked.word, rules)
    if not isinstance(subject, str):
        if given or asked.server:
            raise UsageError(f"{subject.id} is a rule; evidence and server are for options")
        return Answer(explanation.as_json(subject))
    cluster = readable.cluster(asked) if given else None
    releases = stated_releases(asked.server or here().server)
    return Answer(option_page.as_json(explain_option(subject, cluster, releases, rules)))


def one_line(error: AdvisorError) -> str:
    """The error with its place and hint."""
    from advisor.report.words.values import printable

    return printable(" ".join(str(error).replace("\n  hint: ", "; ").split()))


def _host(text: str) -> tuple[str, ...]:
    return (text,) if text else ()


TOOLS: Final = (
    Tool(
        "check",
        "Check the configuration of MySQL or MariaDB",
        "Reads option files, dumps of SHOW statements, bundles or a running cluster as the server does. Reports what "
        "limits write throughput or endangers data: which line, why, what to set, and what the change costs.",
        CheckArguments,
        ("findings",),
        check,
    ),
    Tool(
        "why",
        "Find what limits the commit rate",
        "Shows where the time of a commit goes, what each resource permits, the cause, what to change, and the "
        "predicted rate. Evidence with counters is best: a bundle, or SHOW GLOBAL STATUS read twice under load.",
        WhyArguments,
        ("diagnosis",),
        why,
    ),
    Tool(
        "compare",
        "Compare what is in effect on servers",
        "Says whether runs, servers or members are comparable, and where they differ in effect, across releases and "
        "families. If a bundle is the only side, its members are compared with each other.",
        CompareArguments,
        ("comparison",),
        compare,
    ),
    Tool(
        "explain",
        "Explain a rule or an option",
        "Says what a rule claims and why. For an option: its default in a release, its value in effect in the "
        "evidence, in which releases it exists, and which rules read it.",
        ExplainArguments,
        ("rule", "option"),
        explain,
    ),
)
