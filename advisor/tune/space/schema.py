"""What may stand in a search space file? Turns YAML into templates, or says exactly what is wrong.

A template is a knob whose bounds are still expressions over the machine (`host.memory_bytes`); `spaces` works them out.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Final

from advisor.conditions import names, satisfies
from advisor.data import read_yaml
from advisor.errors import InputError, RuleError
from advisor.expressions import parse
from advisor.model.record import field, record
from advisor.model.rules import Risk
from advisor.model.server import Family, Topology
from advisor.model.tuning import Guarantee, Members, Scale

HOST_FACTS: Final = ("cpus", "memory_bytes", "disk_free_bytes", "connections")
KNOB_KEYS: Final = (
    "for", "low", "high", "scale", "step", "special", "choices", "active", "inactive", "advice", "members",
    "promise", "risk", "why", "see",
)  # fmt: skip
_FILE_KEYS: Final = ("topology", "families", "parts", "leave_out", "knobs", "rules")
_RULE_KEYS: Final = ("must", "for", "why")


@record
class Template:
    """One knob as the file has it. `name` is canonical; bounds, step and a numeric advice are parsed expressions."""

    name: str
    file: str
    why: str
    risk: tuple[Risk, ...]
    see: tuple[str, ...]
    applies: Mapping[str, str] = field(default_factory=dict)
    low: list[Any] = field(default_factory=list)
    high: list[Any] = field(default_factory=list)
    step: list[Any] = field(default_factory=list)
    scale: Scale = Scale.LINEAR
    special: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    active: str = ""
    inactive: str = ""
    advice: str = ""
    members: Members = Members.ALL
    promise: Guarantee | None = None


@record
class RuleTemplate:
    """One cross rule as the file has it."""

    must: str
    why: str
    file: str
    tree: list[Any]
    applies: Mapping[str, str] = field(default_factory=dict)


@record
class SpaceTemplate:
    """A search space file with its parts for one family, knobs by canonical name."""

    topology: Topology
    families: Mapping[str, str]
    knobs: Mapping[str, Template]
    rules: tuple[RuleTemplate, ...]
    files: tuple[str, ...]


def read_space(path: str, family: Family, part_folders: tuple[str, ...] = ()) -> SpaceTemplate:
    """The space a file describes for a family; RuleError with file and key when it is not as it should be.

    Parts are looked for in `parts/` beside the file, then in `part_folders`. A knob that the file gives again changes
    only the keys it gives.
    """
    data = _document(path)
    missing = [key for key in ("topology", "families") if not data.get(key)]
    if missing:
        raise RuleError(f"the key {missing[0]!r} is missing", file=path)
    topology = _word(Topology, data["topology"], "topology", path)
    files, rows, rules = [path], {}, []
    for name in _part_names(data.get("parts") or [], family, path):
        part = _find_part(name, path, part_folders)
        files.append(part)
        found = _document(part)
        rows.update({knob: (row, part) for knob, row in _mapping(found.get("knobs"), "knobs", part).items()})
        rules += [(rule, part) for rule in found.get("rules") or []]
    for name in _listed(data.get("leave_out")):
        if name not in rows:
            raise RuleError(f"leave_out: no part has the knob {name!r}", file=path)
        rows.pop(name, None)
    for name, row in _mapping(data.get("knobs"), "knobs", path).items():
        rows[name] = ({**rows[name][0], **_mapping(row, name, path)} if name in rows else row, path)
    rules += [(rule, path) for rule in data.get("rules") or []]
    return SpaceTemplate(
        topology=topology,
        families=_versions(data["families"], path),
        knobs={name: _template(name, row, file) for name, (row, file) in rows.items()},
        rules=tuple(_rule(rule, file) for rule, file in rules),
        files=tuple(files),
    )


def _document(path: str) -> dict[str, Any]:
    try:
        data = read_yaml(path)
    except InputError as error:
        raise RuleError(error.message, file=error.file, line=error.line, hint=error.hint) from None
    found = _mapping(data, "the file", path)
    _known(found, _FILE_KEYS, "a search space", path)
    return found


def _part_names(parts: list[Any], family: Family, path: str) -> list[str]:
    """A part is a name, or {family: name} where the families differ."""
    chosen = [part.get(str(family)) if isinstance(part, dict) else part for part in parts]
    if not all(isinstance(part, str | None) for part in chosen):
        raise RuleError("parts is a list of names, or of {family: name}", file=path)
    return [part for part in chosen if part]


def _find_part(name: str, path: str, folders: tuple[str, ...]) -> str:
    for folder in (os.path.join(os.path.dirname(path), "parts"), *folders):
        candidate = os.path.join(folder, f"{name}.yaml")
        if os.path.isfile(candidate):
            return candidate
    raise RuleError(f"parts: there is no part {name!r}", file=path)


def _template(name: str, data: Any, file: str) -> Template:
    row = _mapping(data, name, file)
    _known(row, KNOB_KEYS, f"{name}: a knob", file)
    if not row.get("why") or not row.get("risk"):
        raise RuleError(f"{name}: 'why' and 'risk' are needed", file=file)
    if bool(row.get("choices")) == bool(row.get("low") and row.get("high")):
        raise RuleError(f"{name}: either choices, or low and high", file=file)
    if row.get("active") and not row.get("inactive"):
        raise RuleError(f"{name}: what is it where {row['active']!r} does not hold?", file=file, hint="inactive: VALUE")
    promise, active = row.get("promise"), _line(row.get("active", ""))
    if active:
        _expression(active, file)
    return Template(
        name=name,
        file=file,
        why=_line(row["why"]),
        risk=tuple(_word(Risk, word, f"{name}: risk", file) for word in _listed(row["risk"])),
        see=tuple(_listed(row.get("see"))),
        applies=_versions(row.get("for", {}), file),
        low=_numbers(row.get("low"), f"{name}: low", file),
        high=_numbers(row.get("high"), f"{name}: high", file),
        step=_numbers(row.get("step", "1"), f"{name}: step", file),
        scale=_word(Scale, row.get("scale", "linear"), f"{name}: scale", file),
        special=tuple(_listed(row.get("special"))),
        choices=tuple(_listed(row.get("choices"))),
        active=active,
        inactive=str(row.get("inactive", "")),
        advice=_line(row.get("advice", "")),
        members=_word(Members, row.get("members", "all"), f"{name}: members", file),
        promise=_word(Guarantee, promise, f"{name}: promise", file) if promise else None,
    )


def _rule(data: Any, file: str) -> RuleTemplate:
    row = _mapping(data, "a rule", file)
    _known(row, _RULE_KEYS, "a rule", file)
    if not row.get("must") or not row.get("why"):
        raise RuleError("a rule has 'must' and 'why'", file=file)
    must = _line(row["must"])
    return RuleTemplate(must, _line(row["why"]), file, _expression(must, file), _versions(row.get("for", {}), file))


def _numbers(text: Any, what: str, file: str) -> list[Any]:
    """An expression over the machine only; [] when there is none."""
    if not text:
        return []
    tree = _expression(_line(text), file)
    strange = [name for name in names(tree) if name.removeprefix("host.") not in HOST_FACTS]
    if strange:
        hint = "it may use " + ", ".join(f"host.{fact}" for fact in HOST_FACTS)
        raise RuleError(f"{what}: nothing is known of {strange[0]!r}", file=file, hint=hint)
    return tree


def _expression(text: str, file: str) -> list[Any]:
    try:
        return parse(text)
    except RuleError as error:
        raise RuleError(error.message, file=file, hint=error.hint) from None


def _versions(data: Any, file: str) -> dict[str, str]:
    found = _mapping(data, "for", file)
    for family, constraint in found.items():
        _word(Family, family, "for", file)
        if not isinstance(constraint, str):
            raise RuleError(f"{family}: {constraint!r} is no version constraint", file=file, hint='like ">=8.0.27"')
        try:
            satisfies((1, 0, 0), constraint)
        except RuleError as error:
            raise RuleError(error.message, file=file, hint=error.hint) from None
    return found


def _mapping(data: Any, what: str, file: str) -> dict[str, Any]:
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise RuleError(f"{what}: a mapping is wanted", file=file)
    return data


def _known(data: dict[str, Any], keys: tuple[str, ...], what: str, file: str) -> None:
    for key in data:
        if key not in keys:
            raise RuleError(f"{what} has no key {key!r}", file=file, hint="it has " + ", ".join(keys))


def _word(kind: Any, word: Any, key: str, file: str) -> Any:
    try:
        return kind(word)
    except ValueError:
        raise RuleError(f"{key}: {word!r} is not one of {', '.join(kind)}", file=file) from None


def _listed(data: Any) -> list[str]:
    return [str(item) for item in data] if isinstance(data, list) else [] if data in (None, "") else [str(data)]


def _line(text: Any) -> str:
    return " ".join(str(text).split())
