"""How do the arguments of `advisor check` become judgements? Reads, states, judges, accepts; in that order."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from advisor.check import check, load_rules
from advisor.check.stated import parse_host, state, with_contradictions
from advisor.cli.check.exit_code import FailOn, exit_code
from advisor.cli.shared.config_file import Configuration, here
from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.rule_selection import choose
from advisor.cli.shared.terminal import complain
from advisor.errors import InputError, UsageError
from advisor.model.evidence import Cluster
from advisor.model.record import record
from advisor.model.rules import JudgedPaths, Judgement, Rule
from advisor.model.server import Release, Role, Topology

if TYPE_CHECKING:
    from pathlib import Path

    from advisor.check.baseline import Entry


@record
class Asked:
    """What the command line says about what to judge and how. `live` is evidence of a running cluster, and no path."""

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
class Outcome:
    """What came of it. `unreadable` counts the paths that could not be read; they were complained about.

    `releases` are those stated with --server. `judge_as` judges a cluster once more, for other releases.
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


def judge(asked: Asked) -> Outcome:
    """Read, judge and accept, one path after the other; a path that cannot be read does not stop the others."""
    configuration = here()
    rules = _rules([*configuration.rules, *map(str, asked.rules)])
    chosen = choose(rules, asked.only, asked.ignore)
    releases = _releases(asked.server or configuration.server)
    known = _known(asked.baseline)
    host = parse_host(asked.host)

    def judge_as(cluster: Cluster, target: Sequence[Release]) -> Judgement:
        judgement = _accept(check(cluster, chosen, target), cluster, configuration, rules)
        if asked.baseline is None:
            return judgement
        from advisor.check.baseline import accept

        return accept(judgement, known, str(asked.baseline.parent))

    targets: list[JudgedPaths] = []
    unreadable: list[InputError] = []
    for paths in _targets(asked, unreadable.append):
        try:
            cluster = state(asked.live or _read(paths, asked), asked.role, asked.topology, host)
        except InputError as error:
            unreadable.append(error)
            continue
        cluster = with_contradictions(cluster, releases)
        targets.append(JudgedPaths(tuple(paths), cluster, judge_as(cluster, releases)))
    if asked.write_baseline is not None:
        _keep([target.judgement for target in targets], asked.write_baseline)
    for fault in unreadable:
        complain(str(fault))
    return Outcome(tuple(targets), releases, judge_as, configuration, len(unreadable))


def code(outcome: Outcome, fail_on: FailOn | None, strict: bool) -> int:
    """The exit code: a broken rule (3) before unreadable input (2) before findings (1)."""
    configuration = outcome.configuration
    limit = fail_on or FailOn(configuration.fail_on or FailOn.WARNING)
    found = exit_code(outcome.judgements, limit, strict=strict or configuration.strict)
    return max(found, ExitCode.USAGE if outcome.unreadable else ExitCode.OK)


def _targets(asked: Asked, failed: Callable[[InputError], None]) -> Iterator[Sequence[str]]:
    """The paths of each server or cluster; a path that does not exist is reported, and passed over."""
    if asked.live is not None:
        yield ()
        return
    if asked.together or asked.members or not asked.paths:
        if (asked.together or asked.members) and not asked.paths:
            raise UsageError("--together and --members want paths")
        if asked.together and asked.members:
            raise UsageError("--together and --members say different things", hint="pieces of one server, or one each")
        if asked.members and asked.role:
            raise UsageError("--role is about one server, --members about several", hint="roles are worked out")
        yield asked.paths
        return
    from advisor.evidence import expand

    for path in asked.paths:
        try:
            found = expand([path], asked.root or "/")
        except InputError as error:
            failed(error)
            continue
        yield from ((target,) for target in found)


def _read(paths: Sequence[str], asked: Asked) -> Cluster:
    from advisor.evidence import read_members, read_path, read_together, read_where_servers_look

    root = asked.root or "/"
    if not paths:
        return read_where_servers_look(root=root)
    if asked.members:
        return read_members(paths, root=root)
    return read_path(paths[0], root=root) if len(paths) == 1 else read_together(paths, root=root)


def _releases(server: str) -> tuple[Release, ...]:
    if not server:
        return ()
    from advisor.catalog import parse_release

    return parse_release(server)


def _rules(folders: Sequence[str]) -> tuple[Rule, ...]:
    """All rules. Those of the user's folders are read strictly: a misspelt name would only ever be unknown."""
    rules = load_rules(folders)
    own = tuple(os.path.join(folder, "") for folder in folders)
    if own:
        from advisor.check.lint import lint

        for rule in rules:
            if rule.file.startswith(own):
                lint(rule)
    return rules


def _known(baseline: Path | None) -> frozenset[Entry]:
    if baseline is None:
        return frozenset()
    from advisor.check.baseline import HINT, read

    try:
        return read(baseline.read_text(encoding="utf-8"), str(baseline))
    except OSError as error:
        hint = f"make it with --write-baseline {baseline}" if isinstance(error, FileNotFoundError) else ""
        raise InputError(f"cannot be read: {error.strerror}", file=str(baseline), hint=hint) from None
    except UnicodeDecodeError:
        raise InputError("not a baseline", file=str(baseline), hint=HINT) from None


def _keep(judgements: Sequence[Judgement], file: Path) -> None:
    from advisor.check import baseline

    try:
        file.write_text(baseline.record(judgements, str(file.parent)), encoding="utf-8")
    except OSError as error:
        hint = "name a file in a folder that exists and may be written"
        raise UsageError(f"cannot be written: {error.strerror}", file=str(file), hint=hint) from None


def _accept(judgement: Judgement, cluster: Cluster, configuration: Configuration, rules: Iterable[Rule]) -> Judgement:
    """The judgement with what comments in the files and the configuration suppress."""
    inline = [s for member in cluster.members if member.options is not None for s in member.options.suppressions]
    if not inline and not configuration.ignored:
        return judgement
    from datetime import date

    from advisor.check.suppress import suppress

    return suppress(judgement, [*inline, *configuration.ignored], rules, date.today().isoformat())  # noqa: DTZ011 – the user's own day
