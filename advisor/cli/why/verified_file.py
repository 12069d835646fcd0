"""Where are verified changes kept? In one file of the user; whatever is wrong with it costs a note, never the answer.

Writers take turns by a lock. The new file replaces the old one as a whole, which stays next to it as a backup. Lines
that this version cannot read are kept as they are.
"""

from __future__ import annotations

import fcntl
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from advisor.atomic_write import write_files
from advisor.errors import AdvisorError
from advisor.lab.folders import home, home_path
from advisor.why.verified.lines import as_line, read_lines
from advisor.why.verified.pair import VerifiedChange

_NAME: Final = "verified-changes.jsonl"
_MOST_LINES: Final = 1000  # the newest; a line is 300 bytes or so
_PRIVATE: Final = 0o600


def verified_changes() -> tuple[tuple[VerifiedChange, ...], str]:
    """What was kept, oldest first, and a note on what of it cannot be used ("" for nothing)."""
    place = Path(_NAME)
    try:
        place = home_path() / _NAME
        text = place.read_bytes().decode(errors="replace")
    except FileNotFoundError:
        return (), ""
    except (OSError, RuntimeError) as error:  # RuntimeError: a user without a home
        return (), f"{place}: changes verified before are not used: {_reason(error)}"
    pairs, note = read_lines(text)
    return pairs, f"{place}: {note}" if note else ""


def keep(pairs: Sequence[VerifiedChange]) -> str:
    """Add pairs to the file; why they could not be kept, "" when they are."""
    if not pairs:
        return ""
    try:
        place = home() / _NAME
        with open(place.with_suffix(".lock"), "ab") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            _add("".join(map(as_line, pairs)).encode(), place)
    except AdvisorError as error:
        return str(error)
    except (OSError, RuntimeError) as error:
        return f"{_NAME}: {_reason(error)}"
    return ""


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or str(error)


def _add(lines: bytes, place: Path) -> None:
    try:
        before = place.read_bytes()
    except FileNotFoundError:
        before = b""
    whole = before if before.endswith(b"\n") or not before else before + b"\n"  # edited by hand
    kept = (whole + lines).splitlines(keepends=True)[-_MOST_LINES:]
    backup = {place.with_suffix(".jsonl.bak"): before} if before else {}
    write_files({**backup, place: b"".join(kept)}, mode=_PRIVATE)
