"""What do settings say that a server keeps elsewhere: mysqld-auto.cnf (SET PERSIST), or a parameter group of RDS?

Both are JSON, and both win over an option file, so they count as running values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from advisor.evidence.formats.deployment.parameter_group import Parameter, add_parameters
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.scalars import as_text

_GROUPS: Final = (
    "mysql_server",
    "mysql_static_variables",
    "mysql_dynamic_variables",
    "mysql_dynamic_parse_early_variables",
)


def add_stored_settings(builder: MemberBuilder, data: Any, label: str, text: str = "") -> bool:
    """Take what a mysqld-auto.cnf or a parameter group says; False when the JSON is neither.

    `text` is the JSON as it was, to find lines in.
    """
    if isinstance(data, dict) and any(isinstance(data.get(group), dict) for group in _GROUPS):
        _add_persisted(builder, data, label)
        return True
    parameters = data.get("Parameters") if isinstance(data, dict) else data
    if isinstance(parameters, list) and parameters and all(map(_is_parameter, parameters)):
        _add_parameters(builder, parameters, label, text)
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


def _add_parameters(builder: MemberBuilder, parameters: Sequence[Mapping[str, Any]], label: str, text: str) -> None:
    """What `aws rds describe-db-parameters` prints, or describe-db-cluster-parameters; each with its line."""
    lines = _lines_of_names(text)
    names = [str(parameter["ParameterName"]) for parameter in parameters]
    given = [
        Parameter(
            name,
            as_text(parameter.get("ParameterValue")),
            lines.get(name, 0),
            chosen=str(parameter.get("Source") or "user") == "user",
        )
        for name, parameter in zip(names, parameters, strict=True)
    ]
    add_parameters(builder, given, label, aurora=any(name.startswith("aurora") for name in names))


def _lines_of_names(text: str) -> dict[str, int]:
    """Parameter → the line that names it; none where everything is on one line."""
    if text.count("\n") < 2:
        return {}
    found: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        name = re.search(r'"ParameterName"\s*:\s*"([^"\\]+)"', line)
        if name:
            found.setdefault(name[1], number)
    return found
