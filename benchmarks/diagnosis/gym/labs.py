"""Which labs are there to play a mechanism on? mechanisms/labs/*.yaml, one lab a file; its name is the file's."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from advisor.data import line_of, read_yaml
from advisor.errors import InputError
from advisor.lab.settings import DURABILITY, user_setting
from advisor.model.server import Family
from benchmarks.diagnosis.scenarios import LabSpec

FOLDER: Final = Path(__file__).parents[1] / "mechanisms" / "labs"
_KEYS: Final = ("topology", "family", "members", "durability", "options", "settings", "network")
_YES: Final = {"yes": True, "no": False}


@lru_cache(maxsize=4)
def load_labs(folder: Path = FOLDER) -> dict[str, LabSpec]:
    """Every lab by its name; InputError with file and line for one that is wrong."""
    return {file.stem: _read(file) for file in sorted(folder.glob("*.yaml"))}


def _read(file: Path) -> LabSpec:
    data: Any = read_yaml(file)
    if not isinstance(data, dict):
        raise InputError("must be keys with values", file=str(file))
    if strange := [key for key in data if key not in _KEYS]:
        raise InputError(f"{strange[0]!r} means nothing here", file=str(file), line=line_of(file, strange[:1]))
    try:
        return LabSpec(
            name=file.stem,
            topology=data["topology"],
            family=Family(data["family"]),
            members=int(data["members"]),
            durability={name: name for name in DURABILITY}[data.get("durability", "relaxed")],
            options={name: _option(text) for name, text in (data.get("options") or {}).items()},
            rtt_ms=0.0 if _YES[data.get("network", "no")] else None,
            settings=tuple(user_setting(name, value) for name, value in (data.get("settings") or {}).items()),
        )
    except (KeyError, ValueError) as error:
        raise InputError(f"a key is missing, or its value is not possible: {error}", file=str(file)) from None


def _option(text: str) -> object:
    return _YES[text] if text in _YES else int(text) if text.isdecimal() else text
