"""Which series are known from their manuals alone? The rows of such a series, for `build_catalog.py`.

A series that no server was read of has the facts of the last series that was read, and the changes that its manual
names (`catalog_manuals.tsv`). What may have come to the older series later than to this one is dated by the first
release of this series that certainly has it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from advisor.catalog.releases import eras, version
from advisor.model.server import Family, Version

Facts = dict[str, Any]
TABLE = Path(__file__).with_suffix(".tsv")
# The releases of a series that are known to have what the series before had got until its own newest reading.
MERGED_BY = {"12.3": "12.3.3", "26.10": "26.10.0"}


def read_manuals(family: Family) -> dict[str, dict[str, Facts]]:
    """Series → name → what its manual says otherwise than the series before; oldest series first."""
    found: dict[str, dict[str, Facts]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]:
        owner, series, name, facts, _ = line.split("\t")
        if owner == family:
            found.setdefault(series, {})[name] = json.loads(facts)
    return found


def date(merged: dict[str, Facts], family: Family) -> None:
    """Give names that are known from a manual alone the release in which it says, in a later series, that they came."""
    for changes in read_manuals(family).values():
        for name, facts in changes.items():
            if "f" in facts and merged.get(name, {}).get("docs"):
                merged[name].setdefault("intro", facts["f"])


def inherit(rows: dict[str, Facts], before: str, series: str, changes: dict[str, Facts]) -> dict[str, Facts]:
    """The rows of the series: those of the series before, with the changes of its manual."""
    start = next(era.first for era in eras() if era.series == before)
    kept = {name: carried(facts, start, MERGED_BY[series]) for name, facts in rows.items()}
    for name, facts in changes.items():
        known = {key: value for key, value in kept.get(name, {}).items() if key != "m" or "t" not in facts}
        kept[name] = known | facts
    return dict(sorted(kept.items()))


def carried(facts: Facts, start: Version, merged_by: str) -> Facts:
    """The facts without what was dated before the series before was stable; later dates become back-ports.

    A name that the series before lost is there in no release of this one.
    """
    out = {key: value for key, value in facts.items() if key not in ("f", "ch")}
    if "u" in facts:
        out["u"] = "0.0"
    if "f" in facts and newest(facts["f"]) > start:
        out["f"] = f"?{merged_by}"
    changed = {
        key: [[f"?{merged_by}", value] for when, value in steps if newest(when) > start]
        for key, steps in facts.get("ch", {}).items()
    }
    changed = {key: steps for key, steps in changed.items() if steps}
    return out | ({"ch": changed} if changed else {})


def newest(when: str) -> Version:
    """The release that certainly has a change dated like this; the latest of all where none is known."""
    text = when[1:-1].split(",")[1] if when[0] == "(" else when.lstrip("?")
    return version(text) if text else (9999, 0, 0)
