"""How are facts, settings and advice written in the JSON reports of `check` and `why`? schemas/ is made from these."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.masking import MASK, is_secret
from advisor.model.evidence import UNKNOWN, Fact
from advisor.model.rules import Change

Value = bool | int | float | str | None | list[bool | int | float | str | None]


@dataclass(frozen=True, slots=True)
class Because:
    """A fact a finding is based on. `unit` is "" for none, else "bytes", "seconds", "per_second", ….

    `source` is "file:line" or words.
    """

    name: str
    value: Value
    unit: str
    source: str


@dataclass(frozen=True, slots=True)
class Where:
    """The line a finding points at."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting to write, spelt for the server. `value` null: remove it. `was` null: its value now is not known.

    `releases`: the releases that it is for, if it is not for all that the finding holds for; else [].
    """

    name: str
    value: str | None
    was: str | None
    where: Where | None
    takes_effect: str
    releases: list[str]


@dataclass(frozen=True, slots=True)
class AdviceGiven:
    """What to change. `do` is advice that is not a setting. `takes_effect`: when the last of `set` takes effect."""

    set: list[Setting]
    do: str
    risk: list[str]
    takes_effect: str | None
    costs: str


def setting_of(change: Change) -> Setting:
    """A change as the report has it; a secret is masked."""
    hide = is_secret(change.name)
    return Setting(
        name=change.name,
        value=MASK if hide and change.value else change.value,
        was=MASK if hide and change.was else change.was or None,
        where=where_of(change.file, change.line),
        takes_effect=str(change.takes_effect),
        releases=list(change.releases),
    )


def where_of(file: str, line: int) -> Where | None:
    """The place as the report has it; None without one."""
    return Where(file, line) if file else None


def because_of(fact: Fact) -> Because:
    """A fact as the report has it; a secret is masked."""
    value = MASK if is_secret(fact.name) and fact.value else _plain(fact.value)
    return Because(fact.name, value, fact.unit, fact.source)


def _plain(value: object) -> Value:
    """A value as JSON can hold it; what it cannot hold, as text."""
    if value is None or value is UNKNOWN:
        return None
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple | list):
        return [item if item is None or isinstance(item, bool | int | float | str) else str(item) for item in value]
    return str(value)
