"""Which tasks may be looked at? The open ones; of the locked ones only totals, and every look is written down.

The 48 tasks are 24 that were measured and 24 copies with rates times a constant; these twelve are the ones on
throughput, one of each pair, so that no open task is a locked one in disguise.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

OPEN = (7, 9, 20, 24, 41, 45)
LOCKED = (8, 14, 35, 40, 43, 48)
LOOKS = Path(__file__).with_name("locked-looks.log")


def note_look(what: str, now: datetime, log: Path = LOOKS) -> None:
    """Write down that the locked tasks are looked at: when, and with which methods, seeds and trials."""
    with log.open("a", encoding="utf-8") as stream:
        stream.write(f"{now:%Y-%m-%d %H:%M} {what}\n")


def asked_tasks(text: str) -> Sequence[int]:
    """Open tasks by number, "7,9"; all of them where nothing is named. ValueError for any other."""
    numbers = tuple(int(word) for word in text.split(",") if word) or OPEN
    if not set(numbers) <= set(OPEN):
        raise ValueError(
            f"--tasks: the open tasks are {', '.join(map(str, OPEN))}; --locked takes all of the locked ones"
        )
    return numbers
