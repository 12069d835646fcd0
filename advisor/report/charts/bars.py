"""How are shares and ceilings shown as bars that also read as a list?"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from typing import Final

from advisor.model.record import record
from advisor.report.html.markup import Safe, breakable, tag

_WIDE: Final = 20.0  # rates further apart than this factor are drawn on a logarithmic scale


@record
class Bar:
    """One line. `size`, `begin` and `likely` are on the scale of its list; `value` is what is written next to it.

    A bar with a `begin` is a range, in which `likely` is marked.
    """

    label: str
    value: str
    size: float
    source: str = ""
    kind: str = ""
    begin: float | None = None
    title: str = ""
    likely: float | None = None


@record
class Scale:
    """Where on a track (0 to 1) a rate lies: from zero, or by the logarithm from `least` on."""

    least: float
    most: float
    logarithmic: bool

    def at(self, value: float) -> float:
        """A place between 0 and 1, whatever the value."""
        if not self.logarithmic:
            return min(max(value / self.most, 0.0), 1.0)
        place = (log10(max(value, self.least)) - log10(self.least)) / (log10(self.most) - log10(self.least))
        return min(max(place, 0.0), 1.0)


def scale_of(values: Sequence[float]) -> Scale:
    """One that has room for all values; logarithmic where they differ by more than a factor of twenty."""
    positive = [value for value in values if value > 0] or [1.0]
    least, most = min(positive), max(positive)
    return Scale(10 ** (log10(least) - 0.5), most, True) if most / least > _WIDE else Scale(0.0, most, False)


def bars(lines: Sequence[Bar], scale: Scale, mark: float | None = None) -> Safe:
    """The list; `mark` is a value drawn as a line across every track."""
    return tag("ul", *(_line(line, scale, mark) for line in lines), class_="bars")


def _line(line: Bar, scale: Scale, mark: float | None) -> Safe:
    begin = 0.0 if line.begin is None else scale.at(line.begin)
    size = max(scale.at(line.size) - begin, 0.0)
    fill = tag("span", class_="fill", style=f"--from:{begin:.2%};--size:{size:.2%}")
    likely = line.likely
    middle = tag("span", class_="likely", style=f"--at:{scale.at(likely):.2%}") if likely is not None else None
    across = tag("span", class_="mark", style=f"--at:{scale.at(mark):.2%}") if mark is not None else None
    return tag(
        "li",
        tag("span", line.label, class_="label"),
        tag("span", fill, middle, across, class_="track", aria_hidden="true"),
        tag("span", line.value, class_="value"),
        tag("small", breakable(line.source), class_="source") if line.source else None,
        class_=line.kind or None,
        title=line.title or None,
    )
