"""What a printed value is: a number, text, or NULL."""

from __future__ import annotations

import re

from advisor.model.evidence import Scalar

_NEGATIVE = re.compile(r"-(?:0|[1-9]\d*)\Z")
_FLOAT = re.compile(r"-?\d+\.\d+(?:[eE][+-]?\d+)?\Z")


def scalar(text: str | None) -> Scalar:
    """A counter's or column's value: int and float where it is a number, None for NULL, else the text as it stands.

    An empty value stays "", and -1 stays -1. Numbers with leading zeros are names, not numbers.
    """
    if text is None or text == "NULL":
        return None
    if text.isdigit() and text.isascii():  # most are counters, of which a bundle has millions
        return int(text) if len(text) <= 20 and (text[0] != "0" or text == "0") else text
    if text[:1] == "-" and len(text) <= 20 and _NEGATIVE.match(text):
        return int(text)
    if "." in text and len(text) <= 40 and _FLOAT.match(text):
        return float(text)
    return text


def as_text(value: object) -> str | None:
    """A variable's value as the server prints it, from JSON: true is ON, null is None."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "ON" if value else "OFF"
    if isinstance(value, (list, tuple)):
        return ",".join(as_text(item) or "" for item in value)
    return str(value)
