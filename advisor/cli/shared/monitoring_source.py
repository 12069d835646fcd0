"""How do the words of the command line become a source of history? An address, a secret, a time, a selection."""

from __future__ import annotations

from pathlib import Path

from advisor.errors import InputError, UsageError
from advisor.history.http_api import HttpApi, open_api
from advisor.model.record import record

_MOST_BYTES = 64 << 10


@record
class TimeSpan:
    """From one epoch time to a later one."""

    begin_seconds: float
    end_seconds: float


def is_address(source: str) -> bool:
    """Whether the source is an HTTP API and not a path."""
    return source.startswith(("http://", "https://"))


def api_of(source: str, password_file: Path | None, seconds: float) -> HttpApi:
    """The API at an address, with the secret of the file: the user's password, or a token."""
    if not is_address(source):
        raise UsageError("the history is not an address", hint="http://prometheus:9090, or https://USER@pmm/prometheus")
    return open_api(source, _secret(password_file), seconds)


def _secret(file: Path | None) -> str:
    """One line, or the password of a [client] group."""
    if file is None:
        return ""
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            text = stream.read(_MOST_BYTES)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=str(file)) from None
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        if equals and name.strip().lower() == "password":
            return value.strip().strip("\"'")
    return text.strip().splitlines()[0].strip() if text.strip() else ""
