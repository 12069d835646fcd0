"""How is a verified change written as a line of JSON, and read back? What cannot be read is counted, never an error."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, Final

from advisor.why.verified.pair import VerifiedChange

FORMAT: Final = 1
_FIGURES: Final = 3  # low, middle and high


def as_line(pair: VerifiedChange) -> str:
    """One line, with its end."""
    row = {
        "format": FORMAT,
        "at": pair.at,
        "cause": pair.cause,
        "settings": list(pair.settings),
        "predicted": [round(rate, 2) for rate in (pair.low, pair.mid, pair.high)],
        "without": round(pair.without, 2),
        "measured": round(pair.measured, 2),
        "topology": pair.topology,
        "release": pair.release,
    }
    return json.dumps(row) + "\n"


def read_lines(text: str) -> tuple[tuple[VerifiedChange, ...], str]:
    """The pairs of a text, and a note on the lines that are not used ("" for none)."""
    pairs, later, damaged = [], 0, 0
    for line in filter(str.strip, text.splitlines()):
        row = _row(line)
        if row is not None and isinstance(row.get("format"), int) and row["format"] > FORMAT:
            later += 1
        elif row is not None and (pair := _pair(row)) is not None:
            pairs.append(pair)
        else:
            damaged += 1
    reasons = [f"{later} written by a later version of advisor"] if later else []
    reasons += [f"{damaged} that cannot be read"] if damaged else []
    return tuple(pairs), f"lines that are not used: {' and '.join(reasons)}" if reasons else ""


def _row(line: str) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _pair(row: dict[str, Any]) -> VerifiedChange | None:
    try:
        low, mid, high = map(float, row["predicted"])
        without, measured = float(row["without"]), float(row["measured"])
        settings = tuple(map(str, row["settings"]))
        words = [str(row[name]) for name in ("at", "topology", "release")]
        cause = str(row["cause"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    rates = (low, mid, high, without, measured)
    if row.get("format") != FORMAT or not all(map(isfinite, rates)) or mid <= 0 or measured <= 0:
        return None
    return VerifiedChange(cause, settings, *rates, *words)
