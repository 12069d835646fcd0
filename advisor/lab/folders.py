"""Where does the lab keep what it keeps? One folder of the user's own, nothing elsewhere.

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
    """The folder for everything; made when it is asked for, readable by its owner only."""
    base = os.environ.get("XDG_DATA_HOME", "")
    place = (Path(base) if os.path.isabs(base) else Path.home() / ".local/share") / "advisor"
    return _made(place)


def prefixes() -> Path:
    """Fetched programs: one folder per product."""
    return _made(home() / "prefixes")


def templates() -> Path:
    """Initialised data directories: one folder per server program."""
    return _made(home() / "templates")


def labs() -> Path:
    """One folder per cluster that is up, or was not cleaned up."""
    return _made(home() / "labs")


def lab(name: str) -> Path:
    """The folder of one cluster, whether it is there or not; UsageError for a name that cannot be one."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} cannot be the name of a lab", hint="lower-case letters, digits, - and _; at most 31"
        )
    return labs() / name


def _made(place: Path) -> Path:
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise LabError(
            f"{place}: cannot be made: {error.strerror}", hint="XDG_DATA_HOME can be set to another"
        ) from None
    return place
