"""What did people supply, as lines of words? Everything they paste or write about every member, each line once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from advisor.model.evidence import Cluster, Member, Row

_TEXT_COLUMNS: Final = ("state", "info", "command", "error", "running")


def report_lines(cluster: Cluster) -> tuple[str, ...]:
    """Observations, option lines, names of counters, states of threads and the InnoDB monitor, without repetition."""
    lines = dict.fromkeys(line for member in cluster.members for line in (*_told(member), *_printed(member)))
    return (_topology(cluster), *lines)


def told_lines(cluster: Cluster) -> tuple[str, ...]:
    """Only what somebody described: no option lines, counters or printed tables, which look the same in any trouble."""
    return (_topology(cluster), *dict.fromkeys(line for member in cluster.members for line in _told(member)))


def _topology(cluster: Cluster) -> str:
    return f"topology {cluster.topology or 'unknown'}".replace("_", "")


def _told(member: Member) -> Iterator[str]:
    for name, fact in member.observed.items():
        values = fact.value if isinstance(fact.value, tuple) else (fact.value,)
        yield from (f"{name.replace('.', ' ')}: {value}" for value in values)


def _printed(member: Member) -> Iterator[str]:
    if member.options is not None:
        yield from (argument.text for argument in member.options.arguments)
    yield from (f"{name} = {fact.value}" for name, fact in member.variables.items())
    yield from (name for sample in member.samples[:1] for name in sample.values)
    for snapshot in member.tables:
        yield from (line for row in snapshot.rows for line in _texts(row))
    yield from (line for row in member.processlist for line in _texts(row))
    yield from member.innodb_status.splitlines()


def _texts(row: Row) -> Iterator[str]:
    for name, value in row.items():
        if value not in (None, "") and any(word in name.lower() for word in _TEXT_COLUMNS):
            yield f"{name}: {value}"
