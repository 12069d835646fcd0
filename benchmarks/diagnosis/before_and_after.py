"""What was changed between two states that a case calls before and after, and which figures stand beside them?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

_BEFORE: Final = re.compile(r"(?:^|[_ (])(?:before|old|was|slow|initially|first)(?:$|[_ )])")
_AFTER: Final = re.compile(r"(?:^|[_ (])(?:after|new|now|fast|then|later|fixed|fix|changed)(?:$|[_ )])")
_OPTION: Final = re.compile(r"([a-z][\w.-]*)\s*=\s*([\w./]+)\s*(?:\((.*)\))?$", re.IGNORECASE)
_ARROW: Final = re.compile(r"([a-z][\w.-]*)\s*[=:]?\s*([\w.]+)\s*(?:->|→|=>)\s*([\w.]+)", re.IGNORECASE)
_TIME: Final = re.compile(r"(?:^|[_ ])(?:s|h|ms|min|minutes|seconds|hours|time|latency|duration|took|lag)(?:$|[_ ])")
_SIZE: Final = re.compile(r"(?:^|[_ ])(?:gb|mb|bytes|percent|pct|size|count|util|depth|connections)(?:$|[_ ])")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_MOST_CHANGES: Final = 3


def trials_of(evidence: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """One entry of `tried` per pair of figures, where it is known which options differ."""
    changed = {**dict(_between_nodes(evidence)), **dict(_remarked(evidence))}
    if not 0 < len(changed) <= _MOST_CHANGES:
        return
    what, values = list(changed), list(changed.values())
    for name, before, after in _pairs("", evidence.get("outputs", {})):
        if _SIZE.search(name) or not before or not after:
            continue
        unit = "seconds" if _TIME.search(name) else "throughput"
        single = len(what) == 1
        yield {"what": what[0] if single else what,
               "from": values[0][0] if single else [was for was, _ in values],
               "to": values[0][1] if single else [now for _, now in values],
               f"{unit}_before": before, f"{unit}_after": after}  # fmt: skip


def is_after_a_change(node: str, nodes: Iterable[str]) -> bool:
    """Whether a heading of options stands for the state after a change, beside one for the state before."""
    return bool(_AFTER.search(node.lower())) and any(_BEFORE.search(other.lower()) for other in nodes)


def _between_nodes(evidence: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Options that differ between the configuration before and the one after."""
    sides: dict[bool, dict[str, Any]] = {}
    for node, lines in evidence.get("config", {}).items():
        if (is_after := bool(_AFTER.search(node.lower()))) or _BEFORE.search(node.lower()):
            found = (_OPTION.match(line) for line in lines)
            sides[is_after] = {m[1].lower().replace("-", "_"): _typed(m[2]) for m in found if m}
    if len(sides) == 2:
        for name in {**sides[False], **sides[True]}:
            was, now = sides[False].get(name, "none"), sides[True].get(name, "none")
            if was != now:
                yield name, (was, now)


def _remarked(evidence: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Options that a remark calls the later or the earlier value, and options with an arrow."""
    was: dict[str, Any] = {}
    now: dict[str, Any] = {}
    for lines in evidence.get("config", {}).values():
        for line in lines:
            if arrow := _ARROW.match(line):
                yield arrow[1].lower().replace("-", "_"), (_typed(arrow[2]), _typed(arrow[3]))
            elif (option := _OPTION.match(line)) and option[3]:
                name, remark = option[1].lower().replace("-", "_"), f" {option[3].lower()} "
                side = now if _AFTER.search(remark) else was if _BEFORE.search(remark) else None
                if side is not None:
                    side[name] = _typed(option[2])
    for name in {**was, **now}:
        yield name, (was.get(name, _other(now.get(name))), now.get(name, _other(was.get(name))))


def _pairs(label: str, value: Any) -> Iterator[tuple[str, float, float]]:
    """Figures that stand under labels of before and after."""
    if not isinstance(value, Mapping):
        return
    sides: dict[str, dict[bool, float]] = {}
    for key, inner in value.items():
        plain = str(key).lower()
        side = True if _AFTER.search(plain) else False if _BEFORE.search(plain) else None
        number = _NUMBER.search(str(inner).replace(",", "")) if not isinstance(inner, Mapping | list | bool) else None
        if side is not None and number:
            rest = (_AFTER if side else _BEFORE).sub("_", plain).strip("_ ")
            sides.setdefault(rest, {})[side] = float(number[0])
    for rest, figures in sides.items():
        if len(figures) == 2:
            yield f"{label} {rest}".strip(), figures[False], figures[True]
    for key, inner in value.items():
        yield from _pairs(f"{label} {key}".strip().lower(), inner)


def _typed(text: str) -> Any:
    return int(text) if text.isdigit() else text


def _other(value: Any) -> Any:
    """What the other side probably was, where only one value is told."""
    return {"0": 1, "1": 0, "off": "ON", "on": "OFF"}.get(str(value).lower(), "none")
