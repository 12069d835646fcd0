"""Which rules are there? As a table for people, as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from advisor.model.rules import Rule
from advisor.units import show


def as_text(rules: Sequence[Rule]) -> str:
    """One line per rule below its area: id, severity, title; retired ones say so."""
    lines: list[str] = []
    longest = max((len(rule.id) for rule in rules), default=0)
    for area, those in groupby(sorted(rules, key=lambda r: (r.area, r.id)), key=lambda r: r.area):
        lines += ["", area] if lines else [area]
        for rule in those:
            status = "" if rule.status == "stable" else f" ({rule.status})"
            lines.append(f"  {rule.id:{longest}}  {rule.severity:8}  {rule.title}{status}")
    return "\n".join([*lines, "", show(len(rules), "rules")]) + "\n"


def as_json(rules: Sequence[Rule]) -> str:
    """{"schema", "rules": [{"id", "area", "title", "severity", "status", "successor", "see", "file"}]}."""
    import json

    names = ("id", "area", "title", "severity", "status", "successor", "see", "file")
    rows = [{name: getattr(rule, name) for name in names} for rule in rules]
    return json.dumps({"schema": "1", "rules": rows}, indent=2) + "\n"
