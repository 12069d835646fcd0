"""Can everybody read it? Contrast of every text colour on every background it stands on, light, dark and printed."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

CSS = (files("advisor.report.html") / "assets" / "report.css").read_text(encoding="utf-8")
LIGHT, DARK, PAPER = (
    dict(re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})", block))
    for block in re.findall(r":root[^{]*{(.*?)}", CSS, re.DOTALL)
)
SCHEMES = {"light": LIGHT, "dark": DARK, "paper": LIGHT | PAPER}
# WCAG 2.2: 4.5 for text (1.4.3), 3 for what a drawing needs to be understood (1.4.11).
TEXT = [(ink, on, 4.5) for ink in ("ink", "quiet", "link", "bad", "warn", "good") for on in ("page", "card", "soft")]
DRAWN = [(f"c{number}", "card", 4.5) for number in range(8)] + [("strong", "soft", 3.0)]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("front", "back", "least"), TEXT + DRAWN)
def test_contrast_is_enough(scheme: str, front: str, back: str, least: float) -> None:
    colours = SCHEMES[scheme]
    light, dark = sorted((luminance(colours[front]), luminance(colours[back])), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= least


def test_every_colour_that_is_used_is_defined_in_every_scheme() -> None:
    used = set(re.findall(r"var\(--(\w+)[),]", CSS)) - {"from", "size", "at", "tint", "span", "part"}
    assert all(used <= set(colours) for colours in SCHEMES.values())
