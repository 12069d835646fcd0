"""Which variables were set with SET PERSIST? What mysqld-auto.cnf says; it wins over option files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.scalars import as_text

_GROUPS: Final = (
    "mysql_server",
    "mysql_static_variables",
    "mysql_dynamic_variables",
    "mysql_dynamic_parse_early_variables",
)


def is_persisted(data: Any) -> bool:
    """Whether JSON is that of a mysqld-auto.cnf."""
    return isinstance(data, dict) and any(isinstance(data.get(group), dict) for group in _GROUPS)


def add_persisted(builder: MemberBuilder, data: Mapping[str, Any], label: str) -> None:
    """Take them as running values.

    Version 1 has one group with another inside it, version 2 (8.0.29 and later) a group for each time of setting.
    """
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
