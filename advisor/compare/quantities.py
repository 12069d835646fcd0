"""What is compared? One file of rules/quantities for each quantity; a file that is wrong is an error."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, Final

from advisor.check.known_names import alike, known_name
from advisor.check.schema import build_applies
from advisor.conditions import names
from advisor.data import folder, read_yaml
from advisor.errors import InputError, RuleError
from advisor.model.comparison.quantity import Area, Effect, Quantity, Remark
from advisor.yaml_shapes import (
    condition,
    listed,
    mapping,
    one_line,
    refuse_unknown,
    require,
    require_id,
    texts,
    word_of,
)  # fmt: skip

FOLDER: Final = "quantities"
# Order is the order of reading: what it is, when it exists, how values compare, why it matters.
KEYS: Final = (
    "id", "title", "area", "effect", "value", "unit", "applies_to", "when", "absent", "same", "tolerance_percent",
    "remarks", "why", "see",
)  # fmt: skip
_NEEDED: Final = ("id", "title", "area", "effect", "value", "why", "see")
_REMARK_KEYS: Final = ("for", "says")


@lru_cache(maxsize=1)
def load_quantities() -> tuple[Quantity, ...]:
    """Every shipped quantity, by area and then by file name; RuleError when one is wrong."""
    return quantities_in(os.path.join(folder("rules"), FOLDER))


def quantities_in(place: str) -> tuple[Quantity, ...]:
    """The quantities of a folder, by area and then by file name; RuleError when one is wrong."""
    stems = sorted(name.removesuffix(".yaml") for name in os.listdir(place) if name.endswith(".yaml"))
    found = [_read(os.path.join(place, f"{stem}.yaml"), stem) for stem in stems]
    areas = list(Area)
    return tuple(sorted(found, key=lambda quantity: areas.index(quantity.area)))


def build_quantity(data: Any, stem: str, file: str) -> Quantity:
    """A quantity from the document of its file; RuleError names the key at fault."""
    data = mapping(data, "quantity", file)
    refuse_unknown(data, KEYS, "quantity", file)
    require(data, _NEEDED, "quantity", file)
    require_id(data, stem, file)
    when = data.get("when")
    tree = condition(one_line(when), file) if when else None
    values = tuple(texts(data["value"], "value", file))
    for name in (*values, *(names(tree) if tree else ())):
        _require_known(name, file)
    return Quantity(
        id=stem,
        title=one_line(data["title"]),
        area=word_of(Area, data["area"], "area", file),
        effect=word_of(Effect, data["effect"], "effect", file),
        names=values,
        why=one_line(data["why"]),
        see=tuple(texts(data["see"], "see", file)),
        unit=str(data.get("unit", "")),
        applies=build_applies(data.get("applies_to", {}), file),
        when=tree,
        absent=str(data.get("absent", "")),
        same=tuple(tuple(texts(words, "same", file)) for words in listed(data.get("same"))),
        tolerance=_percent(data.get("tolerance_percent", "0"), file) / 100,
        remarks=tuple(_remark(item, file) for item in listed(data.get("remarks"))),
        file=file,
    )


def _read(path: str, stem: str) -> Quantity:
    try:
        return build_quantity(read_yaml(path), stem, path)
    except InputError as error:
        raise RuleError(error.message, file=error.file, line=error.line, hint=error.hint) from None


def _remark(data: Any, file: str) -> Remark:
    data = mapping(data, "remarks", file)
    refuse_unknown(data, _REMARK_KEYS, "remarks", file)
    require(data, _REMARK_KEYS, "remarks", file)
    return Remark(build_applies(data["for"], file), one_line(data["says"]))


def _percent(text: Any, file: str) -> int:
    if not str(text).isdecimal() or int(text) >= 100:
        raise RuleError(f"tolerance_percent: {text!r} is not a whole number below 100", file=file)
    return int(text)


def _require_known(name: str, file: str) -> None:
    if not known_name(name):
        near = alike(name)
        raise RuleError(
            f"{name!r} is not a name that any server has", file=file, hint=f"did you mean {near}?" if near else ""
        )
