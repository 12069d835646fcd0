"""Which edits do the findings ask for, and are they the same for every release the server may be?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from advisor.check.possible_releases import possible_releases
from advisor.errors import AdvisorError, UsageError
from advisor.evidence.member.redaction import redact_reading
from advisor.evidence.topology import recognise
from advisor.model.evidence import Cluster
from advisor.model.options import Reading
from advisor.model.record import record, replace
from advisor.model.rules import Change, Finding, JudgedPaths, Judgement, Risk, Verdict
from advisor.model.server import Release, join_labels
from advisor.options import read_file
from advisor.options.edit.edited_file import identity
from advisor.options.edit.edits import FileEdit, plan_edits

if TYPE_CHECKING:
    from advisor.evidence.rewriting.option_view import OptionView

Changes = tuple[Change, ...]
_FURTHER_STEPS: Final = 6  # two are the most that were seen; more would mean that rules undo each other's advice
_PIPES: Final = ("/dev/", "/proc/")
# What a value gives up, whatever the advice is about: a corrected name brings the value of its line into force.
_GIVEN_UP: Final = {
    ("innodb_flush_log_at_trx_commit", "0"): Risk.D_PROC,
    ("innodb_flush_log_at_trx_commit", "2"): Risk.D_OS,
    ("sync_binlog", "0"): Risk.D_OS,
    ("innodb_doublewrite", "0"): Risk.X,
    ("innodb_doublewrite", "off"): Risk.X,
    ("innodb_doublewrite", "detect_only"): Risk.X,
}
_STATED: Final = ("--", "bundle")  # how sources of roles and topologies begin that no option file gave


@record
class FixPlan:
    """The edits of one server's option files, the changes behind them for each release, and what was left out."""

    edits: tuple[FileEdit, ...]
    by_release: tuple[tuple[Release, Changes], ...]
    left: tuple[str, ...]


def plan_fix(
    target: JudgedPaths,
    releases: Sequence[Release],
    judge_as: Callable[[Cluster, Sequence[Release]], Judgement],
    allowed: frozenset[Risk],
    root: str,
) -> FixPlan:
    """The edits for one target; the same bytes for all releases that are possible for it.

    `releases` are those that were stated, none: all; `judge_as` judges a cluster as given releases.

    UsageError when it is no option file, or when the releases ask for different bytes.
    """
    request = _Request(_option_file(target), tuple(releases), judge_as, allowed, root or "/")
    view = _view(target, request.path)
    if view is not None:
        return _plan_elsewhere(request, target, view)
    # Read anew: in the evidence passwords are masked, and an edit must keep them.
    reading = read_file(request.path, root=request.root)
    first = _plan_step(request, target.cluster, target.judgement, reading, {})
    return _further(request, target.cluster, first, reading)


def _view(target: JudgedPaths, path: str) -> OptionView | None:
    """The options that stand in a file of another kind, as an option file; None for an option file itself."""
    options = target.cluster.members[0].options
    if options is None or not options.kept_in:
        return None
    from advisor.evidence.rewriting.option_view import option_view
    from advisor.evidence.source.files import as_text, read_bytes, split_part

    return option_view(as_text(read_bytes(path, path), path), path, split_part(target.paths[0])[1])


def _plan_elsewhere(request: _Request, target: JudgedPaths, view: OptionView) -> FixPlan:
    """The edits of a file that is no option file: planned on its view, and carried back.

    Only what was found in the whole file counts: the view lacks what stands elsewhere, such as an operator's settings.
    """
    from advisor.evidence.rewriting.write_back import write_back

    told = {finding.rule.id for finding in _told(target.judgement)}
    judge_whole = request.judge_as

    def judge_as(cluster: Cluster, releases: Sequence[Release]) -> Judgement:
        judgement = judge_whole(cluster, releases)
        return replace(judgement, findings=tuple(f for f in judgement.findings if f.rule.id in told))

    request = replace(request, judge_as=judge_as)
    edited = {view.path: view.text.encode("utf-8", "surrogateescape")}
    reading = read_file(view.path, root=request.root, edited=edited)
    cluster = _with_options(target.cluster, redact_reading(reading))
    first = _plan_step(request, cluster, judge_as(cluster, request.releases), reading, edited)
    plan = _further(request, target.cluster, first, reading)
    before = "\n".join(view.lines).encode("utf-8", "surrogateescape")
    edits = tuple(
        FileEdit(
            edit.path,
            before,
            write_back(view, edit.after.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape"),
        )
        for edit in plan.edits
    )
    return replace(plan, edits=edits)


def _further(request: _Request, cluster: Cluster, first: _Step, reading: Reading) -> FixPlan:
    """The first step, and those that it brings about."""
    edits, changes, last = first.edits, dict(first.by_release), first
    # What the edits bring to light is judged at once: an option that gets its new name may then have to go. Else a
    # second run would change the files again.
    for _ in range(_FURTHER_STEPS if edits else 0):
        try:
            step = _next_step(request, cluster, _contents(edits, reading), frozenset(changes))
        except AdvisorError:
            break  # nothing further can be proved
        if step is None:
            raise UsageError(
                "with these changes the file fits other releases than those that they are for",
                file=request.path,
                hint=f"name the release, e.g. --server {[*first.by_release][-1].name}",
            )
        last = step
        if not step.edits:
            break
        edits = _joined(edits, step.edits)
        changes = {release: _followed_by(earlier, step.by_release[release]) for release, earlier in changes.items()}
    return FixPlan(edits, tuple(changes.items()), (*first.refused, *last.outweighed))


@record
class _Request:
    """What stays the same in all steps of a plan."""

    path: str
    releases: tuple[Release, ...]
    judge_as: Callable[[Cluster, Sequence[Release]], Judgement]
    allowed: frozenset[Risk]
    root: str


@record
class _Step:
    """Edits that all possible releases ask for, the changes behind them, and the reasons why others were left out.

    `refused`: uncertain or not allowed; `outweighed`: another finding wants another value for the same setting.
    """

    edits: tuple[FileEdit, ...]
    by_release: Mapping[Release, Changes]
    refused: tuple[str, ...]
    outweighed: tuple[str, ...]


def _plan_step(
    request: _Request, cluster: Cluster, judgement: Judgement, reading: Reading, edited: Mapping[str, bytes]
) -> _Step:
    """The edits that a judgement asks for. UsageError when the releases ask for different bytes."""
    possible = possible_releases(cluster.members[0], request.releases).releases
    certain = {_key(finding) for finding in _told(judgement) if finding.certain}
    planned: dict[tuple[FileEdit, ...], dict[Release, Changes]] = {}
    for release in possible:
        own = request.judge_as(cluster, [release]) if len(possible) > 1 else judgement
        changes = allowed_changes(own, request.allowed, certain)[0]
        edits = plan_edits(reading, changes, release, edited) if changes else ()
        planned.setdefault(tuple(sorted(edits, key=lambda edit: edit.path)), {})[release] = tuple(changes)
    if len(planned) > 1:
        raise _refusal(request.path, [list(group) for group in planned.values()])
    ((edits, by_release),) = planned.items()
    _, refused, outweighed = allowed_changes(judgement, request.allowed)
    return _Step(edits, by_release, tuple(refused), tuple(outweighed))


def _next_step(
    request: _Request, cluster: Cluster, edited: Mapping[str, bytes], releases: frozenset[Release]
) -> _Step | None:
    """What the edited files ask for; None where they no longer fit all of `releases`, those of the first step."""
    reading = read_file(request.path, root=request.root, edited=edited)
    changed = _with_options(cluster, redact_reading(reading))
    if not releases <= set(possible_releases(changed.members[0], request.releases).releases):
        return None
    return _plan_step(request, changed, request.judge_as(changed, request.releases), reading, edited)


def _with_options(cluster: Cluster, reading: Reading) -> Cluster:
    """The cluster with these option files; what was recognised by the files is recognised anew."""
    (member,) = cluster.members
    stated = member.role is not None and member.role_source.startswith(_STATED)
    elsewhere = member.options is not None and bool(member.options.kept_in)
    member = replace(member, options=reading)
    if elsewhere:  # the file says more than its options do
        return replace(cluster, members=(member,))
    if not stated:
        member = replace(member, role=None, role_source="")
    of_cluster = cluster.topology if cluster.topology_source.startswith(_STATED) else None
    recognised = recognise((member,), of_cluster)
    role = None if stated else recognised.roles.get(member.name)
    if role is not None:
        member = replace(member, role=role.value, role_source=role.source)
    topology = None if of_cluster else recognised.topology
    if topology is not None:
        cluster = replace(cluster, topology=topology.value, topology_source=topology.source)
    return replace(cluster, members=(member,))


def _contents(edits: Sequence[FileEdit], reading: Reading) -> dict[str, bytes]:
    """What the edits leave, by every path under which their files are read."""
    after = {identity(edit.path): edit.after for edit in edits}
    return {path: after[identity(path)] for path in reading.files if identity(path) in after}


def _joined(earlier: Sequence[FileEdit], later: Sequence[FileEdit]) -> tuple[FileEdit, ...]:
    """Both edits as one: from what was there before the earlier to what the later one leaves."""
    joined = {identity(edit.path): edit for edit in earlier}
    for edit in later:
        before = joined.get(identity(edit.path), edit)
        joined[identity(edit.path)] = replace(before, after=edit.after)
    return tuple(edit for edit in sorted(joined.values(), key=lambda edit: edit.path) if edit.before != edit.after)


def _followed_by(earlier: Changes, later: Changes) -> Changes:
    """The changes of both steps; of one setting the later one counts, with the value from before the earlier."""
    was = {change.name: change.was for change in earlier}
    names = {change.name for change in later}
    kept = tuple(change for change in earlier if change.name not in names)
    return (*kept, *(replace(change, was=was.get(change.name, "") or change.was) for change in later))


def parse_risks(text: str) -> frozenset[Risk]:
    """`R0,R1,C` as risk classes; UsageError for a word that is none."""
    classes = {str(risk).upper(): risk for risk in Risk}
    words = [word.strip().upper() for word in text.split(",") if word.strip()]
    unknown = [word for word in words if word not in classes]
    if unknown:
        raise UsageError(f"--allow {unknown[0]}: no such risk class", hint=", ".join(map(str, Risk)))
    return frozenset(classes[word] for word in words)


def _risks(finding: Finding) -> frozenset[Risk]:
    """What following a finding may cost: its advice's risks, and what the values that it sets give up."""
    stated = finding.advice.risk if finding.advice else ()
    values = ((change.name.replace("-", "_").lower(), str(change.value).lower()) for change in finding.changes)
    return frozenset((*stated, *(_GIVEN_UP[value] for value in values if value in _GIVEN_UP)))


def allowed_changes(
    judgement: Judgement, allowed: Iterable[Risk], only: set[tuple[str, str]] | None = None
) -> tuple[list[Change], list[str], list[str]]:
    """The changes of certain findings whose risks are all allowed; why others are refused, and which are outweighed.

    Where two findings want different values for one setting, the weightier one has it. `only` names the findings
    (rule, item) that may be followed; None: all.
    """
    chosen: dict[tuple[str, int], tuple[Change, str]] = {}
    refused: list[str] = []
    outweighed: list[str] = []
    permitted = set(allowed)
    for finding in _told(judgement):
        if not finding.changes or (only is not None and _key(finding) not in only):
            continue
        risks = sorted(str(risk) for risk in _risks(finding) - permitted)
        if not finding.certain:
            refused.append(f"{finding.rule.id}: applies to only some of the possible releases")
        elif risks:
            refused.append(f"{finding.rule.id}: risk {', '.join(risks)}; allow it with --allow")
        else:
            outweighed += _take(finding.changes, finding.rule.id, chosen)
    return [change for change, _ in chosen.values()], refused, outweighed


def _told(judgement: Judgement) -> list[Finding]:
    return [f for f in judgement.findings if f.verdict is Verdict.FINDING and not f.suppressed]


def _key(finding: Finding) -> tuple[str, str]:
    return finding.rule.id, finding.item


def _take(changes: Sequence[Change], rule: str, chosen: dict[tuple[str, int], tuple[Change, str]]) -> list[str]:
    left = []
    for change in changes:
        if change.releases:
            continue  # each release is judged by itself for the edits
        key = (change.name, change.line if change.value is None else 0)
        first, first_rule = chosen.setdefault(key, (change, rule))
        if first.value != change.value:
            left.append(f"{rule}: {change.name} = {change.value}, because {first_rule} sets it to {first.value}")
    return left


def _option_file(target: JudgedPaths) -> str:
    """The option file on this disk that the edits are for."""
    members = target.cluster.members
    if len(members) > 1:
        raise UsageError(
            f"--diff and --fix change the files of one server, not of {len(members)}",
            file=target.cluster.path,
            hint="name one option file at a time",
        )
    options = members[0].options if target.paths else None
    file = options.files[0] if options and options.files else ""
    if file.startswith(_PIPES):
        raise UsageError(
            "--diff and --fix cannot change standard input",
            file=file,
            hint="name the file instead",
        )
    if options and options.kept_in and os.path.isfile(file):
        return file
    below = os.path.join(target.paths[0], "") if target.paths and os.path.isdir(target.paths[0]) else "\0"
    if not os.path.isfile(file) or not (file in target.paths or file.startswith(below)):
        raise UsageError(
            "--diff and --fix need an option file that can be written",
            file=target.cluster.path,
            hint="name the server's option file (with dumps: my.cnf variables.txt --together), or make them by hand",
        )
    return file


def _refusal(path: str, groups: Sequence[Sequence[Release]]) -> UsageError:
    alike = " | ".join(join_labels(release.label for release in group) for group in groups)
    return UsageError(
        "the changes differ between the releases that this file may be for",
        file=path,
        hint=f"name the release, e.g. --server {groups[-1][-1].name}; releases with the same changes: {alike}",
    )
