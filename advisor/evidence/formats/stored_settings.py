"""What do settings say that a server keeps elsewhere: mysqld-auto.cnf (SET PERSIST), or a parameter group of RDS?

Both are JSON, and both win over an option file, so they count as running values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.scalars import as_text

_GROUPS: Final = (
    "mysql_server",
    "mysql_static_variables",
    "mysql_dynamic_variables",
    "mysql_dynamic_parse_early_variables",
)
_LISTED_AT_MOST: Final = 8


def add_stored_settings(builder: MemberBuilder, data: Any, label: str) -> bool:
    """Take what a mysqld-auto.cnf or a parameter group says; False when the JSON is neither."""
    if isinstance(data, dict) and any(isinstance(data.get(group), dict) for group in _GROUPS):
        _add_persisted(builder, data, label)
        return True
    parameters = data.get("Parameters") if isinstance(data, dict) else data
    if isinstance(parameters, list) and parameters and all(map(_is_parameter, parameters)):
        _add_parameters(builder, parameters, label)
        return True
    return False


def _add_persisted(builder: MemberBuilder, data: Mapping[str, Any], label: str) -> None:
    """Version 1 has one group with another inside it, version 2 (8.0.29 and later) a group for each time of setting."""
    persisted = dict(pair for group in _GROUPS if isinstance(data.get(group), dict) for pair in _persisted(data[group]))
    for name, value in persisted.items():
        builder.add_variable(name, value, label)
    builder.server = builder.server or "mysql 8.0 or later"  # the first with SET PERSIST
    count = f"{len(persisted)} persisted variable{'s' * (len(persisted) != 1)}"
    builder.problems.append(f"{label}: {count} (SET PERSIST); they override the option files")


def _persisted(group: Mapping[str, Any]) -> Iterator[tuple[str, str | None]]:
    for name, entry in group.items():
        if not isinstance(entry, dict):
            yield name, as_text(entry)
        elif "Value" in entry:
            yield name, as_text(entry["Value"])
        else:
            yield from _persisted(entry)


def _is_parameter(entry: object) -> bool:
    return isinstance(entry, dict) and "ParameterName" in entry


def _add_parameters(builder: MemberBuilder, parameters: Sequence[Mapping[str, Any]], label: str) -> None:
    """Literal values as they are. A formula over the instance's size is kept as text, which no number is read from."""
    formulas = []
    for parameter in parameters:
        name, value = str(parameter["ParameterName"]), parameter.get("ParameterValue")
        if value is None:
            continue
        if "{" in str(value):
            formulas.append(f"{name} = {value}")
        builder.add_variable(name, as_text(value), label)
    given = sum(parameter.get("ParameterValue") is not None for parameter in parameters)
    builder.problems.append(f"{label}: a parameter group with {given} values")
    if formulas:
        more = f" and {len(formulas) - _LISTED_AT_MOST} more" if len(formulas) > _LISTED_AT_MOST else ""
        listed = ", ".join(formulas[:_LISTED_AT_MOST])
        builder.problems.append(f"{label}: formulas are not evaluated, so these values are unknown: {listed}{more}")
