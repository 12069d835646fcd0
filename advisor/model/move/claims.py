"""What is known about moves between releases: the claims of `rules/moves`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from advisor.model.record import field, record
from advisor.model.server import Topology

Releases = Mapping[str, str]
"""Family → version constraint, "" for every release of the family; an empty mapping: every release."""


class Matter(StrEnum):
    """What a changed default or a feature has a bearing on, the heaviest first."""

    START = "start"
    DATA = "data"  # what is stored or returned may be something else
    DURABILITY = "durability"
    REPLICATION = "replication"
    THROUGHPUT = "throughput"
    ACCESS = "access"  # who can log in, and how


class Direction(StrEnum):
    """Where the target lies, seen from the release of now."""

    SAME = "same"  # within a series
    UP = "up"
    DOWN = "down"
    ACROSS = "across"  # to the other family


@record
class Translation:
    """An option that the target lacks, or takes for something else, and what to write there instead.

    `options` are canonical names; the first that the files set decides the place. `settings`: option of the target →
    text, or "=" and an expression over the values of now. None at all: the options go. `exact`: the effect is the same.
    `not_to`: vendors of the target whose builds take the options as they are.
    """

    id: str
    options: tuple[str, ...]
    why: str
    settings: Mapping[str, str] = field(default_factory=dict)
    when: str = ""
    exact: bool = True
    not_to: tuple[str, ...] = ()
    origin: Releases = field(default_factory=dict)
    target: Releases = field(default_factory=dict)
    see: tuple[str, ...] = ()
    tree: list[object] | None = None  # `when`, parsed
    trees: Mapping[str, list[object]] = field(default_factory=dict)  # by text: the expressions of `settings`, parsed
    file: str = ""


@record
class DefaultClaim:
    """What it means that a default changes. `was`, `now`: the values it is about as `SET` takes them, "" for any.

    `stated`: the two releases have no variable in common that could be compared, or the servers compute it; `was` and
    `now` are shown as they are here. `unless`: options that settle the same question where the files set them.
    """

    name: str
    matters: tuple[Matter, ...]
    says: str
    was: str = ""
    now: str = ""
    stated: bool = False
    unless: tuple[str, ...] = ()
    keep: str = ""  # the setting that brings the former behaviour back, "" for the old default
    rate: str = ""  # what was measured, by whom, on what
    when: str = ""
    origin: Releases = field(default_factory=dict)
    target: Releases = field(default_factory=dict)
    see: tuple[str, ...] = ()
    tree: list[object] | None = None
    file: str = ""


@record
class FeatureClaim:
    """Something that the target does not have, or has in another form.

    `when`: a condition on the evidence, "" for always. `blocks`: the move must not begin before this is settled.
    `ask`: a statement whose result shows whether it concerns this server, where the evidence cannot. `not_to`: vendors
    of the target whose builds do not have the problem.
    """

    id: str
    title: str
    matters: tuple[Matter, ...]
    says: str
    do: str = ""
    ask: str = ""
    when: str = ""
    blocks: bool = False
    rate: str = ""
    not_to: tuple[str, ...] = ()
    origin: Releases = field(default_factory=dict)
    target: Releases = field(default_factory=dict)
    directions: tuple[Direction, ...] = ()
    topologies: tuple[Topology, ...] = ()
    see: tuple[str, ...] = ()
    tree: list[object] | None = None
    file: str = ""


@record
class StepClaim:
    """One step of a move, in the order of its file. `topologies` empty: in all of them."""

    does: str
    why: str = ""
    topologies: tuple[Topology, ...] = ()
    directions: tuple[Direction, ...] = ()
    origin: Releases = field(default_factory=dict)
    target: Releases = field(default_factory=dict)
    see: tuple[str, ...] = ()
    file: str = ""


@record
class PathClaim:
    """How servers get from one release to the other. `by`: series on the way, as --to takes them; () for directly.

    `ways`: the methods that are supported for each leg.
    """

    says: str
    ways: tuple[str, ...]
    by: tuple[str, ...] = ()
    blocks: bool = False
    origin: Releases = field(default_factory=dict)
    target: Releases = field(default_factory=dict)
    directions: tuple[Direction, ...] = ()
    topologies: tuple[Topology, ...] = ()
    see: tuple[str, ...] = ()
    file: str = ""
