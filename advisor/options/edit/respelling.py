"""How is the name on an existing line spelt anew so that it takes a plain value?"""

from __future__ import annotations

import re

from advisor.model.server import Family
from advisor.options.names import plain_name, split_loose

_SWITCH = re.compile(r"(?:skip|disable|enable)[-_]", re.IGNORECASE)


def respell(written: str, name: str, family: Family, *, keep_alias: bool, separator: str) -> str:
    """`written` with as little changed as needed to give `name` a value.

    `loose-` stays: without it a server whose plugin is missing would not start. `skip-x`, `disable-x` and `enable-x`
    become `x`. Another spelling of the same variable stays when `keep_alias`, else it becomes `name`, with the
    dashes or underscores of what was there, or else `separator`.
    """
    start, rest = split_loose(written)
    switch = _SWITCH.match(rest)
    bare = rest[switch.end() :] if switch else ""
    if plain_name(rest, family) == name or (keep_alias and not switch):
        return written
    if plain_name(bare, family) == name:
        return start + bare
    return start + (name if "." in name else name.replace("_", _separator(rest, separator)))


def switched_off(name: str, separator: str) -> str:
    """`skip-x` for a name without such a prefix; `loose-` goes first."""
    start, rest = split_loose(name)
    return f"{start}skip{_separator(rest, separator)}{rest}"


def _separator(name: str, otherwise: str) -> str:
    return "_" if "_" in name else "-" if "-" in name else otherwise
