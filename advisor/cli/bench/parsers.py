"""How are the lists of `advisor bench` written? As --threads 1,4,16 and --vs sync_binlog=0,m2:read_only=1."""

from __future__ import annotations

from advisor.cli.shared.name_value import NameValue, parse_name_value
from advisor.errors import UsageError


class ThreadCounts(tuple[int, ...]):
    """The number of clients of each run."""

    __slots__ = ()


class SettingChanges(tuple[NameValue, ...]):
    """Settings with the values to compare with; the name may have a member before it, as in m2:sync_binlog."""

    __slots__ = ()


def parse_thread_counts(text: str | ThreadCounts) -> ThreadCounts:
    """Whole numbers with commas in between; UsageError for anything else."""
    numbers = text.split(",") if isinstance(text, str) else ()
    for number in numbers:
        if not number.strip().isdecimal() or not int(number):
            raise UsageError(f"--threads {number!r} is not a whole number of at least 1", hint="e.g. --threads 1,4,16")
    return ThreadCounts(map(int, numbers)) if isinstance(text, str) else text


def parse_setting_changes(text: str | SettingChanges) -> SettingChanges:
    """NAME=VALUE or MEMBER:NAME=VALUE with commas in between; UsageError for anything else."""
    if not isinstance(text, str):
        return text
    hint = "e.g. --vs sync_binlog=0,m2:replica_parallel_workers=8"
    return SettingChanges(parse_name_value(part, "--vs", empty_value=True, hint=hint) for part in text.split(","))
