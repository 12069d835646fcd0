"""How is text put into HTML so that none of it becomes markup? Elements escape every child that is not an element."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Final

from advisor.report.words.values import printable

_EMPTY: Final = frozenset({"br", "hr", "input", "meta", "wbr"})


class Safe(str):
    """Markup made by this module; any other text is escaped."""

    __slots__ = ()


Child = str | None | Iterable["Child"]


def tag(name: str, /, *children: Child, **attributes: str | bool | None) -> Safe:
    """An element: `class_` is class, `aria_label` aria-label; an attribute of None or False is left out."""
    inside = "".join(f" {_attribute(key, value)}" for key, value in attributes.items() if value not in (None, False))
    if name in _EMPTY:
        return Safe(f"<{name}{inside}>")
    return Safe(f"<{name}{inside}>{join(children)}</{name}>")


def join(children: Iterable[Child]) -> Safe:
    """Children one after the other: elements as they are, text escaped, None as nothing."""
    return Safe("".join(_child(child) for child in children))


def escape(text: str) -> Safe:
    """Text that stays text, in an element or an attribute."""
    return Safe(html.escape(printable(text)))


def breakable(name: str) -> Safe:
    """Text with names such as innodb_io_capacity, which a narrow screen may break after an underscore or a dot."""
    first, *rest = re.split(r"(?<=[^\W\d]_)(?=\w)|(?<=[a-z]\.)(?=[^\W\d])", name)
    return join([first, *((tag("wbr"), part) for part in rest)])


def _attribute(key: str, value: str | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    return name if value is True else f'{name}="{escape(str(value))}"'


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Safe):
        return child
    return escape(child) if isinstance(child, str) else join(child)
