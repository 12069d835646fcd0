"""What is known of a member by name, wherever it stands? Running values first, option files second, without a release.

For recognising roles and topologies only: judging resolves option files as one release does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.model.evidence import Fact, Member, Row, Scalar
from advisor.model.options import Argument, Reading
from advisor.model.record import record

_SERVER_GROUPS = frozenset({"mysqld", "server", "mariadb", "mariadbd", "galera", "wsrep"})
_ON = frozenset({"on", "1", "true"})
_OFF = frozenset({"off", "0", "false"})


@record
class Known:
    """One member's settings, last counters and tables by name; missing names give None or ()."""

    member: Member
    settings: dict[str, Fact]

    def get(self, *names: str) -> Fact | None:
        """The first of these variables that is known, with a value that is not empty."""
        return next(
            (fact for name in names if (fact := self.settings.get(name)) and fact.value not in (None, "")),
            None,
        )

    def on(self, *names: str) -> Fact | None:
        """The first of these variables that is known to be ON."""
        found = (self.settings.get(name) for name in names)
        return next((fact for fact in found if fact and str(fact.value).lower() in _ON), None)

    def off(self, name: str) -> Fact | None:
        """The variable, when it is known to be OFF."""
        fact = self.settings.get(name)
        return fact if fact and str(fact.value).lower() in _OFF else None

    def counter(self, *names: str) -> Fact | None:
        """The last value of the first of these counters that is known."""
        for sample in reversed(self.member.samples):
            for name in names:
                if name in sample.values:
                    return Fact(name, sample.values[name], "", sample.source)
        return None

    def rows(self, table: str) -> tuple[Sequence[Row], str] | None:
        """The newest rows of a table and their source; None when the table was not read (() is: it was empty)."""
        found = [snapshot for snapshot in self.member.tables if snapshot.table == table]
        return (found[-1].rows, found[-1].source) if found else None


def known(member: Member) -> Known:
    """Look a member over once."""
    settings: dict[str, Fact] = {}
    for argument in _of_server(member.options) if member.options else ():
        name, text = _plain(argument)
        settings[name] = Fact(name, text, "", f"{argument.file}:{argument.line}")
    settings.update(member.variables)
    return Known(member, settings)


def last_written(reading: Reading, name: str) -> str:
    """The last value of an option in the server's groups, "" for none."""
    values = [argument.value for argument in _of_server(reading) if _plain(argument)[0] == name]
    return (values[-1] or "") if values else ""


def _of_server(reading: Reading) -> Iterator[Argument]:
    """The options in groups that some server reads, with the suffix of --defaults-group-suffix or without."""
    suffix = reading.group_suffix.lower()
    for argument in reading.arguments:
        if _is_of_server(argument.group.lower().removesuffix(suffix)):
            yield argument


def _is_of_server(group: str) -> bool:
    """Whether a group is one of a server's, with a series behind it (mysqld-8.0) or without."""
    name, dash, series = group.partition("-")
    is_series = series[:1].isdecimal() and series.replace(".", "").replace("_", "").isalnum()
    return name in _SERVER_GROUPS and (is_series or not dash)


def _plain(argument: Argument) -> tuple[str, str]:
    """Name and value without prefixes: `skip-x` is x=OFF, a name alone is ON."""
    name = argument.name.lower().replace("-", "_")
    value = "ON" if argument.value is None else argument.value
    while prefix := next((p for p in ("loose_", "enable_", "skip_", "disable_") if name.startswith(p)), ""):
        if prefix in ("skip_", "disable_"):
            if name in ("skip_name_resolve", "skip_networking", "skip_slave_start", "skip_replica_start"):
                break
            value = "OFF"
        name = name[len(prefix) :]
    return name, value


def column(row: Row, *names: str) -> Scalar:
    """The first of these columns, whatever their case; None when there is none."""
    lowered = {name.lower(): value for name, value in row.items()}
    return next((lowered[name] for name in names if name in lowered), None)


def group_names(member: Member) -> Iterator[str]:
    """The groups of the member's option files, in small letters."""
    for argument in member.options.arguments if member.options else ():
        yield argument.group.lower()
