"""How do two quantities of many trials stand against each other? Dots in an SVG, both axes on a scale of their own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from advisor.model.record import record
from advisor.report.html.markup import Safe, tag
from advisor.report.words.amounts import rate

_WIDTH, _HEIGHT, _LEFT, _BOTTOM, _EDGE = 640.0, 320.0, 70.0, 44.0, 14.0
_LEAST: Final = 1.0  # on a log scale there is no zero: what is less stands at the edge


@record
class Dot:
    """One trial; `across` on a log scale, `up` from zero."""

    across: float
    up: float
    filled: bool
    name: str


def scatter(dots: Sequence[Dot], line: float, across: str, up: str) -> Safe:
    """The drawing, with a vertical line at a value across."""
    low = math.log10(max(_LEAST, min(line, *(dot.across for dot in dots)))) - 0.05
    high = math.log10(max(_LEAST * 10, line, *(dot.across for dot in dots))) + 0.05
    top = max(dot.up for dot in dots) * 1.08 or 1.0

    def x(value: float) -> float:
        return _LEFT + (math.log10(max(value, _LEAST)) - low) / (high - low) * (_WIDTH - _LEFT - _EDGE)

    def y(value: float) -> float:
        return _HEIGHT - _BOTTOM - value / top * (_HEIGHT - _BOTTOM - _EDGE)

    marks = [10.0**power for power in range(math.ceil(low), math.floor(high) + 1)]
    parts = [
        _line(_LEFT, y(0), _WIDTH - _EDGE, y(0)), _line(_LEFT, _EDGE, _LEFT, y(0)),
        _line(x(line), _EDGE, x(line), y(0), dashed=True),
        *(_text(f"{mark:,.0f}", x(mark), y(0) + 16, "middle") for mark in marks),
        *(_text(rate(top * share), _LEFT - 6, y(top * share) + 4, "end") for share in (0.0, 0.5, 0.9)),
        _text(across, (_LEFT + _WIDTH) / 2, _HEIGHT - 6, "middle"), _text(up, _LEFT + 6, _EDGE + 8, "start"),
        *(_dot(dot, x(dot.across), y(dot.up)) for dot in dots),
    ]  # fmt: skip
    told = f"{up} against {across}; {len(dots)} trials, {sum(dot.filled for dot in dots)} inside the bounds"
    return tag("svg", *parts, viewBox=f"0 0 {_WIDTH:.0f} {_HEIGHT:.0f}", role="img", aria_label=told, width="100%")


def _line(x1: float, y1: float, x2: float, y2: float, dashed: bool = False) -> Safe:
    return tag(
        "line", x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}", stroke="currentColor",
        stroke_opacity="0.5", stroke_dasharray="4 4" if dashed else None,
    )  # fmt: skip


def _text(text: str, x: float, y: float, anchor: str) -> Safe:
    return tag("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, font_size="12", fill="currentColor")


def _dot(dot: Dot, x: float, y: float) -> Safe:
    said = f"{dot.name}: {rate(dot.up)} tx/s, {dot.across:,.0f} ms"
    fill = "currentColor" if dot.filled else "none"
    return tag("circle", tag("title", said), cx=f"{x:.1f}", cy=f"{y:.1f}", r="4.5", fill=fill, stroke="currentColor")
