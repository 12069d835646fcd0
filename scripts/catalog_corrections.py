"""What do the manuals date more closely than the readings of `build_catalog.py`, and what does a server compute?"""

from __future__ import annotations

import json
from pathlib import Path

TABLE = Path(__file__).with_suffix(".tsv")
Corrections = dict[tuple[str, str, str, str], tuple[str, str]]


def read_corrections() -> Corrections:
    """(family, series, name, fact) → the release that changed it, and the value before as JSON ("": as read).

    Where the fact is "auto", the JSON says how the server computes the default; where it is "cli", how the option takes
    a value (a plugin that no reading loaded shows none of its options).
    """
    rows = (row.split("\t") for row in TABLE.read_text(encoding="utf-8").splitlines()[1:])
    return {(family, series, name, fact): (when, before) for family, series, name, fact, when, before, _ in rows}


def computed(corrections: Corrections, family: str) -> dict[str, str]:
    """How the server computes the defaults that only the corrections say are computed."""
    return {
        name: json.loads(how)
        for (owner, _, name, fact), (_, how) in corrections.items()
        if owner == family and fact == "auto" and how
    }
