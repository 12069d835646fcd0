"""How do the less usual switches take a value? The readings of `build_catalog.py` call every switch "none".

`catalog_switches.tsv` says it, tried on MySQL 5.7.22, 8.0.15, 9.7.4 and MariaDB 10.11.18, 11.4.5, 11.8.9 (other series
as their neighbours): a switch that "ignores" a word it does not know, "needs" a value, or stands "alone" and refuses
one. All others take such a word for OFF.
"""

from __future__ import annotations

from pathlib import Path

from advisor.model.server import Family

TABLE = Path(__file__).with_suffix(".tsv")
OPTION = {"ignores": "none", "needs": "req", "": "opt"}


def read_switches(family: Family) -> dict[tuple[str, str], str]:
    """(series, name) → how the switch takes a value, where that is not the usual way."""
    rows = (row.split("\t") for row in TABLE.read_text(encoding="utf-8").splitlines()[1:])
    return {(series, name): kind for owner, kind, name, listed in rows if owner == family for series in listed.split()}


def as_switch(
    switches: dict[tuple[str, str], str], family: Family, series: str, name: str, owner: str
) -> dict[str, str]:
    """The keys of a data file for a switch; MariaDB's plugins were not tried and stay as read."""
    kind = switches.get((series, name), "")
    if kind == "alone":
        return {"k": "str"}
    if not kind and family is Family.MARIADB and owner.startswith("plugin"):
        return {}
    return {"op": OPTION[kind]}
