"""Which accounts did mysql_config_editor keep in .mylogin.cnf?

The file holds option groups that are encrypted with AES-128, and the key beside them: it hides
passwords from a glance and protects nothing (https://dev.mysql.com/doc/refman/8.4/en/mysql-config-editor.html).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from advisor.errors import InputError, UsageError
from advisor.model.options import Argument

_ZEROS: Final = 4  # not used
_KEY: Final = slice(4, 24)
_KEY_BYTES: Final = 16
_NAME: Final = ".mylogin.cnf"
_HINT: Final = "create it with mysql_config_editor set --login-path=NAME --user=USER --password"


def login_file(environment: Mapping[str, str]) -> str:
    """Where the programs of MySQL look for the file; "" where HOME is not known."""
    home = environment.get("HOME", "")
    return environment.get("MYSQL_TEST_LOGIN_FILE", "") or (os.path.join(home, _NAME) if home else "")


def is_login_file(path: str) -> bool:
    """Whether the file begins as mysql_config_editor writes it."""
    try:
        with open(path, "rb") as stream:
            head = stream.read(_KEY.stop)
    except OSError:
        return False
    return len(head) == _KEY.stop and head[:_ZEROS] == bytes(_ZEROS)


def read_login_file(path: str) -> tuple[Argument, ...]:
    """The options of all login paths; each login path is a group. InputError for another kind of file.

    UsageError where the library that decrypts it is not installed.
    """
    from advisor.options import read_text

    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path, hint=_HINT) from None
    if not is_login_file(path):
        raise InputError("is not a file of mysql_config_editor", file=path, hint=_HINT)
    key = bytearray(_KEY_BYTES)
    for at, byte in enumerate(data[_KEY]):
        key[at % _KEY_BYTES] ^= byte
    try:
        text = b"".join(_lines(data[_KEY.stop :], bytes(key))).decode("utf-8", "surrogateescape")
    except ValueError:
        raise InputError("is damaged", file=path, hint=_HINT) from None
    return read_text(text, path).arguments


def _lines(data: bytes, key: bytes) -> Iterator[bytes]:
    """The decrypted lines: before each stands its length. ValueError where they do not fit."""
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    except ImportError:
        hint = "pip install 'advisor[login-path]'"
        raise UsageError("login paths need the library cryptography", hint=hint) from None
    at = 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "little")
        line = data[at + 4 : at + 4 + length]
        if not length or len(line) != length:
            raise ValueError
        decryptor = Cipher(algorithms.AES(key), modes.ECB()).decryptor()
        plain = decryptor.update(line) + decryptor.finalize()
        if not 1 <= plain[-1] <= _KEY_BYTES:
            raise ValueError
        yield plain[: -plain[-1]]
        at += 4 + length
