"""How does a second become an entry of a ring, and back? As JSON, with only those counters and tables that changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from advisor.model.record import replace
from advisor.ring.seconds import Counters, MemberSecond, Setup, Tables

_NO_SETUP: Final = Setup({})


@dataclass(slots=True)
class _Known:
    """What was last written of a member, or read."""

    setup: Setup = _NO_SETUP
    counters: dict[str, str] = field(default_factory=dict)
    tables: dict[str, Any] = field(default_factory=dict)


class Encoder:
    """Makes entries. After `forget` the next entry of each member can be read without those before."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def forget(self) -> None:
        """Begin again: with a segment, or after an entry that was not written."""
        self._known.clear()

    def entry(self, seconds: Sequence[MemberSecond]) -> bytes:
        """What is known of all members at one time."""
        return json.dumps([self._changes(second) for second in seconds], separators=(",", ":")).encode()

    def _changes(self, second: MemberSecond) -> dict[str, Any]:
        known = self._known.get(second.member)
        fresh = known is None
        known = self._known.setdefault(second.member, _Known())
        told: dict[str, Any] = {
            "member": second.member,
            "at": round(second.at_seconds, 3),
            "fresh": fresh,
            "setup": _setup_changes(known, second.setup) if second.setup else None,
            "clock": list(second.clock),
            "tables": [[round(at, 3), self._table_changes(known, tables)] for at, tables in second.tables],
            "host": dict(second.host),
            "innodb_status": second.innodb_status,
            "lacks": [list(lack) for lack in second.lacks],
            "failure": second.failure,
            "figures": {name: round(value, 6) for name, value in second.figures.items()},
            # Last, because the end of the first entry is the dictionary of the others.
            "samples": [[round(at, 3), self._counter_changes(known, values)] for at, values in second.samples],
        }
        return {name: value for name, value in told.items() if value or name in ("member", "at")}

    def _counter_changes(self, known: _Known, values: Counters) -> dict[str, str | None]:
        changes = _changes(known.counters, values)
        known.counters = dict(values)
        return changes

    def _table_changes(self, known: _Known, tables: Tables) -> dict[str, Any]:
        """None stands for the rows that the table had before."""
        changes = {name: None if known.tables.get(name) == rows else rows for name, rows in tables.items()}
        known.tables.update(tables)
        return changes


class Decoder:
    """Reads the entries of one segment in their order."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    def seconds(self, entry: bytes) -> list[MemberSecond]:
        """The members of an entry, with all counters and tables."""
        return [self._whole(told) for told in json.loads(entry)]

    def _whole(self, told: Mapping[str, Any]) -> MemberSecond:
        name = str(told["member"])
        if told.get("fresh"):
            self._known[name] = _Known()
        known = self._known.setdefault(name, _Known())
        if told.get("setup"):
            variables = _merged(known.setup.variables, told["setup"]["variables"])
            known.setup = replace(known.setup, **{**told["setup"], "variables": variables})
        return MemberSecond(
            member=name,
            at_seconds=told["at"],
            samples=tuple((at, self._counters(known, changes)) for at, changes in told.get("samples", ())),
            tables=tuple((at, self._tables(known, changes)) for at, changes in told.get("tables", ())),
            setup=known.setup if told.get("setup") else None,
            clock=tuple(told.get("clock", ())),
            host=told.get("host", {}),
            innodb_status=told.get("innodb_status", ""),
            lacks=tuple((what, why, command) for what, why, command in told.get("lacks", ())),
            failure=told.get("failure", ""),
            figures=told.get("figures", {}),
        )

    def _counters(self, known: _Known, changes: Mapping[str, str | None]) -> Counters:
        known.counters = _merged(known.counters, changes)
        return known.counters

    def _tables(self, known: _Known, changes: Mapping[str, Any]) -> Tables:
        found = {name: known.tables.get(name, []) if rows is None else rows for name, rows in changes.items()}
        known.tables.update(found)
        return found


def _setup_changes(known: _Known, setup: Setup) -> dict[str, Any]:
    """What differs from the setup before; the variables that differ are always in it, if only as {}."""
    old, known.setup = known.setup, setup
    changed = {name: value for name, value in vars(setup).items() if value != getattr(old, name)}
    return {**changed, "variables": _changes(old.variables, setup.variables)}


def _changes(old: Counters, new: Counters) -> dict[str, str | None]:
    """The values that are new; None for those that are gone."""
    gone: dict[str, str | None] = dict.fromkeys(old.keys() - new.keys())
    return gone | {name: value for name, value in new.items() if old.get(name) != value}


def _merged(old: Counters, changes: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in {**old, **changes}.items() if value is not None}
