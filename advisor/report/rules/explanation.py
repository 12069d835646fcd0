"""What does one rule claim? Its page in the terminal, and the same as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Final

from advisor.model.rules import Advice, Rule
from advisor.report.words.labels import EFFECTS, RISKS
from advisor.report.words.layout import Page

SCHEMA: Final = "advisor/rule/1"


@dataclass(frozen=True, slots=True)
class RuleAdvice:
    """What to change. `for_` ("for" in the JSON): product and versions that this advice is for; {} for all others.

    `set` has values or formulas as the rule file writes them.
    """

    for_: dict[str, str | list[str]]
    set: dict[str, str]
    remove: list[str]
    do: str
    risk: list[str]
    costs: str


@dataclass(frozen=True, slots=True)
class RuleExplanation:
    """A rule as its file states it. `successor`: the rule that replaces a retired one, or ""."""

    schema: str
    rule: str
    title: str
    area: str
    severity: str
    status: str
    successor: str
    when: str
    finding: str
    why: str
    proof: str
    file: str
    applies: dict[str, str | list[str]]
    see: list[str]
    advice: list[RuleAdvice]


def render(rule: Rule, page: Page) -> str:
    """The rule's claim, reasons, advice and sources as text."""
    heading = f"{str(rule.severity).upper():8}  {rule.id}"
    lines = [page.paint(heading, str(rule.severity)), *page.wrap(rule.title, 2), ""]
    if rule.status != "stable":
        lines += page.labelled("status", [rule.status + (f"; see {rule.successor}" if rule.successor else "")])
    applies = [f"{key}: {value if isinstance(value, str) else ', '.join(value)}" for key, value in rule.applies.items()]
    lines += page.labelled("applies to", applies)
    lines += page.labelled("for each", [rule.each.replace("_", " ")] if rule.each else [])
    lines += page.labelled("when", [rule.when])
    lines += page.labelled("says", [rule.finding])
    for advice in rule.advice:
        lines += ["", *_advice(advice, page)]
    lines += ["", *page.wrap(rule.why, 2), ""]
    lines += page.labelled("see", list(rule.see))
    lines += page.labelled("proof", [rule.proof] if rule.proof else [])
    lines += page.labelled("file", [rule.file])
    return "\n".join(lines) + "\n"


def as_json(rule: Rule) -> str:
    """The rule as JSON."""
    import json

    told = asdict(_explanation(rule))
    for advice in told["advice"]:
        advice["for"] = advice.pop("for_")
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def _explanation(rule: Rule) -> RuleExplanation:
    return RuleExplanation(
        schema=SCHEMA,
        rule=rule.id,
        title=rule.title,
        area=rule.area,
        severity=str(rule.severity),
        status=rule.status,
        successor=rule.successor,
        when=rule.when,
        finding=rule.finding,
        why=rule.why,
        proof=rule.proof,
        file=rule.file,
        applies=_conditions(rule.applies),
        see=list(rule.see),
        advice=[
            RuleAdvice(
                for_=_conditions(one.applies),
                set=dict(one.set),
                remove=list(one.remove),
                do=one.do,
                risk=[str(risk) for risk in one.risk],
                costs=one.costs,
            )
            for one in rule.advice
        ],
    )


def _conditions(applies: Mapping[str, str | tuple[str, ...]]) -> dict[str, str | list[str]]:
    return {key: value if isinstance(value, str) else list(value) for key, value in applies.items()}


def _advice(advice: Advice, page: Page) -> list[str]:
    lines = page.labelled("for", [f"{server} {versions}" for server, versions in advice.applies.items()])
    lines += page.labelled("set", [f"{name} = {value.removeprefix('= ')}" for name, value in advice.set.items()])
    lines += page.labelled("remove", ["the setting itself" if name == "item" else name for name in advice.remove])
    lines += page.labelled("do", [advice.do] if advice.do else [])
    lines += page.labelled("risk", [f"{risk}: {RISKS[risk]}" for risk in advice.risk])
    lines += page.labelled("takes effect", [EFFECTS[advice.takes_effect]] if advice.takes_effect else [])
    return lines + page.labelled("costs", [advice.costs] if advice.costs else [])
