"""Which server does a DSN name? It never contains a password: every user of the machine can see command lines."""

from __future__ import annotations

import getpass
import os
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from advisor.collect.login import Login, login_of_path
from advisor.errors import UsageError
from advisor.model.lab import Address

FORM: Final = "mysql://user@host:port, mysql://user@localhost?socket=/path, or mysql://host?login-path=NAME"
_SCHEMES: Final = ("mysql", "mariadb")


def parse_dsn(text: str, login: Login) -> Address:
    """The address that a DSN names, with the account of its login path or else of `login`.

    UsageError for one that is malformed or contains a password, and for a login path that does not exist.
    """
    try:
        parts = urlsplit(text)
        port, socket = parts.port or 3306, "".join(parse_qs(parts.query).get("socket", [])[:1])
    except ValueError:
        raise UsageError("--dsn: the port must be a number from 1 to 65535", hint=f"e.g. {FORM}") from None
    if parts.password is not None:
        hint = "remove it and set ADVISOR_PASSWORD, or name a file with --password-file"
        raise UsageError("--dsn contains a password, which every user of this machine can see", hint=hint)
    login_path = "".join(parse_qs(parts.query).get("login-path", [])[:1])
    unknown = set(parse_qs(parts.query, keep_blank_values=True)) - {"socket", "login-path"}
    if parts.scheme not in _SCHEMES or not (parts.hostname or socket) or parts.path.strip("/") or unknown:
        raise UsageError(f"--dsn {text!r} is not the address of a server", hint=f"e.g. {FORM}")
    if login_path:
        login = login_of_path(login_path, os.environ)
    user = unquote(parts.username or "") or login.user or getpass.getuser()
    return Address(unquote(parts.hostname or "localhost"), port, user, login.password, socket)
