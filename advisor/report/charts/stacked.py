"""How is a whole shown that is made of parts? One bar of coloured segments, the large ones with their share on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from advisor.model.record import record
from advisor.report.html.markup import Child, Safe, tag

_LABELLED: Final = 0.08  # a smaller segment has no room for its share
_NAMED: Final = 0.16  # a smaller segment has no room for its name, even on a wide screen


@record
class Segment:
    """One part: `share` (0 to 1) of the whole, `value` as it is written, `colour` a name of report.css, as "c0".

    `always`: is named below the bar however small it is. `kind` is a class of report.css that replaces the colour.
    """

    name: str
    share: float
    value: str
    colour: str = ""
    kind: str = ""
    always: bool = False


@record
class Entry:
    """An entry of the legend that several bars share."""

    name: str
    colour: str = ""
    kind: str = ""


def stacked(label: Child, in_words: str, segments: Sequence[Segment]) -> Safe:
    """A bar with its label; `in_words` says everything to readers who cannot see it."""
    bar = tag("div", *map(_segment, segments), class_="stack", role="img", aria_label=in_words)
    return tag("div", tag("div", label, class_="label"), tag("div", bar, _names(segments)), class_="stacked-row")


def legend(entries: Sequence[Entry]) -> Safe:
    """One for all bars."""
    items = [tag("li", _swatch(entry.colour, entry.kind), entry.name) for entry in entries]
    return tag("ul", *items, class_="stack-legend")


def _segment(segment: Segment) -> Safe | None:
    if segment.share <= 0:
        return None
    shown: list[Child] = []
    if segment.share >= _LABELLED:
        shown.append(tag("b", segment.value))
    if segment.share >= _NAMED:
        shown.append(tag("span", segment.name))
    return tag(
        "div",
        tag("div", *shown) if shown else None,
        class_=segment.kind or None,
        style=_style(f"--part:{segment.share:.4f}", segment.colour),
        title=f"{segment.name}: {segment.value}",
    )


def _names(segments: Sequence[Segment]) -> Safe:
    """The names of the segments that are large enough; on a wide screen those with room have theirs on the bar."""
    named = [segment for segment in segments if segment.share >= _LABELLED or segment.always]
    items = [
        tag(
            "li",
            _swatch(segment.colour, segment.kind),
            tag("span", tag("b", segment.value), f" {segment.name}"),
            class_="on-bar" if segment.share >= _NAMED else None,
        )
        for segment in named
    ]
    return tag("ul", *items, class_="stack-names", aria_hidden="true")


def _swatch(colour: str, kind: str) -> Safe:
    return tag("i", class_=kind or None, style=_style("", colour) or None, aria_hidden="true")


def _style(first: str, colour: str) -> str:
    return ";".join(filter(None, (first, f"--tint:var(--{colour})" if colour else "")))
