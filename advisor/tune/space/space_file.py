"""Which search space files are there, and what may one contain? Turns YAML into templates, or says what is wrong.

A template is a knob whose bounds are still expressions over the machine (`host.memory_bytes`), for `resolve` to
evaluate.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

from advisor.conditions import names
from advisor.data import folder, read_yaml
from advisor.errors import InputError, RuleError, UsageError
from advisor.model.record import field, record
from advisor.model.rules import Risk
from advisor.model.server import Family, Topology
from advisor.model.tuning import Guarantee, Members, Scale
from advisor.yaml_shapes import condition, constraint, listed, mapping, one_line, refuse_unknown, require, word_of

HOST_FACTS: Final = ("cpus", "memory_bytes", "disk_free_bytes", "connections")
KNOB_KEYS: Final = (
    "for", "low", "high", "scale", "step", "special", "choices", "active", "inactive", "advice", "members",
    "promise", "risk", "why", "see",
)  # fmt: skip
_FILE_KEYS: Final = ("topology", "families", "parts", "leave_out", "knobs", "rules")
_RULE_KEYS: Final = ("must", "for", "why")


@record
class KnobTemplate:
    """One knob as in the file. `name` is canonical; bounds, step and numeric advice are parsed expressions."""

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
    """One cross rule as in the file."""

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
    knobs: Mapping[str, KnobTemplate]
    rules: tuple[RuleTemplate, ...]
    files: tuple[str, ...]


def space_files(folders: Sequence[str] = ()) -> dict[str, str]:
    """Space files by topology, the shipped ones and those of the given folders, which come before the shipped."""
    files: dict[str, str] = {}
    for place in (folder("search_spaces"), *folders):
        if not os.path.isdir(place):
            raise UsageError(f"--spaces {place}: there is no such folder")
        with os.scandir(place) as entries:
            files |= {entry.name[:-5]: entry.path for entry in entries if entry.name.endswith(".yaml")}
    return dict(sorted(files.items()))


def read_space(path: str, family: Family, part_folders: tuple[str, ...] = ()) -> SpaceTemplate:
    """The space a file describes for a family; RuleError with file and key when it is wrong.

    Parts are looked for in `parts/` next to the file, then in `part_folders`. A knob that the file repeats
    changes only the keys given again.
    """
    data = _document(path)
    require(data, ("topology", "families"), "search space", path)
    topology = word_of(Topology, data["topology"], "topology", path)
    files, rows, rules = [path], {}, []
    for name in _part_names(data.get("parts") or [], family, path):
        part = _find_part(name, path, part_folders)
        files.append(part)
        contents = _document(part)
        rows.update({knob: (row, part) for knob, row in mapping(contents.get("knobs"), "knobs", part).items()})
        rules += [(rule, part) for rule in contents.get("rules") or []]
    for name in _strings(data.get("leave_out")):
        if name not in rows:
            raise RuleError(f"leave_out: no part has the knob {name!r}", file=path)
        rows.pop(name, None)
    for name, row in mapping(data.get("knobs"), "knobs", path).items():
        rows[name] = ({**rows[name][0], **mapping(row, name, path)} if name in rows else row, path)
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
    contents = mapping(data, "the file", path)
    refuse_unknown(contents, _FILE_KEYS, "a search space", path)
    return contents


def _part_names(parts: list[Any], family: Family, path: str) -> list[str]:
    """A part is a name, or {family: name} where the families differ."""
    chosen = [part.get(str(family)) if isinstance(part, dict) else part for part in parts]
    if not all(isinstance(part, str | None) for part in chosen):
        raise RuleError("parts must be a list of names, or of {family: name}", file=path)
    return [part for part in chosen if part]


def _find_part(name: str, path: str, folders: tuple[str, ...]) -> str:
    for place in (os.path.join(os.path.dirname(path), "parts"), *folders):
        candidate = os.path.join(place, f"{name}.yaml")
        if os.path.isfile(candidate):
            return candidate
    raise RuleError(f"parts: there is no part {name!r}", file=path)


def _template(name: str, data: Any, file: str) -> KnobTemplate:
    row = mapping(data, name, file)
    refuse_unknown(row, KNOB_KEYS, f"{name}: a knob", file)
    require(row, ("why", "risk"), name, file)
    if bool(row.get("choices")) == bool(row.get("low") and row.get("high")):
        raise RuleError(f"{name}: give either choices, or low and high", file=file)
    if row.get("active") and not row.get("inactive"):
        raise RuleError(f"{name}: 'inactive' is required, the value to use when {row['active']!r} is false", file=file)
    promise, active = row.get("promise"), one_line(row.get("active", ""))
    if active:
        condition(active, file)
    return KnobTemplate(
        name=name,
        file=file,
        why=one_line(row["why"]),
        risk=tuple(word_of(Risk, word, f"{name}: risk", file) for word in _strings(row["risk"])),
        see=_strings(row.get("see")),
        applies=_versions(row.get("for", {}), file),
        low=_numbers(row.get("low"), f"{name}: low", file),
        high=_numbers(row.get("high"), f"{name}: high", file),
        step=_numbers(row.get("step", "1"), f"{name}: step", file),
        scale=word_of(Scale, row.get("scale", "linear"), f"{name}: scale", file),
        special=_strings(row.get("special")),
        choices=_strings(row.get("choices")),
        active=active,
        inactive=str(row.get("inactive", "")),
        advice=one_line(row.get("advice", "")),
        members=word_of(Members, row.get("members", "all"), f"{name}: members", file),
        promise=word_of(Guarantee, promise, f"{name}: promise", file) if promise else None,
    )


def _rule(data: Any, file: str) -> RuleTemplate:
    row = mapping(data, "a rule", file)
    refuse_unknown(row, _RULE_KEYS, "a rule", file)
    require(row, ("must", "why"), "a rule", file)
    must = one_line(row["must"])
    return RuleTemplate(must, one_line(row["why"]), file, condition(must, file), _versions(row.get("for", {}), file))


def _numbers(text: Any, what: str, file: str) -> list[Any]:
    """An expression over the machine only; [] when there is none."""
    if not text:
        return []
    tree = condition(one_line(text), file)
    unknown = [name for name in names(tree) if name.removeprefix("host.") not in HOST_FACTS]
    if unknown:
        hint = "use " + ", ".join(f"host.{fact}" for fact in HOST_FACTS)
        raise RuleError(f"{what}: unknown name {unknown[0]!r}", file=file, hint=hint)
    return tree


def _versions(data: Any, file: str) -> dict[str, str]:
    by_family = mapping(data, "for", file)
    for family, text in by_family.items():
        word_of(Family, family, "for", file)
        constraint(text, family, file)
    return by_family


def _strings(data: Any) -> tuple[str, ...]:
    return tuple(str(item) for item in listed(data))
