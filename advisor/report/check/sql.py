"""Which SQL changes the settings of a running server, and which undoes it?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from advisor.catalog import load
from advisor.masking import is_secret
from advisor.model.catalog import Variable, VariableType
from advisor.model.rules import Change, TakesEffect
from advisor.model.server import Family, Release
from advisor.units import SHIFTS

_SIZE: Final = re.compile(r"(-?\d+)([KMGTPE])", re.IGNORECASE)  # what follows, as in 16MB, the servers ignore too
_NUMBERS: Final = (VariableType.INT, VariableType.UINT, VariableType.DOUBLE)
_AT_RUN_TIME: Final = (
    TakesEffect.AT_ONCE,
    TakesEffect.NEW_SESSIONS,
    TakesEffect.RECONNECT,
    TakesEffect.APPLIER_RESTART,
    TakesEffect.GROUP_RESTART,
)


def statements(changes: Sequence[Change], release: Release, *, back: bool = False) -> list[str]:
    """Statements in this server's spelling; those that need stopped threads are grouped between STOP and START.

    Sizes are written in bytes, because SET accepts no suffix. `back`: the values before the change. A setting that no
    statement can change becomes a comment, and so does one whose value before is not known.
    """
    lines: list[str] = []
    for effect in (effect for effect in TakesEffect if effect is not TakesEffect.NO_CHANGE):
        group = [change for change in changes if _effect(change, release) is effect]
        body = [_statement(change, release, effect, back) for change in group]
        stop, start = _around(effect, release)
        lines += [*stop, *body, *start] if any(not line.startswith("--") for line in body) else body
    return lines


def literal(value: str, variable: Variable | None) -> str:
    """An option file's value as SET takes it: 8G → 8589934592, words in quotes, ON and OFF bare."""
    kind = variable.type if variable is not None else VariableType.STR
    if kind is VariableType.BOOL or value.upper() in ("ON", "OFF"):
        return value.upper()
    size = _SIZE.match(value) if kind in _NUMBERS else None
    if size and size[2]:
        return str(int(size[1]) << SHIFTS[size[2].upper()])
    if kind in _NUMBERS:
        return value
    escaped = value.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"


def _effect(change: Change, release: Release) -> TakesEffect:
    """When the change takes effect: a variable that is not dynamic needs a restart, whatever the rule says."""
    if change.name.startswith("galera.") or change.takes_effect is TakesEffect.NO_CHANGE:
        return change.takes_effect
    variable = load(release).get(change.name)
    dynamic = variable is not None and variable.dynamic
    return change.takes_effect if dynamic else TakesEffect.SERVER_RESTART


def _statement(change: Change, release: Release, effect: TakesEffect, back: bool) -> str:
    value = change.was if back else change.value
    if effect not in _AT_RUN_TIME:
        whole = "a restart of the whole group" if effect is TakesEffect.GROUP_REBOOT else "a server restart"
        return f"-- {change.name}: set in the option file only; needs {whole}"
    if is_secret(change.name):
        return f"-- {change.name}: set it by hand; its value is a secret"
    if back and not value:
        return f"-- {change.name}: note its current value first: SELECT @@GLOBAL.{change.name};"
    if change.name.startswith("galera."):
        return f"SET GLOBAL wsrep_provider_options = '{change.name[7:]}={value}';"
    variable = load(release).get(change.name)
    return f"SET GLOBAL {change.name} = {'DEFAULT' if value is None else literal(value, variable)};"


def _around(effect: TakesEffect, release: Release) -> tuple[list[str], list[str]]:
    """What must be stopped before and started after: MySQL says REPLICA from 8.0.22, SLAVE works in all of MariaDB."""
    if effect is TakesEffect.GROUP_RESTART:
        return ["STOP GROUP_REPLICATION;"], ["START GROUP_REPLICATION;"]
    threads = {TakesEffect.RECONNECT: "IO_THREAD", TakesEffect.APPLIER_RESTART: "SQL_THREAD"}.get(effect)
    if threads is None:
        return [], []
    word = "REPLICA" if release.family is Family.MYSQL and release.version >= (8, 0, 22) else "SLAVE"
    return [f"STOP {word} {threads};"], [f"START {word} {threads};"]
