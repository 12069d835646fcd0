"""Where does the lab keep its files? In one folder of the user, nothing elsewhere.

`prefixes/` holds fetched server programs, `templates/` data directories initialised once, `labs/` one folder per
cluster. All below XDG_DATA_HOME, else ~/.local/share.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from advisor.errors import LabError, UsageError

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,30}")


def home() -> Path:
    """The folder for everything; created on first use, readable by its owner only."""
    return _made(home_path())


def home_path() -> Path:
    """The folder for everything, whether it exists or not."""
    base = os.environ.get("XDG_DATA_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".local/share") / "advisor"


def prefixes() -> Path:
    """Fetched programs: one folder per product."""
    return _made(home() / "prefixes")


def templates() -> Path:
    """Initialised data directories: one folder per server program."""
    return _made(home() / "templates")


def labs() -> Path:
    """One folder per cluster that is up, or whose data was not removed."""
    return _made(home() / "labs")


def lab(name: str) -> Path:
    """The folder of one cluster, whether it exists or not; UsageError for an invalid name."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a lab",
            hint="use lower-case letters, digits, - and _, at most 31 characters",
        )
    return labs() / name


def _made(place: Path) -> Path:
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(
            f"cannot create {place}: {error.strerror}", hint="set XDG_DATA_HOME to a writable folder"
        ) from None
    return place
