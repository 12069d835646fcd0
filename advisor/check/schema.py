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
    _known(data, RULE_KEYS, file, "rule")
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
        title=_line(data["title"]),
        area=area,
        severity=_word(Severity, data["severity"], "severity", file),
        when=_line(data["when"]),
        finding=_line(data["finding"]),
        why=_line(data["why"]),
        see=tuple(_texts(data["see"], "see", file)),
        advice=tuple(_advice(item, file) for item in _listed(data.get("advice"))),
        applies=_applies(data.get("applies_to", {}), file),
        scope=_one_of(data.get("scope", "member"), ("member", "cluster"), "scope", file),
        each=str(data.get("each", "")),
        weight=_number(data.get("weight", "50"), file),
        status=status,
        successor=str(data.get("successor", "")),
        proof=str(data.get("proof", "")),
        default_hazard=_one_of(data.get("default_hazard", "no"), ("yes", "no"), "default_hazard", file) == "yes",
        file=file,
        tree=_condition(_line(data["when"]), file),
    )


def _advice(data: Any, file: str) -> Advice:
    if not isinstance(data, dict):
        raise RuleError("advice is a mapping (or a list of them)", file=file)
    _known(data, ADVICE_KEYS, file, "advice")
    settings = data.get("set", {})
    if not isinstance(settings, dict) or not all(isinstance(value, str) for value in settings.values()):
        raise RuleError("advice: set is a mapping of variable: value", file=file)
    values = {name: _line(value) for name, value in settings.items()}
    expressions = [value for value in values.values() if value.startswith("=")]
    risks = [_word(Risk, risk, "risk", file) for risk in _listed(data.get("risk", "R0"))]
    effect = data.get("takes_effect")
    advice = Advice(
        set=values,
        remove=tuple(_texts(data.get("remove", []), "remove", file)),
        do=_line(data.get("do", "")),
        applies=_applies(data.get("for", {}), file),  # type: ignore[arg-type]
        risk=tuple(risks),
        takes_effect=_word(TakesEffect, effect, "takes_effect", file) if effect else None,
        costs=_line(data.get("costs", "")),
        trees={text: _condition(text[1:], file) for text in expressions},
    )
    if not (advice.set or advice.remove or advice.do):
        raise RuleError("advice says neither set, remove nor do", file=file)
    return advice


def _applies(data: Any, file: str) -> dict[str, str | tuple[str, ...]]:
    if not isinstance(data, dict):
        raise RuleError("applies_to is a mapping", file=file)
    _known(data, APPLIES_KEYS, file, "applies_to")
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
            words = _texts(value, key, file)
            applies[key] = tuple(str(_word(kind, word, key, file)) if kind else word for word in words)
    return applies


def _condition(text: str, file: str) -> Any:
    try:
        return parse(text)
    except RuleError as error:
        raise RuleError(error.message, file=file, hint=error.hint) from None


def _known(data: dict[str, Any], keys: tuple[str, ...], file: str, what: str) -> None:
    for key in data:
        if key not in keys:
            raise RuleError(f"{what} has no key {key!r}", file=file, hint="it has " + ", ".join(keys))


def _word(kind: Any, word: Any, key: str, file: str) -> Any:
    try:
        return kind(word)
    except ValueError:
        raise RuleError(f"{key}: {word!r} is not one of {', '.join(kind)}", file=file) from None


def _one_of(word: Any, words: tuple[str, ...], key: str, file: str) -> str:
    if word not in words:
        raise RuleError(f"{key}: {word!r} is not one of {', '.join(words)}", file=file)
    return str(word)


def _number(text: Any, file: str) -> int:
    if not str(text).isdigit():
        raise RuleError(f"weight: {text!r} is no number", file=file)
    return int(text)


def _texts(data: Any, key: str, file: str) -> list[str]:
    items = _listed(data)
    if not all(isinstance(item, str) for item in items):
        raise RuleError(f"{key} is a list of texts", file=file)
    return items


def _listed(data: Any) -> list[Any]:
    return data if isinstance(data, list) else [] if data in (None, "") else [data]


def _line(text: Any) -> str:
    return " ".join(str(text).split())
