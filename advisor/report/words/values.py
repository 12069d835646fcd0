"""How is a fact written for a person, without giving away a secret or steering the terminal?"""

from __future__ import annotations

import os

from advisor.annotations import Final
from advisor.masking import MASK, is_secret
from advisor.model.evidence import Fact
from advisor.model.rules import Change
from advisor.units import show

MOST_NAMES: Final = 2  # of the inputs of a derived fact


def show_fact(fact: Fact) -> str:
    """`name = value` with its unit; a secret is masked, odd text is put in quotes.

    A derived fact is shown without its prefix, and as yes or no where a server's switch is ON or OFF.
    """
    if fact.name == "version" and isinstance(fact.value, tuple):
        return f"version = {'.'.join(map(str, fact.value))}"
    if is_secret(fact.name) and fact.value not in (None, ""):
        return f"{fact.name} = {MASK}"
    name = fact.name.removeprefix("fact.")
    if isinstance(fact.value, bool) and name != fact.name:
        return f"{name} = {'yes' if fact.value else 'no'}"
    text = "none" if fact.value == "" and name != fact.name else show(fact.value, fact.unit)
    text += "/s" if fact.unit == "bytes" and name.endswith("_per_second") else ""
    return printable(f"{name} = {text}" if text.strip() == text else f"{name} = '{text}'")


def printable(text: str) -> str:
    """Text without control characters and broken bytes: what a file holds must not steer the terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c) & 0xFF:02x}" for c in text)


def show_change(change: Change, *, old: bool = False) -> str:
    """The new (or old) value of a change as text; a secret is masked."""
    value = change.was if old else change.value or "''"
    return MASK if is_secret(change.name) else printable(value)


def place(file: str, line: int = 0) -> str:
    """file:line, with the file relative to the current folder when it is below it."""
    if os.path.isabs(file):
        near = os.path.relpath(file)
        file = file if near.startswith("..") else near
    return f"{printable(file)}:{line}" if line else printable(file)


def file_of(path: str) -> str:
    """The file behind the path of a report: `compose.yaml#db` is one of the servers in compose.yaml."""
    return path if os.path.exists(path) else path.rpartition("#")[0] or path


def near(file: str, line: int, about: str) -> str:
    """A place relative to what a report is about: "line 14" in that file, else relative to its folder."""
    if not file:
        return ""
    if file == about and line:
        return f"line {line}"
    folder = about if file.startswith(os.path.join(about, "")) else os.path.dirname(about)
    inside = os.path.join(folder, "") if folder else ""
    return place(file.removeprefix(inside), line) if inside else place(file, line)


def show_source(source: str, about: str = "") -> str:
    """Where a fact comes from: words, or file:line from here; "line 14" in the file the report is about.

    Of the inputs of a derived fact the first few are named, without their prefixes.
    """
    file, colon, line = source.rpartition(":")
    if colon and line.isdecimal():
        return near(file, int(line), about)
    head, _, rest = source.partition(" ")
    if head != "from" or " " in rest.replace(", ", ""):
        return printable(source)
    names = list(dict.fromkeys(name.removeprefix("configured.").removeprefix("fact.") for name in rest.split(", ")))
    more = f", {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES + 1 else ""
    return printable("from " + ", ".join(names[: MOST_NAMES if more else None]) + more)
