"""Which user and password log in? The password comes from a file or the environment, never from the command line.

The password is the first of: the file named with --password-file (an option file's [client] group, or one line),
ADVISOR_PASSWORD, MYSQL_PWD, the [client] group of ~/.my.cnf. Without any, none is sent.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from advisor.errors import InputError
from advisor.model.record import record

_VARIABLES: Final = ("ADVISOR_PASSWORD", "MYSQL_PWD")


@record
class Login:
    """A user and a password, "" when not given. Never shown."""

    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"Login({self.user})"


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
