"""What may stand in a rule file? Turns the text of one YAML document into a Rule, or says exactly what is wrong."""

from __future__ import annotations

from typing import Any

from advisor.conditions import satisfies
from advisor.errors import RuleError
from advisor.expressions import parse
from advisor.model.rules import Advice, Risk, Rule, Severity, TakesEffect
from advisor.model.server import Role, Topology

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
    if not isinstance(data, dict):
        raise RuleError("a rule is a mapping of keys", file=file)
    refuse_unknown(data, RULE_KEYS, file, "rule")
    missing = [key for key in _NEEDED if not data.get(key)]
    if missing:
        raise RuleError(f"the key {missing[0]!r} is missing", file=file)
    if data["id"] != stem:
        raise RuleError(f"the id {data['id']!r} is not the name of the file", file=file, hint=f"id: {stem}")
    status = data.get("status", "stable")
    if status not in _STATUS or (status == "retired") != bool(data.get("successor")):
        raise RuleError("status is trial, stable, or retired with a successor", file=file)
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
        tree=build_condition(one_line(data["when"]), file),
    )


def build_advice(data: Any, file: str) -> Advice:
    """One advice of a rule or a cause; RuleError names what is wrong."""
    if not isinstance(data, dict):
        raise RuleError("advice is a mapping (or a list of them)", file=file)
    refuse_unknown(data, ADVICE_KEYS, file, "advice")
    settings = data.get("set", {})
    if not isinstance(settings, dict) or not all(isinstance(value, str) for value in settings.values()):
        raise RuleError("advice: set is a mapping of variable: value", file=file)
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
        trees={text: build_condition(text[1:], file) for text in expressions},
    )
    if not (advice.set or advice.remove or advice.do):
        raise RuleError("advice says neither set, remove nor do", file=file)
    return advice


def build_applies(data: Any, file: str) -> dict[str, str | tuple[str, ...]]:
    """What a rule, an advice or a cause is about: releases, vendors, roles, topologies."""
    if not isinstance(data, dict):
        raise RuleError("applies_to is a mapping", file=file)
    refuse_unknown(data, APPLIES_KEYS, file, "applies_to")
    applies: dict[str, str | tuple[str, ...]] = {}
    for key, value in data.items():
        if key in ("mysql", "mariadb"):
            try:
                satisfies((1, 0, 0), value)
            except RuleError as error:
                raise RuleError(error.message, file=file, hint=error.hint) from None
            applies[key] = value
        else:
            kind = {"roles": Role, "topologies": Topology}.get(key)
            words = texts(value, key, file)
            applies[key] = tuple(str(word_of(kind, word, key, file)) if kind else word for word in words)
    return applies


def build_condition(text: str, file: str) -> Any:
    """The tree of a condition or expression; RuleError names the file."""
    try:
        return parse(text)
    except RuleError as error:
        raise RuleError(error.message, file=file, hint=error.hint) from None


def refuse_unknown(data: dict[str, Any], keys: tuple[str, ...], file: str, what: str) -> None:
    """RuleError for the first key that is none of these."""
    for key in data:
        if key not in keys:
            raise RuleError(f"{what} has no key {key!r}", file=file, hint="it has " + ", ".join(keys))


def word_of(kind: Any, word: Any, key: str, file: str) -> Any:
    """The member of an enum that a word names; RuleError lists them."""
    try:
        return kind(word)
    except ValueError:
        raise RuleError(f"{key}: {word!r} is not one of {', '.join(kind)}", file=file) from None


def one_of(word: Any, words: tuple[str, ...], key: str, file: str) -> str:
    """The word, when it is one of these; RuleError lists them."""
    if word not in words:
        raise RuleError(f"{key}: {word!r} is not one of {', '.join(words)}", file=file)
    return str(word)


def _number(text: Any, file: str) -> int:
    if not str(text).isdecimal():
        raise RuleError(f"weight: {text!r} is no number", file=file)
    return int(text)


def texts(data: Any, key: str, file: str) -> list[str]:
    """One text or a list of them, as a list."""
    items = listed(data)
    if not all(isinstance(item, str) for item in items):
        raise RuleError(f"{key} is a list of texts", file=file)
    return items


def listed(data: Any) -> list[Any]:
    """A list as it is, nothing as an empty one, anything else as the only item."""
    return data if isinstance(data, list) else [] if data in (None, "") else [data]


def one_line(text: Any) -> str:
    """Text with its line breaks taken out."""
    return " ".join(str(text).split())
