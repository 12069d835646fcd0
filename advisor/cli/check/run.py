"""How do the arguments of `advisor check` become judgements? Reads, adds what is stated, judges, suppresses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence

from advisor.annotations import TYPE_CHECKING, Final
from advisor.check import check, load_rules
from advisor.check.possible_releases import with_contradictions
from advisor.check.stated import parse_host, state
from advisor.cli.check.output import FailOn, exit_code
from advisor.cli.shared.config_file import Configuration, here
from advisor.cli.shared.evidence_paths import read_paths, refuse_together_and_members, stated_releases
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.rule_selection import choose
from advisor.cli.shared.terminal import complain
from advisor.errors import InputError, UsageError
from advisor.model.evidence import Cluster
from advisor.model.record import record, replace
from advisor.model.rules import JudgedPaths, Judgement, Rule
from advisor.model.server import Release, Role, Topology

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.check.baseline import Entry

_STDIN: Final = "/dev/stdin"


@record
class CheckRequest:
    """What to judge and how, as the command line says. `live`: evidence of a running cluster, without paths."""

    paths: tuple[str, ...]
    server: str = ""
    role: Role | None = None
    topology: Topology | None = None
    host: tuple[str, ...] = ()
    rules: tuple[Path, ...] = ()
    only: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: Path | None = None
    write_baseline: Path | None = None
    together: bool = False
    members: bool = False
    root: str = ""
    live: Cluster | None = None


@record
class CheckResult:
    """The judgements. `unreadable` counts the paths that could not be read; each was reported on stderr.

    `releases` are those that --server names. `judge_as` judges a cluster again, for other releases.
    """

    targets: tuple[JudgedPaths, ...]
    releases: tuple[Release, ...]
    judge_as: Callable[[Cluster, Sequence[Release]], Judgement]
    configuration: Configuration
    unreadable: int

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """One judgement for each target."""
        return tuple(target.judgement for target in self.targets)


@record
class Judging:
    """What is the same for all paths: the rules, and how a cluster is judged with what is stated and suppressed."""

    rules: tuple[Rule, ...]
    releases: tuple[Release, ...]
    configuration: Configuration
    judge_as: Callable[[Cluster, Sequence[Release]], Judgement]
    stated: Callable[[Cluster], Cluster]


def judge(request: CheckRequest) -> CheckResult:
    """Read and judge one path after the other; a path that cannot be read does not stop the others."""
    request = replace(request, paths=tuple(_STDIN if path == "-" else path for path in request.paths))
    judging = judging_of(request)
    targets: list[JudgedPaths] = []
    unreadable: list[InputError] = []
    for paths in targets_of(request, unreadable.append):
        for names, evidence in clusters_of(paths, request, unreadable.append):
            cluster = judging.stated(evidence)
            targets.append(JudgedPaths(tuple(names), cluster, judging.judge_as(cluster, judging.releases)))
    if request.write_baseline is not None:
        _write_baseline([target.judgement for target in targets], request.write_baseline)
    for fault in unreadable:
        complain(str(fault))
    return CheckResult(tuple(targets), judging.releases, judging.judge_as, judging.configuration, len(unreadable))


def judging_of(request: CheckRequest) -> Judging:
    """What the command line and the configuration file say of all paths."""
    configuration = here()
    rules = _rules([*configuration.rules, *map(str, request.rules)])
    chosen = choose(rules, request.only, request.ignore)
    releases = stated_releases(request.server or configuration.server)
    baseline_entries = _baseline_entries(request.baseline)
    host = parse_host(request.host)

    def judge_as(cluster: Cluster, target: Sequence[Release]) -> Judgement:
        judgement = _suppressed(check(cluster, chosen, target), cluster, configuration, rules)
        if request.baseline is None:
            return judgement
        from advisor.check.baseline import accept

        return accept(judgement, baseline_entries, str(request.baseline.parent))

    def stated(evidence: Cluster) -> Cluster:
        return with_contradictions(state(evidence, request.role, request.topology, host), releases)

    return Judging(rules, releases, configuration, judge_as, stated)


def exit_code_of(result: CheckResult, fail_on: FailOn | None, strict: bool) -> int:
    """The exit code: a broken rule (3) wins over unreadable input (2), which wins over findings (1)."""
    configuration = result.configuration
    limit = fail_on or FailOn(configuration.fail_on or FailOn.WARNING)
    judged = exit_code(result.judgements, limit, strict=strict or configuration.strict)
    return max(judged, ExitCode.USAGE if result.unreadable else ExitCode.OK)


def targets_of(request: CheckRequest, failed: Callable[[InputError], None]) -> Iterator[Sequence[str]]:
    """The paths of each server or cluster; a path that does not exist is passed to `failed` and skipped."""
    if request.live is not None:
        yield ()
        return
    if request.together or request.members or not request.paths:
        if (request.together or request.members) and not request.paths:
            raise UsageError("--together and --members need paths")
        refuse_together_and_members(request.together, request.members)
        if request.members and request.role:
            raise UsageError(
                "--role applies to one server and --members to several", hint="with --members the roles are detected"
            )
        yield request.paths
        return
    from advisor.evidence import expand

    for path in request.paths:
        try:
            targets = expand([path], request.root or "/")
        except InputError as error:
            failed(error)
            continue
        yield from ((target,) for target in targets)


def clusters_of(
    paths: Sequence[str], request: CheckRequest, failed: Callable[[InputError], None]
) -> Iterator[tuple[Sequence[str], Cluster]]:
    """What the paths say, with the paths; a file of several servers gives each on its own."""
    try:
        yield paths, request.live or _read(paths, request)
    except InputError as error:
        parts = getattr(error, "parts", ()) if len(paths) == 1 and not request.members else ()
        if parts and not os.path.isfile(paths[0]):  # a pipe is empty by now
            error.hint, parts = "save it as a file, and check that", ()
        if not parts:
            failed(error)
        for part in parts:
            yield from clusters_of((part,), request, failed)


def _read(paths: Sequence[str], request: CheckRequest) -> Cluster:
    if paths:
        return read_paths(paths, members=request.members, root=request.root)
    from advisor.evidence import read_where_servers_look

    return read_where_servers_look(root=request.root or "/")


def _rules(folders: Sequence[str]) -> tuple[Rule, ...]:
    """All rules. Those of the user's folders are linted: a misspelt name would otherwise always be unknown."""
    rules = load_rules(folders)
    own = tuple(os.path.join(folder, "") for folder in folders)
    if own:
        from advisor.check.lint import lint

        for rule in rules:
            if rule.file.startswith(own):
                lint(rule)
    return rules


def _baseline_entries(baseline: Path | None) -> frozenset[Entry]:
    if baseline is None:
        return frozenset()
    from advisor.check.baseline import HINT, read

    try:
        return read(baseline.read_text(encoding="utf-8"), str(baseline))
    except OSError as error:
        hint = f"create it with --write-baseline {baseline}" if isinstance(error, FileNotFoundError) else ""
        raise InputError(f"cannot be read: {error.strerror}", file=str(baseline), hint=hint) from None
    except UnicodeDecodeError:
        raise InputError("not a baseline", file=str(baseline), hint=HINT) from None


def _write_baseline(judgements: Sequence[Judgement], file: Path) -> None:
    from advisor.check import baseline

    try:
        file.write_text(baseline.record(judgements, str(file.parent)), encoding="utf-8")
    except OSError as error:
        hint = "name a file in a folder that exists and is writable"
        raise UsageError(f"cannot be written: {error.strerror}", file=str(file), hint=hint) from None


def _suppressed(
    judgement: Judgement, cluster: Cluster, configuration: Configuration, rules: Iterable[Rule]
) -> Judgement:
    """The judgement with the findings marked that comments in the files or the configuration suppress."""
    inline = [s for member in cluster.members if member.options is not None for s in member.options.suppressions]
    if not inline and not configuration.ignored:
        return judgement
    from datetime import date

    from advisor.check.suppress import suppress

    return suppress(judgement, [*inline, *configuration.ignored], rules, date.today().isoformat())  # noqa: DTZ011 – the user's own day
