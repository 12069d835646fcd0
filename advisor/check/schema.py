"""What may a rule file contain? Turns one YAML document into a Rule, or reports exactly what is wrong."""

from __future__ import annotations

from typing import Any

from advisor.errors import RuleError
from advisor.model.rules import Advice, Risk, Rule, Severity, TakesEffect
from advisor.model.server import Role, Topology
from advisor.yaml_shapes import (
    condition,
    constraint,
    listed,
    mapping,
    one_line,
    one_of,
    refuse_unknown,
    require,
    require_id,
    texts,
    word_of,
)  # fmt: skip

# Order is the order of reading: what it claims, when, what to do, why.
RULE_KEYS = (
    "id", "title", "severity", "status", "successor", "weight", "scope", "each", "applies_to", "when", "finding",
    "default_hazard", "advice", "why", "see", "proof",
)  # fmt: skip
ADVICE_KEYS = ("for", "set", "remove", "do", "risk", "takes_effect", "costs")
APPLIES_KEYS = ("mysql", "mariadb", "vendors", "roles", "topologies")
_NEEDED = ("id", "title", "severity", "when", "finding", "why", "see")
_STATUS = ("trial", "stable", "retired")


def build_rule(data: Any, area: str, stem: str, file: str) -> Rule:
    """A Rule from the first document of a rule file; RuleError names the key at fault."""
    data = mapping(data, "rule", file)
    refuse_unknown(data, RULE_KEYS, "rule", file)
    require(data, _NEEDED, "rule", file)
    require_id(data, stem, file)
    status = data.get("status", "stable")
    if status not in _STATUS or (status == "retired") != bool(data.get("successor")):
        raise RuleError("status: must be trial, stable, or retired with a successor", file=file)
    return Rule(
        id=stem,
        title=one_line(data["title"]),
        area=area,
        severity=word_of(Severity, data["severity"], "severity", file),
        when=one_line(data["when"]),
        finding=one_line(data["finding"]),
        why=one_line(data["why"]),
        see=tuple(texts(data["see"], "see", file)),
        advice=tuple(build_advice(item, file) for item in listed(data.get("advice"))),
        applies=build_applies(data.get("applies_to", {}), file),
        scope=one_of(data.get("scope", "member"), ("member", "cluster"), "scope", file),
        each=str(data.get("each", "")),
        weight=_number(data.get("weight", "50"), file),
        status=status,
        successor=str(data.get("successor", "")),
        proof=str(data.get("proof", "")),
        default_hazard=one_of(data.get("default_hazard", "no"), ("yes", "no"), "default_hazard", file) == "yes",
        file=file,
        tree=condition(one_line(data["when"]), file),
    )


def build_advice(data: Any, file: str) -> Advice:
    """The advice of a rule or a cause; RuleError names what is wrong."""
    data = mapping(data, "advice", file)
    refuse_unknown(data, ADVICE_KEYS, "advice", file)
    settings = data.get("set", {})
    if not isinstance(settings, dict) or not all(isinstance(value, str) for value in settings.values()):
        raise RuleError("advice: set: must be a mapping of variables to values", file=file)
    values = {name: one_line(value) for name, value in settings.items()}
    expressions = [value for value in values.values() if value.startswith("=")]
    risks = [word_of(Risk, risk, "risk", file) for risk in listed(data.get("risk", "R0"))]
    effect = data.get("takes_effect")
    advice = Advice(
        set=values,
        remove=tuple(texts(data.get("remove", []), "remove", file)),
        do=one_line(data.get("do", "")),
        applies=build_applies(data.get("for", {}), file),  # type: ignore[arg-type]
        risk=tuple(risks),
        takes_effect=word_of(TakesEffect, effect, "takes_effect", file) if effect else None,
        costs=one_line(data.get("costs", "")),
        trees={text: condition(text[1:], file) for text in expressions},
    )
    if not (advice.set or advice.remove or advice.do):
        raise RuleError("advice needs at least one of `set`, `remove` and `do`", file=file)
    return advice


def build_applies(data: Any, file: str) -> dict[str, str | tuple[str, ...]]:
    """What a rule, advice or a cause is about: releases, vendors, roles, topologies."""
    data = mapping(data, "applies_to", file)
    refuse_unknown(data, APPLIES_KEYS, "applies_to", file)
    applies: dict[str, str | tuple[str, ...]] = {}
    for key, value in data.items():
        if key in ("mysql", "mariadb"):
            applies[key] = constraint(value, key, file)
        else:
            kind = {"roles": Role, "topologies": Topology}.get(key)
            words = texts(value, key, file)
            applies[key] = tuple(str(word_of(kind, word, key, file)) if kind else word for word in words)
    return applies


def _number(text: Any, file: str) -> int:
    if not str(text).isdecimal():
        raise RuleError(f"weight: {text!r} is not a number", file=file)
    return int(text)
