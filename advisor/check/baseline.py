"""Which findings were there before? A baseline file lists them, so that only new ones count."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from advisor.errors import InputError
from advisor.model.record import replace
from advisor.model.rules import Finding, Judgement, Verdict

SCHEMA: Final = "advisor/baseline/1"
HINT: Final = "create one with --write-baseline FILE"
Entry = tuple[str, str, str, str]  # rule, file, member, item: no line, which moves with every edit


def entry(finding: Finding, path: str, folder: str) -> Entry:
    """What a finding is recognised by. Files are named as seen from `folder`, the baseline's own."""
    file = os.path.relpath(finding.file or path, folder).replace(os.sep, "/")
    return finding.rule.id, file, finding.member, finding.item


def record(judgements: Sequence[Judgement], folder: str) -> str:
    """The baseline's text: every finding that is not suppressed, in a fixed order, one a line for a readable diff."""
    import json

    entries = {
        entry(finding, judgement.path, folder)
        for judgement in judgements
        for finding in judgement.findings
        if finding.verdict is Verdict.FINDING and not finding.suppressed
    }
    names = ("rule", "file", "member", "item")
    lines = [json.dumps(dict(zip(names, entry_values, strict=True))) for entry_values in sorted(entries)]
    listed = ",\n    ".join(lines)
    return f'{{\n  "schema": "{SCHEMA}",\n  "findings": [\n    {listed}\n  ]\n}}\n'


def read(text: str, file: str) -> frozenset[Entry]:
    """The entries of a baseline's text; InputError when it is none."""
    import json

    try:
        data = json.loads(text)
    except ValueError as error:
        raise InputError(f"not a baseline: {error}", file=file, hint=HINT) from None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise InputError("not a baseline", file=file, hint=HINT)
    try:
        return frozenset((e["rule"], e["file"], e["member"], e["item"]) for e in data["findings"])
    except (KeyError, TypeError):
        raise InputError("an entry lacks rule, file, member or item", file=file, hint=HINT) from None


def accept(judgement: Judgement, known: frozenset[Entry], folder: str) -> Judgement:
    """The judgement with findings of the baseline marked as suppressed."""
    findings = tuple(
        replace(finding, suppressed="in the baseline")
        if finding.verdict is Verdict.FINDING
        and not finding.suppressed
        and entry(finding, judgement.path, folder) in known
        else finding
        for finding in judgement.findings
    )
    return replace(judgement, findings=findings)
