"""Does every name in a rule mean something? Misspelt names are errors, never silence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from advisor.check.known_names import WORDS, alike, is_variable, known_name, provider_names
from advisor.check.message import holes
from advisor.conditions import names
from advisor.errors import RuleError
from advisor.evidence.facts import derived_facts
from advisor.model.rules import Rule


def lint(rule: Rule) -> None:
    """Raise RuleError for the first name of a rule that nothing can ever give."""
    used = [*names(rule.tree), *holes(rule.finding)]
    for advice in rule.advice:
        used += [*holes(advice.do), *holes(advice.costs), *_expression_names(advice.set.values())]
        for name in (*advice.set, *advice.remove):
            if name != "item" and not _settable(name):
                raise RuleError(f"advice: no server has the setting {name!r}", file=rule.file, line=_line(rule, name))
    for name in used:
        _check_name(name, rule)
    if rule.each and rule.each not in derived_facts():
        raise RuleError(f"each: there is no derived fact {rule.each!r}", file=rule.file)


def _expression_names(values: object) -> Iterator[str]:
    from advisor.expressions import parse

    for value in values:  # type: ignore[attr-defined]
        if value.startswith("="):
            yield from names(parse(value[1:]))


def _settable(name: str) -> bool:
    if name.startswith("galera."):
        return name[7:] in provider_names()
    return is_variable(name)


def _check_name(name: str, rule: Rule) -> None:
    head, _, rest = name.partition(".")
    if name in WORDS:
        return
    if head == "source" and rest:
        _check_name(rest, rule)
        return
    if head == "item" and rest:
        if not rule.each:
            raise RuleError(f"{name}: only a rule with `each` can use item", file=rule.file, line=_line(rule, name))
        return
    if not known_name(name):
        hint = f"did you mean {meant}?" if (meant := alike(name)) else "see docs/rule-format.md for the prefixes"
        raise RuleError(f"unknown name {name!r}", file=rule.file, line=_line(rule, name), hint=hint)


def _line(rule: Rule, name: str) -> int:
    """The line the name stands on, 0 when that cannot be told."""
    wanted = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    try:
        lines = Path(rule.file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return 0
    return next((number for number, line in enumerate(lines, 1) if wanted.search(line)), 0)
