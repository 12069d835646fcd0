"""What may the file of a cause or a ceiling contain? Turns one YAML document into its record."""

from __future__ import annotations

from typing import Any

from advisor.check.schema import build_advice, build_applies
from advisor.errors import RuleError
from advisor.model.diagnosis import Cause, Ceiling, Sign, Threads, Where
from advisor.yaml_shapes import (
    condition,
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

CAUSE_KEYS = (
    "id", "title", "answer", "where", "applies_to", "explains", "may_explain", "signs", "against", "symptom_of",
    "ceiling", "gain", "cpu_left", "settles", "command", "advice", "plainly", "why", "see",
)  # fmt: skip
SIGN_KEYS = ("when", "strength", "separates", "says")
CEILING_KEYS = ("id", "title", "where", "applies_to", "per_second", "finding", "lifted_by", "why", "see")


def build_cause(data: Any, stem: str, file: str) -> Cause:
    """A cause from the first document of its file; RuleError names the key at fault."""
    needed = ("id", "title", "where", "signs", "plainly", "why")
    data = _checked(data, CAUSE_KEYS, needed, "cause", stem, file)
    gain, cpu_left = (one_line(data.get(key, "")) for key in ("gain", "cpu_left"))
    return Cause(
        id=stem,
        title=one_line(data["title"]),
        where=word_of(Where, data["where"], "where", file),
        signs=tuple(_sign(item, file) for item in listed(data["signs"])),
        why=one_line(data["why"]),
        plainly=one_line(data["plainly"]),
        against=tuple(_sign(item, file) for item in listed(data.get("against"))),
        symptom_of=tuple(texts(data.get("symptom_of", []), "symptom_of", file)),
        ceiling=str(data.get("ceiling", "")),
        gain=gain,
        cpu_left=cpu_left,
        settles=one_line(data.get("settles", "")),
        command=str(data.get("command", "")).strip(),
        advice=tuple(build_advice(item, file) for item in listed(data.get("advice"))),
        see=tuple(texts(data.get("see", []), "see", file)),
        applies=build_applies(data.get("applies_to", {}), file),
        explains=_explains(data, "explains", file),
        may_explain=_explains(data, "may_explain", file),
        answer=one_of(data.get("answer", "limit"), ("limit", "no_fault"), "answer", file),
        file=file,
        gain_tree=condition(gain, file) if gain else [],
        cpu_left_tree=condition(cpu_left, file) if cpu_left else [],
    )


def _explains(data: Any, key: str, file: str) -> dict[str, tuple[str, ...]]:
    """Group of threads → classes of waits; the loader checks that they exist."""
    groups = mapping(data.get(key), key, file)
    refuse_unknown(groups, tuple(Threads), key, file)
    return {group: tuple(texts(classes, f"{key}.{group}", file)) for group, classes in groups.items()}


def build_ceiling(data: Any, stem: str, file: str) -> Ceiling:
    """A ceiling from its file; RuleError names the key at fault."""
    needed = ("id", "title", "where", "per_second", "finding", "why")
    data = _checked(data, CEILING_KEYS, needed, "ceiling", stem, file)
    return Ceiling(
        id=stem,
        title=one_line(data["title"]),
        where=word_of(Where, data["where"], "where", file),
        per_second=one_line(data["per_second"]),
        finding=one_line(data["finding"]),
        why=one_line(data["why"]),
        lifted_by=tuple(texts(data.get("lifted_by", []), "lifted_by", file)),
        see=tuple(texts(data.get("see", []), "see", file)),
        applies=build_applies(data.get("applies_to", {}), file),
        file=file,
        tree=condition(one_line(data["per_second"]), file),
    )


def _checked(
    data: Any, keys: tuple[str, ...], needed: tuple[str, ...], what: str, stem: str, file: str
) -> dict[str, Any]:
    checked = mapping(data, what, file)
    refuse_unknown(checked, keys, what, file)
    require(checked, needed, what, file)
    require_id(checked, stem, file)
    return checked


def _sign(data: Any, file: str) -> Sign:
    data = mapping(data, "sign", file)
    require(data, ("when", "strength", "says"), "sign", file)
    refuse_unknown(data, SIGN_KEYS, "sign", file)
    try:
        strength = float(data["strength"])
    except ValueError:
        strength = 0.0
    if not 0 < strength < 1:
        raise RuleError(f"strength: {data['strength']!r} is not between 0 and 1", file=file)
    when = one_line(data["when"])
    separates = one_of(data.get("separates", "no"), ("yes", "no"), "separates", file) == "yes"
    return Sign(when, strength, one_line(data["says"]), separates, condition(when, file))
