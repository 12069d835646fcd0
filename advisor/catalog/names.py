"""Which names mean the same thing, and what became of an old one?

Canonical is the newest MySQL spelling where two names mean the same, for MariaDB too; a variable only one family has
keeps its name.
"""

from __future__ import annotations

from functools import cache

from advisor.catalog.table import row, rows
from advisor.model.record import record
from advisor.model.server import Family

# Renamed in XtraDB Cluster 8.0.26; MariaDB keeps the old names, so those are canonical. MySQL minds the case of names
# and XtraDB Cluster has capitals in some; MariaDB does not and prints them small.
_WSREP = {
    "wsrep_OSU_method": "wsrep_osu_method",
    "wsrep_certify_nonPK": "wsrep_certify_nonpk",
    "wsrep_slave_FK_checks": "wsrep_slave_fk_checks",
    "wsrep_slave_UK_checks": "wsrep_slave_uk_checks",
    "wsrep_applier_threads": "wsrep_slave_threads",
    "wsrep_applier_FK_checks": "wsrep_slave_fk_checks",
    "wsrep_applier_UK_checks": "wsrep_slave_uk_checks",
    "wsrep_restart_replica": "wsrep_restart_slave",
}
_RENAMED = ('"kind":"rename"', '"kind":"alias"')


@record
class Successor:
    """What became of `name`: `new` is "" when nothing replaces it.

    `kind`: rename (same meaning), alias (both live), replaced (other meaning or unit), moved (to a component), removed,
    equivalent (nearest in the other family; units may differ). `since`, `removed`: versions or "(a,b]", "" unknown.
    """

    name: str
    new: str
    kind: str
    since: str = ""
    removed: str = ""


def successor_of(name: str, family: Family) -> Successor | None:
    """What became of a name in the family, else its equivalent there; None when nothing is known."""
    for found in row("renames", name) or ():
        if found["family"] == family:
            return Successor(name, found["new"], found["kind"], found["since"], found["removed"])
    return None


@cache
def _to_canonical(family: Family) -> dict[str, str]:
    """Every other spelling in the family → the canonical name."""
    out = dict(_WSREP)
    for old, text in rows("renames").items():
        for found in row("renames", old) if any(kind in text for kind in _RENAMED) else ():
            if found["kind"] == "rename" and found["family"] == Family.MYSQL and _lived(old):
                if family is Family.MYSQL or _foreign(old, found["new"]):
                    out.setdefault(old, found["new"])
            elif found["kind"] in ("rename", "alias") and found["family"] == family is Family.MARIADB:
                stays = _knows(Family.MYSQL, old) and canonical(old, Family.MYSQL) == old
                out.setdefault(*((found["new"], old) if stays else (old, found["new"])))
    return out


def _lived(old: str) -> bool:
    """Whether MySQL 5.7 or later had the old name. Older renames may clash: `max_statement_time` differs in MariaDB."""
    return _has("mysql-5.7", old) or _has("mysql-8.0", old)


def _knows(family: Family, name: str) -> bool:
    return _has("mysql-8.0" if family is Family.MYSQL else "mariadb-10.11", name)


def _has(stem: str, name: str) -> bool:
    return '"t":' in rows(stem).get(name, "")  # parsing the row takes ten times as long


def _foreign(old: str, new: str) -> bool:
    """Whether MariaDB has the old spelling only."""
    return _knows(Family.MARIADB, old) and not _knows(Family.MARIADB, new)


@cache
def spellings(family: Family) -> dict[str, list[str]]:
    """Canonical name → its other spellings in the family."""
    out: dict[str, list[str]] = {}
    for old, new in _to_canonical(family).items():
        out.setdefault(new, []).append(old)
    return out


def canonical(name: str, family: Family) -> str:
    """The one name rules use for a variable: "slave_net_timeout" → "replica_net_timeout"."""
    return _to_canonical(family).get(name, name)
