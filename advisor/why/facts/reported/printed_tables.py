"""What do the tables of vmstat, iostat, mpstat, sar and free say that people paste into their reports?

A row of figures means nothing without its header. So each row is told cell by cell: "vdb: %util 95.3, await 0.51".
The column of vmstat with the swap in use, and the line of free, say nothing of swapping now; they are left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Final

from advisor.evidence.facts import NOT_HERE, fact
from advisor.evidence.member_facts import MemberFacts

# Columns by which a header is known: vmstat(8), iostat(1), mpstat(1), sar(1). Three of them in a line make a header.
_COLUMNS: Final = frozenset(
    """r b swpd si so bi bo us sy id wa st %util await r_await w_await f_await svctm avgqu-sz aqu-sz avgrq-sz r/s w/s
    tps rkb/s wkb/s rmb/s wmb/s wrqm/s rrqm/s %usr %user %nice %sys %system %iowait %steal %idle %soft pswpin/s
    pswpout/s kbmemfree kbmemused %memused kbswpused""".split()
)
_TOLD: Final = frozenset(
    """si so us sy id wa st %util await r_await w_await f_await r/s w/s %usr %user %sys %system %iowait %steal %idle
    pswpin/s pswpout/s""".split()
)
_SWAPPED_IN: Final = re.compile(r"\b(?:si|pswpin/s)\b[ :=]{1,3}(\d+(?:\.\d+)?)")
_LEAST_COLUMNS: Final = 3
_UNNUMBERED: Final = 2  # columns without a figure: a device, a time of day
_LABEL: Final = re.compile(r"^[\w .()/-]{1,60}: (?=\S)")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?%?")
_UNTITLED: Final = re.compile(r"(?:mem|swap): +total\b|^\s*(?:mem|swap): +\d+ +\d+", re.IGNORECASE)
_TOP: Final = re.compile(r"%?cpu\(s\):(.*)", re.IGNORECASE)
_TOP_CELL: Final = re.compile(r"(\d+(?:\.\d+)?)\s*%?\s*(us|sy|ni|id|wa|hi|si|st)\b")


def told_by_cells(lines: Sequence[str]) -> list[str]:
    """The lines, with every table row told cell by cell, and without headers and the line of free on swap."""
    told: list[str] = []
    header: list[str] = []
    for line in lines:
        words = _LABEL.sub("", line).lower().split()
        if _is_header(words):
            header = words
        elif header and (row := _row(header, words)):
            told.append(_in_words(*row))
        elif top := _TOP.search(line):
            told.append(_in_words("", {name: figure for figure, name in _TOP_CELL.findall(top[1])}))
        elif not _UNTITLED.search(line):
            told.append(line)
    return told


def _is_header(words: Sequence[str]) -> bool:
    return len(_COLUMNS.intersection(words)) >= _LEAST_COLUMNS and not any(_NUMBER.fullmatch(word) for word in words)


def _row(header: Sequence[str], words: Sequence[str]) -> tuple[str, Mapping[str, str]] | None:
    """Names stand before figures, in the header as in the row; both are read from the right."""
    figures = list(takewhile(_NUMBER.fullmatch, reversed(words)))[: len(header)]
    if len(figures) < _LEAST_COLUMNS or len(header) - len(figures) > _UNNUMBERED:
        return None
    before = " ".join(words[: len(words) - len(figures)])
    return before, dict(zip(header[-len(figures) :], reversed(figures), strict=True))


def _in_words(of: str, cells: Mapping[str, str]) -> str:
    known = ", ".join(f"{name} {figure}" for name, figure in cells.items() if name in _TOLD)
    return f"{of}: {known}" if of else known


@fact()
def printed_swap_in(e: MemberFacts) -> object:
    """The most that a row of a printed table says is swapped in per second; 0: the machine does not swap.

    The first row of vmstat is the mean since the boot, so it counts only where it is alone.
    """
    e.get("observed.notes", None)
    found = [float(rate) for line in e["fact.report_lines"] for rate in _SWAPPED_IN.findall(line)]
    return max(found[1:] or found) if found else NOT_HERE
