"""What does it take for a changed value to take effect? The catalogue says so; `applying.yaml` has the exceptions."""

from __future__ import annotations

import os
from functools import cache
from typing import Any, Final

from advisor.catalog import canonical, load, spelling
from advisor.data import read_yaml
from advisor.errors import UsageError
from advisor.model.applying import Application
from advisor.model.record import field, record
from advisor.model.server import Release, Topology

_FILE: Final = os.path.join(os.path.dirname(__file__), "applying.yaml")


@record
class _Claim:
    """How some settings take effect: `names`, or with `all_but` all that begin so, except `names`."""

    how: Application
    names: frozenset[str]
    all_but: str
    otherwise: dict[Topology, Application] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        return name.startswith(self.all_but) and name not in self.names if self.all_but else name in self.names


@cache
def _claims() -> tuple[_Claim, ...]:
    rows: Any = read_yaml(_FILE)
    return tuple(
        _Claim(
            how=Application(row["how"]),
            names=frozenset(row["names"]),
            all_but=row.get("all_but", ""),
            otherwise={Topology(name): Application(how) for name, how in row.get("in", {}).items()},
        )
        for row in rows
    )


def application(name: str, release: Release, topology: Topology) -> Application:
    """How a setting reaches a running member; UsageError when the release has no such variable.

    `name` is canonical or as the server spells it; Galera's provider options begin with "galera.".
    """
    known = canonical(name, release.family)
    claim = next((each for each in _claims() if each.has(known)), None)
    if known.startswith("galera.") and claim:
        return claim.how
    written = spelling(known, release)
    variable = load(release).get(written) if written else None
    if variable is None:
        raise UsageError(f"{release.label} has no variable {name}")
    if not variable.dynamic:
        return Application.SERVER_RESTART
    if claim:
        return claim.otherwise.get(topology, claim.how)
    return Application.NEW_SESSIONS if variable.scope == "both" else Application.DYNAMIC
