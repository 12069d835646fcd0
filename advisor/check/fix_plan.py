"""Which edits do the findings ask for, and are they the same for every release the server may be?"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

from advisor.check.possible_releases import possible_releases
from advisor.errors import UsageError
from advisor.model.evidence import Cluster
from advisor.model.record import record
from advisor.model.rules import Change, Finding, JudgedPaths, Judgement, Risk, Verdict
from advisor.model.server import Release, join_labels
from advisor.options import read_file
from advisor.options.edit.edits import FileEdit, plan_edits

Changes = tuple[Change, ...]


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
    path = _option_file(target)
    possible = possible_releases(target.cluster.members[0], releases).releases
    certain = {_key(finding) for finding in _told(target.judgement) if finding.certain}
    _, left = allowed_changes(target.judgement, allowed)
    # Read anew: in the evidence passwords are masked, and an edit must keep them.
    reading = read_file(path, root=root or "/")
    planned: dict[tuple[FileEdit, ...], list[tuple[Release, Changes]]] = {}
    for release in possible:
        judgement = judge_as(target.cluster, [release]) if len(possible) > 1 else target.judgement
        changes = allowed_changes(judgement, allowed, certain)[0]
        edits = plan_edits(reading, changes, release) if changes else ()
        planned.setdefault(tuple(sorted(edits, key=lambda edit: edit.path)), []).append((release, tuple(changes)))
    if len(planned) > 1:
        raise _refusal(path, [[release for release, _ in group] for group in planned.values()])
    ((edits, by_release),) = planned.items()
    return FixPlan(edits, tuple(by_release), tuple(left))


def parse_risks(text: str) -> frozenset[Risk]:
    """`R0,R1,C` as risk classes; UsageError for a word that is none."""
    classes = {str(risk).upper(): risk for risk in Risk}
    words = [word.strip().upper() for word in text.split(",") if word.strip()]
    unknown = [word for word in words if word not in classes]
    if unknown:
        raise UsageError(f"--allow {unknown[0]}: no such risk class", hint=", ".join(map(str, Risk)))
    return frozenset(classes[word] for word in words)


def allowed_changes(
    judgement: Judgement, allowed: Iterable[Risk], only: set[tuple[str, str]] | None = None
) -> tuple[list[Change], list[str]]:
    """The changes of certain findings whose risks are all allowed; and why the others are left out.

    Where two findings want different values for one setting, the weightier one has it. `only` names the findings
    (rule, item) that may be followed; None: all.
    """
    chosen: dict[tuple[str, int], tuple[Change, str]] = {}
    left: list[str] = []
    permitted = set(allowed)
    for finding in _told(judgement):
        if not finding.changes or (only is not None and _key(finding) not in only):
            continue
        refused = [str(risk) for risk in (finding.advice.risk if finding.advice else ()) if risk not in permitted]
        if not finding.certain:
            left.append(f"{finding.rule.id}: holds for only some releases")
        elif refused:
            left.append(f"{finding.rule.id}: risk {', '.join(refused)}; allow it with --allow")
        else:
            left += _take(finding.changes, finding.rule.id, chosen)
    return [change for change, _ in chosen.values()], left


def _told(judgement: Judgement) -> list[Finding]:
    return [f for f in judgement.findings if f.verdict is Verdict.FINDING and not f.suppressed]


def _key(finding: Finding) -> tuple[str, str]:
    return finding.rule.id, finding.item


def _take(changes: Sequence[Change], rule: str, chosen: dict[tuple[str, int], tuple[Change, str]]) -> list[str]:
    left = []
    for change in changes:
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
    below = os.path.join(target.paths[0], "") if target.paths and os.path.isdir(target.paths[0]) else "\0"
    if not os.path.isfile(file) or not (file in target.paths or file.startswith(below)):
        raise UsageError(
            "--diff and --fix need an option file that can be written",
            file=target.cluster.path,
            hint="name the server's option file; with dumps: my.cnf variables.txt --together",
        )
    return file


def _refusal(path: str, groups: Sequence[Sequence[Release]]) -> UsageError:
    alike = " | ".join(join_labels(release.label for release in group) for group in groups)
    return UsageError(
        "the changes differ between the releases this file may be for",
        file=path,
        hint=f"name the release, e.g. --server {groups[-1][-1].name}; these need the same changes: {alike}",
    )
