"""Which user and password log in? The password comes from a file or the environment, never from the command line.

The password is the first of: the file named with --password-file (an option file's [client] group, or one line),
ADVISOR_PASSWORD, MYSQL_PWD, the [client] group of ~/.my.cnf. Without any, none is sent.
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from advisor.errors import InputError, UsageError
from advisor.model.lab import Address
from advisor.model.record import record

FORM: Final = "mysql://user@host:port, or mysql://user@localhost?socket=/path"
_SCHEMES: Final = ("mysql", "mariadb")
_VARIABLES: Final = ("ADVISOR_PASSWORD", "MYSQL_PWD")


@record
class Login:
    """A user and a password, "" when not given. Never shown."""

    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"Login({self.user})"


def parse_dsn(text: str, login: Login) -> Address:
    """The address that a DSN names; UsageError for one that is malformed or contains a password."""
    try:
        parts = urlsplit(text)
        port, socket = parts.port or 3306, "".join(parse_qs(parts.query).get("socket", [])[:1])
    except ValueError:
        raise UsageError("--dsn: the port must be a number from 1 to 65535", hint=f"e.g. {FORM}") from None
    if parts.password is not None:
        hint = "remove it and set ADVISOR_PASSWORD, or name a file with --password-file"
        raise UsageError("--dsn contains a password, which every user of this machine can see", hint=hint)
    unknown = set(parse_qs(parts.query, keep_blank_values=True)) - {"socket"}
    if parts.scheme not in _SCHEMES or not (parts.hostname or socket) or parts.path.strip("/") or unknown:
        raise UsageError(f"--dsn {text!r} is not the address of a server", hint=f"e.g. {FORM}")
    user = unquote(parts.username or "") or login.user or getpass.getuser()
    return Address(unquote(parts.hostname or "localhost"), port, user, login.password, socket)


def find_login(password_file: str, environment: Mapping[str, str]) -> Login:
    """The login from files and environment; InputError when the named file has no password."""
    if password_file:
        return _named(password_file)
    given = next((environment[name] for name in _VARIABLES if environment.get(name)), "")
    home = os.path.join(environment.get("HOME", ""), ".my.cnf")
    own = _client_group(home) if environment.get("HOME") and os.path.isfile(home) else Login()
    return Login(own.user, given or own.password)


def _named(path: str) -> Login:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', 'not text')}", file=path) from None
    lines = [line for line in text.splitlines() if line.strip()]
    if any(line.lstrip().startswith("[") for line in lines):
        login = _client_group(path)
        if not login.password:
            raise InputError("there is no password in its [client] group", file=path)
        return login
    if len(lines) != 1:
        raise InputError("must be an option file or a single line", file=path, hint="e.g. [client] and password = …")
    return Login("", lines[0].rstrip("\r"))


def _client_group(path: str) -> Login:
    from advisor.options import read_file

    login = {"user": "", "password": ""}
    for argument in read_file(path).arguments:
        if argument.group == "client" and argument.name in login:
            login[argument.name] = argument.value or ""
    return Login(**login)
