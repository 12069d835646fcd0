"""What does the page of a rule say? Markdown made of the rule file alone, so that page and rule cannot differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from advisor.model.rules import Advice, Rule
from advisor.report.words.labels import EFFECTS, RISKS
from advisor.report.words.table import markdown_table


def rule_page(rule: Rule) -> str:
    """One rule's page."""
    parts = [
        f"# {rule.title}",
        f"`{rule.id}` · {rule.area} · {rule.severity}{_applicability(rule.applies)}",
        "**When**" + (f" (for each of `fact.{rule.each}`)" if rule.each else ""),
        f"```python\n{rule.when}\n```",
        f"**Says** {rule.finding}",
        *(f"**Advice**{_where(advice)}\n\n{_advice(advice)}" for advice in rule.advice),
        f"**Why** {rule.why}",
        "**Sources**\n\n" + "\n".join(f"- <{link}>" for link in rule.see),
    ]
    if rule.successor:
        parts.insert(1, f"Retired: see [{rule.successor}]({rule.successor}.md).")
    return "\n\n".join(parts) + "\n"


def index_page(rules: Iterable[Rule]) -> str:
    """The list of all rules by area."""
    areas: dict[str, list[Rule]] = {}
    for rule in rules:
        areas.setdefault(rule.area, []).append(rule)
    parts = [
        "# Rules",
        "Each rule makes one claim. `make docs` writes these pages; `advisor explain RULE` shows the same.",
    ]
    for area, members in sorted(areas.items()):
        rows = [(f"[{rule.id}]({rule.id}.md)", str(rule.severity), rule.title) for rule in members]
        table = markdown_table(("rule", "severity", "claim"), rows)
        parts.append("\n".join([f"## {area.replace('_', ' ')}", "", *table]))
    return "\n\n".join(parts) + "\n"


def _applicability(applies: Mapping[str, str | tuple[str, ...]]) -> str:
    conditions = [f"{key} {', '.join(value) if isinstance(value, tuple) else value}" for key, value in applies.items()]
    return " · " + "; ".join(conditions) if conditions else ""


def _where(advice: Advice) -> str:
    return f" on {_applicability(advice.applies)[3:]}" if advice.applies else ""


def _advice(advice: Advice) -> str:
    lines = [f"- set `{name} = {value}`" for name, value in advice.set.items()]
    lines += [f"- remove `{name}`" for name in advice.remove]
    lines += [f"- {advice.do}"] if advice.do else []
    lines += [f"- risk {risk}: {RISKS[risk]}" for risk in advice.risk]
    lines += [f"- takes effect: {EFFECTS[advice.takes_effect]}"] if advice.takes_effect else []
    lines += [f"- costs: {advice.costs}"] if advice.costs else []
    return "\n".join(lines)
