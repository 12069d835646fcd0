"""How do the words of the command line become a source of history? An address or a file, and the file of its secret."""

from __future__ import annotations

from pathlib import Path

from advisor.collect.login import find_login
from advisor.history.source import Source


def monitoring_source(place: str, password_file: Path | None, seconds: float) -> Source:
    """The source, with the secret of the file: the password of the user in the address, or a token."""
    return Source(place, find_login(str(password_file), {}).password if password_file else "", seconds)
