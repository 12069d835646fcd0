"""What does one rule claim? Its page in the terminal."""

from __future__ import annotations

from advisor.model.rules import Advice, Rule
from advisor.report.words.labels import EFFECTS, RISKS
from advisor.report.words.layout import Page


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
    """{"schema", "rule", "title", …, "advice": [{"for", "set", "remove", "do", "risk", "costs"}]}."""
    import json

    names = ("title", "area", "severity", "status", "successor", "when", "finding", "why", "proof", "file")
    advice = [
        {
            "for": dict(one.applies),
            "set": dict(one.set),
            "remove": list(one.remove),
            "do": one.do,
            "risk": [str(risk) for risk in one.risk],
            "costs": one.costs,
        }
        for one in rule.advice
    ]
    head = {"schema": "advisor/rule/1", "rule": rule.id, **{name: getattr(rule, name) for name in names}}
    rest = {"applies": dict(rule.applies), "see": list(rule.see), "advice": advice}
    return json.dumps({**head, **rest}, indent=2, ensure_ascii=False) + "\n"


def _advice(advice: Advice, page: Page) -> list[str]:
    lines = page.labelled("for", [f"{server} {versions}" for server, versions in advice.applies.items()])
    lines += page.labelled("set", [f"{name} = {value.removeprefix('= ')}" for name, value in advice.set.items()])
    lines += page.labelled("remove", ["the setting itself" if name == "item" else name for name in advice.remove])
    lines += page.labelled("do", [advice.do] if advice.do else [])
    lines += page.labelled("risk", [f"{risk}: {RISKS[risk]}" for risk in advice.risk])
    lines += page.labelled("takes effect", [EFFECTS[advice.takes_effect]] if advice.takes_effect else [])
    return lines + page.labelled("costs", [advice.costs] if advice.costs else [])
