"""Which files do the words of a command line name? A file, an index file, a folder; rotated files in their order."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Final

from advisor.errors import InputError

_NUMBERED: Final = re.compile(r"(.*)\.(\d{6,})\Z", re.DOTALL)
_MOST_INDEX_BYTES: Final = 16 << 20
_HINT: Final = "name the files, their index (binlog.index), or the folder that holds the index"


def named_files(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The paths in the order of the log, and those that an index lists but that are not there.

    InputError for a word that names nothing, or a folder without an index.
    """
    found: list[str] = []
    missing: list[str] = []
    for word in words:
        if os.path.isdir(word):
            word = _index_of(word)
        if not os.path.exists(word):
            raise InputError("there is no such file", file=word, hint=_HINT)
        if word.endswith(".index"):
            listed = _listed(word)
            found += filter(os.path.exists, listed)
            missing += [path for path in listed if not os.path.exists(path)]
        else:
            found.append(word)
    if not found:
        raise InputError("none of the files that the index lists exists here", file=words[0], hint=_HINT)
    return sorted(dict.fromkeys(found), key=_place), missing


def number_of(path: str) -> int | None:
    """The number at the end of a rotated file's name; None without one."""
    match = _NUMBERED.match(path)
    return int(match[2]) if match else None


def _place(path: str) -> tuple[str, int]:
    """Files of one log are sorted by their numbers, which gain digits after 999999."""
    match = _NUMBERED.match(path)
    return (match[1], int(match[2])) if match else (path, 0)


def _index_of(folder: str) -> str:
    """The index of the binary log in a folder; a replica's folder holds that of the relay log too."""
    indexes = sorted(name for name in os.listdir(folder) if name.endswith(".index"))
    logs = [name for name in indexes if "relay" not in name]
    if len(logs) != 1:
        what = f"{len(logs)} index files: {', '.join(logs)}" if logs else "no index of a binary log"
        raise InputError(f"the folder holds {what}", file=folder, hint=_HINT)
    return os.path.join(folder, logs[0])


def _listed(index: str) -> list[str]:
    """The paths in an index; relative ones are relative to the server's data folder, where the index usually is."""
    try:
        with open(index, "rb") as stream:
            text = stream.read(_MOST_INDEX_BYTES)
    except OSError as error:
        raise InputError(f"the index cannot be read: {error.strerror}", file=index) from None
    folder = os.path.dirname(index)
    lines = [line.strip() for line in text.decode("utf-8", "replace").splitlines()]
    return [_beside(folder, line) for line in lines if line]


def _beside(folder: str, name: str) -> str:
    """The path as listed, or the file of that name next to the index: logs are copied away from their server."""
    path = os.path.normpath(os.path.join(folder, name))
    beside = os.path.join(folder, os.path.basename(name))
    return path if os.path.exists(path) or not os.path.exists(beside) else beside
