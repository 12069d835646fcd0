"""What is drawn over axes? Curves of members over time, and single measurements; how it looks is decided elsewhere."""

from __future__ import annotations

from enum import StrEnum

from advisor.model.record import record


@record
class Curve:
    """One quantity of one member. `values` may hold None: not known at that moment, which is a gap and never zero.

    `steps`: values[i] is the mean from at_seconds[i] to at_seconds[i + 1], so there is one value fewer than moments;
    else values[i] was read at at_seconds[i].
    """

    name: str
    member: str
    at_seconds: tuple[float, ...]
    values: tuple[float | None, ...]
    steps: bool = False
    dashed: bool = False

    @property
    def known(self) -> list[float]:
        """The values without the gaps."""
        return [value for value in self.values if value is not None]

    @property
    def mean(self) -> float | None:
        """Over time where values are means of intervals, else over the readings; None when nothing is known."""
        if not self.steps:
            return sum(self.known) / len(self.known) if self.known else None
        lengths = (end - begin for begin, end in zip(self.at_seconds, self.at_seconds[1:], strict=False))
        pairs = [(value, s) for value, s in zip(self.values, lengths, strict=True) if value is not None]
        whole = sum(seconds for _, seconds in pairs)
        return sum(value * seconds for value, seconds in pairs) / whole if whole else None


@record
class Span:
    """A stretch of time with a name: a phase of a run."""

    name: str
    begin_seconds: float
    end_seconds: float


@record
class Chart:
    """Curves of one unit over the same time. `id` is a word, `about` says where it comes from and how to read it.

    `clock_seconds`: the local time of day at second 0, as seconds since 1970; moments are shown as times of day then.
    """

    id: str
    title: str
    unit: str
    about: str
    curves: tuple[Curve, ...]
    spans: tuple[Span, ...] = ()
    clock_seconds: float | None = None


class Mark(StrEnum):
    """How a measurement is drawn. Shapes differ as well as colours, for whoever cannot tell the colours apart."""

    DOT = "dot"
    RING = "ring"
    CROSS = "cross"
    SQUARE = "square"
    DIAMOND = "diamond"
    STEPS = "steps"  # no marks: a line that holds each value until the next one


@record
class Point:
    """One measurement, with its interval along the x axis where one is known. `label` says it in words."""

    x: float
    y: float
    label: str
    low: float | None = None
    high: float | None = None


@record
class Group:
    """Points of one meaning: an entry of the legend. `colour` is one of report.css, as "c0"."""

    name: str
    colour: str
    mark: Mark
    points: tuple[Point, ...]


@record
class Axis:
    """What an axis shows, with its unit. With `rows` (names, top one first) a point's y is the number of its row."""

    name: str
    logarithmic: bool = False
    whole: bool = False
    rows: tuple[str, ...] = ()


@record
class Scatter:
    """Single measurements over two axes. `limit` is a value on the x axis with what it means, drawn as a line."""

    id: str
    title: str
    about: str
    x: Axis
    y: Axis
    groups: tuple[Group, ...]
    limit: tuple[float, str] | None = None
