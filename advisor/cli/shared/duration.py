"""How is a length of time written on the command line? As 500ms, 10s, 2m, 1h; a number alone is seconds."""

from __future__ import annotations

import re
from typing import Final

from advisor.errors import UsageError

_UNITS: Final = {"ms": 0.001, "": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_seconds(text: str, option: str) -> float:
    """The seconds; UsageError, naming the option, when it is no length of time."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([a-z]*)", text.strip().lower())
    if found is None or found[2] not in _UNITS:
        raise UsageError(f"{option} {text}: not a length of time", hint="like 30s, 2m or 500ms")
    return float(found[1]) * _UNITS[found[2]]
