"""What bytes does a file hold, and what text are they? Within limits, and from files and pipes only."""

from __future__ import annotations

import os
import stat
from typing import Final

from advisor.errors import InputError

MOST_BYTES: Final = 512 * 1024 * 1024


def as_text(data: bytes, name: str) -> str:
    """Text of a file. UTF-16, as PowerShell's `>` writes it, is understood. InputError when it is binary."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:65536]:
        raise InputError("not a text file (it holds NUL bytes)", file=name)
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")


def read_bytes(path: str, name: str) -> bytes:
    """A file's or pipe's bytes; InputError for anything else, and for more than MOST_BYTES."""
    try:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise InputError("neither a file nor a folder", file=name)
        with open(path, "rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"cannot read it: {error.strerror}", file=name) from None
    except ValueError:
        raise InputError("not a usable file name", file=name) from None
    if len(data) > MOST_BYTES:
        raise InputError(f"larger than {MOST_BYTES >> 20} MB", file=name)
    return data


def is_archive(head: bytes) -> bool:
    """Whether a file that begins so is gzip or tar."""
    return head.startswith(b"\x1f\x8b") or head[257:262] == b"ustar"
