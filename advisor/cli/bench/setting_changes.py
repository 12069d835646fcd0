"""Which settings does `advisor bench --vs` compare with? As in --vs sync_binlog=0,m2:read_only=1."""

from __future__ import annotations

from advisor.cli.shared.name_value import NameValue, parse_name_value


class SettingChanges(tuple[NameValue, ...]):
    """Settings with the values to compare with; the name may have a member before it, as in m2:sync_binlog."""

    __slots__ = ()


def parse_setting_changes(text: str | SettingChanges) -> SettingChanges:
    """NAME=VALUE or MEMBER:NAME=VALUE with commas in between; UsageError for anything else."""
    if not isinstance(text, str):
        return text
    hint = "e.g. --vs sync_binlog=0,m2:replica_parallel_workers=8"
    return SettingChanges(parse_name_value(part, "--vs", empty_value=True, hint=hint) for part in text.split(","))
