"""What is compared? A quantity: one thing in which servers can differ in effect, and what a difference does."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from advisor.annotations import Any
from advisor.model.record import field, record


class Effect(StrEnum):
    """What a difference in a quantity does to the comparison of two write rates."""

    DECIDES = "decides"  # it makes the rates incomparable: durability, work per commit, redo, hardware, load
    MAY_MATTER = "may_matter"
    NONE = "none"  # paths, ports, names
    OUTCOME = "outcome"  # what was measured, not a condition of the measurement


class Area(StrEnum):
    """What a quantity is about, in the order of reports."""

    LOAD = "load"
    HARDWARE = "hardware"
    TOPOLOGY = "topology"
    DURABILITY = "durability"
    REDO = "redo"
    COMMIT = "commit"
    MEMORY = "memory"
    FLUSHING = "flushing"
    CONCURRENCY = "concurrency"
    REPLICATION = "replication"
    SQL = "sql"
    RESULT = "result"


@record
class Remark:
    """A sentence that explains the value of a quantity in some releases; `applies` as in rules."""

    applies: Mapping[str, str | tuple[str, ...]]
    says: str


@record
class Quantity:
    """One thing in which servers can differ, from a file of rules/quantities.

    `names`: the first of them that a release has gives the value (names as in conditions). `when`: the tree of the
    condition under which the quantity exists on a server, None for always. `absent`: what a release without any of
    the names does all the same, "" where nothing can be said. `same`: words that mean the same. `tolerance`: share
    by which two numbers may differ and still count as equal.
    """

    id: str
    title: str
    area: Area
    effect: Effect
    names: tuple[str, ...]
    why: str
    see: tuple[str, ...]
    unit: str = ""
    applies: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    when: list[Any] | None = None
    absent: str = ""
    same: tuple[tuple[str, ...], ...] = ()
    tolerance: float = 0.0
    remarks: tuple[Remark, ...] = ()
    file: str = ""
