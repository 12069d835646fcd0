"""What was added to a lab's option file later? Blocks at its end, each between two comments with a label.

A block can be changed or removed without touching the rest; if two blocks set the same option, the later one wins.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from advisor.lab.settings import JOINED, option_lines


def with_block(text: str, label: str, settings: Mapping[str, str]) -> str:
    """The option file with exactly these settings in the block of a label; without settings, without the block."""
    rest = _pattern(label).sub("", text)
    if not settings:
        return rest
    own = {name: _joined(rest, name, value) for name, value in settings.items()}
    return rest + "\n".join([f"# begin {label}", *option_lines(own), f"# end {label}"]) + "\n"


def _joined(text: str, name: str, value: str) -> str:
    """A value appended to the one set before: replacing it would lose the lab's addresses."""
    before = re.findall(rf"(?m)^{re.escape(name)} = (.*)$", text) if name in JOINED else []
    return f"{before[-1]}{JOINED[name]}{value}" if before else value


def _pattern(label: str) -> re.Pattern[str]:
    return re.compile(rf"(?ms)^# begin {re.escape(label)}\n.*?^# end {re.escape(label)}\n")
