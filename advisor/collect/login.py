"""Which user and password log in? The password comes from a file or the environment, never from the command line.

The password is the first of: the file named with --password-file (the [client] group of an option file or of a file of
mysql_config_editor, or one line), ADVISOR_PASSWORD, MYSQL_PWD, the [client] group of ~/.mylogin.cnf, that of ~/.my.cnf.
Without any, none is sent. A DSN may name a login path instead, which has an account of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from advisor.collect.login_paths import is_login_file, login_file, read_login_file
from advisor.errors import InputError, UsageError
from advisor.model.options import Argument
from advisor.model.record import record
from advisor.options import read_file

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
    own = _group(read_file(home).arguments) if environment.get("HOME") and os.path.isfile(home) else Login()
    kept = _kept_by_editor(environment)
    return Login(kept.user or own.user, given or kept.password or own.password)


def _kept_by_editor(environment: Mapping[str, str]) -> Login:
    """The account that the programs of MySQL use by default, where mysql_config_editor keeps one that can be read."""
    file = login_file(environment)
    try:
        return _group(read_login_file(file)) if is_login_file(file) else Login()
    except (InputError, UsageError):
        return Login()  # nobody asked for it: a server that wants a password says so


def login_of_path(name: str, environment: Mapping[str, str]) -> Login:
    """The account of a login path; UsageError where there is none of that name."""
    file = login_file(environment)
    arguments = read_login_file(file)
    if name not in {argument.group for argument in arguments}:
        hint = "`mysql_config_editor print --all` lists them"
        raise UsageError(f"there is no login path {name!r}", file=file, hint=hint)
    return _group(arguments, name)


def _named(path: str) -> Login:
    if is_login_file(path):
        return _with_password(_group(read_login_file(path)), path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {getattr(error, 'strerror', 'not text')}", file=path) from None
    lines = [line for line in text.splitlines() if line.strip()]
    if any(line.lstrip().startswith("[") for line in lines):
        return _with_password(_group(read_file(path).arguments), path)
    if len(lines) != 1:
        raise InputError("must be an option file or a single line", file=path, hint="e.g. [client] and password = …")
    return Login("", lines[0].rstrip("\r"))


def _with_password(login: Login, path: str) -> Login:
    if not login.password:
        raise InputError("there is no password in its [client] group", file=path)
    return login


def _group(arguments: Iterable[Argument], group: str = "client") -> Login:
    login = {"user": "", "password": ""}
    for argument in arguments:
        if argument.group == group and argument.name in login:
            login[argument.name] = argument.value or ""
    return Login(**login)
