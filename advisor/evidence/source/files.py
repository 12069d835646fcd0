"""What bytes does a file hold, and what text are they? Within limits, and from files and pipes only."""

from __future__ import annotations

import os
import stat

from advisor.annotations import TYPE_CHECKING, Final
from advisor.errors import InputError

if TYPE_CHECKING:
    from io import BufferedReader

PIPE_SECONDS: Final = 3.0
MOST_BYTES: Final = 512 * 1024 * 1024
_KINDS: Final = "advisor reads option files, SHOW output, reports, folders and bundles (.tar.gz)"


def as_text(data: bytes, name: str) -> str:
    """Text of a file. UTF-16, as PowerShell's `>` writes it, is understood. InputError when it is binary."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:65536]:
        raise InputError("not a text file (it contains NUL bytes)", file=name, hint=_KINDS)
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")


def read_bytes(path: str, name: str) -> bytes:
    """A file's or pipe's bytes; InputError for anything else, and for more than MOST_BYTES."""
    try:
        mode = os.stat(path).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise InputError("neither a file nor a folder", file=name, hint=_KINDS)
        with _open_pipe(path, name) if stat.S_ISFIFO(mode) else open(path, "rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(error, name) from None
    except ValueError:
        raise InputError("not a usable file name", file=name) from None
    if len(data) > MOST_BYTES:
        raise InputError(f"larger than {MOST_BYTES >> 20} MB", file=name, hint="give the dump itself, not a whole log")
    return data


def _open_pipe(path: str, name: str) -> BufferedReader:
    """A pipe, opened for reading without waiting for a writer; InputError for a named one that nobody writes to.

    What the shell made (`<(…)`, /dev/stdin) has its writer already, and may take its time.
    """
    from select import select
    from time import monotonic, sleep

    stream = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")
    deadline = monotonic() + PIPE_SECONDS
    while not path.startswith(("/dev/", "/proc/")) and not stream.peek(1):  # None: a writer that wrote nothing yet
        if monotonic() > deadline:
            stream.close()
            raise InputError(f"a pipe from which no data came for {PIPE_SECONDS:g} s", file=name, hint=_KINDS)
        select([stream], [], [], 0.05)
        sleep(0.02)
    os.set_blocking(stream.fileno(), True)
    return stream


def split_part(path: str) -> tuple[str, str]:
    """`compose.yaml#db` as the file and the server in it; the path and "" where it is a file or holds no "#"."""
    file, sign, part = path.rpartition("#")
    return (file, part) if sign and not os.path.exists(path) and os.path.isfile(file) else (path, "")


def is_archive(head: bytes) -> bool:
    """Whether a file that begins so is gzip or tar."""
    return head.startswith(b"\x1f\x8b") or head[257:262] == b"ustar"


def missing(path: str) -> InputError:
    """What to say of a path that leads nowhere."""
    here = os.getcwd()
    hint = f"relative to {here}" if path and not os.path.isabs(path) else "check the spelling"
    if path == "-":
        hint = "to read from a pipe, name /dev/stdin"
    if os.path.islink(path):
        hint = f"it is a link to {os.readlink(path)}"
    return InputError("there is no such file or folder", file=path or "''", hint=hint)


def unreadable(error: OSError, path: str) -> InputError:
    """What to say of a file or folder that the system does not let us read."""
    hint = "run this as a user with permission to read it" if isinstance(error, PermissionError) else ""
    return InputError(f"cannot be read: {error.strerror}", file=path, hint=hint)
