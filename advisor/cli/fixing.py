"""How do findings become changed files? Collects the changes that are allowed, shows them, writes them when asked."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence

from advisor.cli.judging import Outcome
from advisor.cli.terminal import Colour, page_for, write
from advisor.errors import UsageError
from advisor.model.evidence import Cluster
from advisor.model.rules import Change, Judgement, Risk, Verdict
from advisor.model.server import Release


def offer(outcome: Outcome, allow: str, colour: Colour, width: int, *, fix: bool) -> None:
    """Show the diff and the statements for every option file; with `fix`, write the files too."""
    from advisor.options import read_file
    from advisor.options.edit import plan_edits, write_edits
    from advisor.report import diff
    from advisor.report.values import place

    allowed = parse_risks(allow)
    page = page_for(sys.stdout, colour, width)
    for cluster, judgement in zip(outcome.clusters, outcome.judgements, strict=True):
        release = _release(cluster, outcome.releases)
        changes, left = allowed_changes(judgement, allowed)
        # Read anew: in the evidence passwords are masked, and an edit must keep them.
        edits = plan_edits(read_file(cluster.path), changes, release) if changes else ()
        write("\n" + diff.render(edits, changes, release, page))
        for reason in left:
            write(f"left out: {reason}\n")
        if fix and edits:
            backups = write_edits(edits)
            for edit, backup in zip(edits, backups, strict=True):
                write(f"changed {place(edit.path)}; back with: mv {place(backup)} {place(edit.path)}\n")


def parse_risks(text: str) -> frozenset[Risk]:
    """`R0,R1,C` as risk classes; UsageError for a word that is none."""
    classes = {str(risk).upper(): risk for risk in Risk}
    words = [word.strip().upper() for word in text.split(",") if word.strip()]
    unknown = [word for word in words if word not in classes]
    if unknown:
        raise UsageError(f"--allow {unknown[0]}: no such risk class", hint=", ".join(map(str, Risk)))
    return frozenset(classes[word] for word in words)


def allowed_changes(judgement: Judgement, allowed: Iterable[Risk]) -> tuple[list[Change], list[str]]:
    """The changes of certain findings whose risks are all allowed; and why the others are left out.

    Where two findings want different values for one setting, the weightier one has it.
    """
    chosen: dict[tuple[str, int], tuple[Change, str]] = {}
    left: list[str] = []
    permitted = set(allowed)
    for finding in judgement.findings:
        if finding.verdict is not Verdict.FINDING or finding.suppressed or not finding.changes:
            continue
        refused = [str(risk) for risk in (finding.advice.risk if finding.advice else ()) if risk not in permitted]
        if not finding.certain:
            left.append(f"{finding.rule.id}: holds for some releases only")
        elif refused:
            left.append(f"{finding.rule.id}: risk {', '.join(refused)}; allow it with --allow")
        else:
            left += _take(finding.changes, finding.rule.id, chosen)
    return [change for change, _ in chosen.values()], left


def _take(changes: Sequence[Change], rule: str, chosen: dict[tuple[str, int], tuple[Change, str]]) -> list[str]:
    left = []
    for change in changes:
        key = (change.name, change.line if change.value is None else 0)
        first, first_rule = chosen.setdefault(key, (change, rule))
        if first.value != change.value:
            left.append(f"{rule}: {change.name} = {change.value}, because {first_rule} sets it to {first.value}")
    return left


def _release(cluster: Cluster, releases: Sequence[Release]) -> Release:
    """The one release the edits are for."""
    if not os.path.isfile(cluster.path) or len(cluster.members) != 1 or not cluster.members[0].options:
        raise UsageError("--diff and --fix change option files, and this is none", file=cluster.path)
    if len(releases) != 1:
        raise UsageError("--diff and --fix need one exact release", hint="for example --server mysql-8.0.36")
    return releases[0]
