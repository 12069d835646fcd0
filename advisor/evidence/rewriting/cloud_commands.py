"""Which commands change the settings of a managed database as a finding advises?

https://docs.aws.amazon.com/cli/latest/reference/rds/modify-db-parameter-group.html and reset-db-parameter-group;
https://cloud.google.com/sql/docs/mysql/flags: `gcloud sql instances patch` resets flags that it does not name.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from advisor.annotations import Final
from advisor.model.evidence import CloudSettings
from advisor.model.rules import Change, TakesEffect
from advisor.units import parse_size

_IMMEDIATE: Final = (TakesEffect.AT_ONCE, TakesEffect.NEW_SESSIONS, TakesEffect.RECONNECT)
_SWITCHES: Final = {"ON": "1", "OFF": "0"}


def cloud_commands(cloud: CloudSettings, changes: Sequence[Change]) -> tuple[str, ...]:
    """The commands, in lines that end with a backslash where they go on; a comment on what cannot be changed."""
    fixed = [change.name for change in changes if change.name in cloud.fixed]
    comments = [f"# AWS does not let you change {name}" for name in fixed]
    possible = [change for change in changes if change.name not in fixed]
    if not possible:
        return tuple(comments)
    made = _patch(cloud, cloud.kept, possible) if cloud.kept is not None else _modify(cloud, possible)
    return (*made, *comments)


def _modify(cloud: CloudSettings, changes: Sequence[Change]) -> list[str]:
    """One command for values, one for parameters that go back to their defaults."""
    given = [
        f"ParameterName={change.name},ParameterValue={_quoted(cloud, change)},{_method(change)}"
        for change in changes
        if change.value is not None
    ]
    taken = [f"ParameterName={change.name},{_method(change)}" for change in changes if change.value is None]
    return [*_lines(cloud.command, cloud.target, given), *_lines(cloud.reset, cloud.target, taken)]


def _lines(command: str, target: str, parameters: Sequence[str]) -> list[str]:
    if not parameters:
        return []
    words = [
        command,
        f"{target} --parameters",
        *(f'"{text}"' if "'" in text else shlex.quote(text) for text in parameters),
    ]
    return [f"{word} \\" for word in words[:-1]] + words[-1:]


def _patch(cloud: CloudSettings, kept: Mapping[str, str], changes: Sequence[Change]) -> list[str]:
    """The command with every flag that is set, those that change with their new values."""
    new = {change.name: change.value for change in changes}
    flags = {name: value for name, value in kept.items() if name not in new}
    flags |= {name: _value(cloud, name, value) for name, value in new.items() if value is not None}
    pairs = [f"{name}={value}" for name, value in flags.items()]
    sign = "," if not any("," in pair for pair in pairs) else "^;^"
    text = sign.join(pairs) if sign == "," else sign + ";".join(pairs)
    return [
        f"{cloud.command} {cloud.target} \\",
        shlex.quote(f"--database-flags={text}") if pairs else "--clear-database-flags",
    ]


def _value(cloud: CloudSettings, name: str, value: str | None) -> str:
    """The value as the cloud writes it: sizes in bytes, switches as it lists them."""
    text = value or ""
    if text.upper() in _SWITCHES:
        words = cloud.allowed.get(name, "").upper().split(",")
        if cloud.kept is not None:  # Google writes on and off
            return text.lower()
        return text.upper() if text.upper() in words else _SWITCHES[text.upper()]
    size = parse_size(text) if text[-1:].isalpha() else None
    return str(size) if size is not None else text


def _quoted(cloud: CloudSettings, change: Change) -> str:
    value = _value(cloud, change.name, change.value)
    return f"'{value}'" if "," in value or " " in value else value


def _method(change: Change) -> str:
    return f"ApplyMethod={'immediate' if change.takes_effect in _IMMEDIATE else 'pending-reboot'}"
