"""What was added to a lab's option file later, by whom? Blocks at its end, each between two comments with a label.

A block can be changed and taken away without touching the rest; of two that set the same, the later wins, as always.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from advisor.lab.settings import JOINED, option_lines


def with_block(text: str, label: str, settings: Mapping[str, str]) -> str:
    """The option file with the block of a label saying exactly these settings; without it when there are none."""
    rest = _pattern(label).sub("", text)
    if not settings:
        return rest
    own = {name: _joined(rest, name, value) for name, value in settings.items()}
    return rest + "\n".join([f"# begin {label}", *option_lines(own), f"# end {label}"]) + "\n"


def _joined(text: str, name: str, value: str) -> str:
    """A value that adds to what stands before: a line of its own would take the lab's addresses away."""
    before = re.findall(rf"(?m)^{re.escape(name)} = (.*)$", text) if name in JOINED else []
    return f"{before[-1]}{JOINED[name]}{value}" if before else value


def _pattern(label: str) -> re.Pattern[str]:
    return re.compile(rf"(?ms)^# begin {re.escape(label)}\n.*?^# end {re.escape(label)}\n")
