"""How are files written so that a reader, also after a power cut, sees the old text or the new, never half of it?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from advisor.errors import WriteError


def write_file(path: Path, content: str | bytes, *, mode: int | None = None) -> None:
    """Replace a file as a whole, synced; WriteError, and the file as it was, when it cannot be written.

    `mode`: the permissions; None: those of the file that is replaced, else the user's default.
    """
    write_files({path: content}, mode=mode)


def write_files(contents: Mapping[Path, str | bytes], *, mode: int | None = None) -> None:
    """Replace several files: nothing is replaced before all new contents are on disk. Errors as `write_file`."""
    fresh = {path: path.with_name(f"{path.name}.new") for path in contents}
    path = Path()
    try:
        for path, content in contents.items():
            _write_synced(fresh[path], content, _mode_of(path) if mode is None else mode)
        for path, new in fresh.items():
            new.replace(path)
            sync_folder(path.parent)
    except OSError as error:
        for new in fresh.values():
            new.unlink(missing_ok=True)
        raise WriteError(f"cannot be written: {error.strerror}", file=str(path)) from None


def sync_folder(folder: str | Path) -> None:
    """Make names that were added, replaced or removed in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _mode_of(path: Path) -> int | None:
    return path.stat().st_mode & 0o7777 if path.exists() else None


def _write_synced(path: Path, content: str | bytes, mode: int | None) -> None:
    data = content.encode() if isinstance(content, str) else content
    # Created closed where permissions are given: what is private is never readable by others, not even for a moment.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666 if mode is None else mode & 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
        if mode is not None:
            os.fchmod(descriptor, mode)
        stream.flush()
        os.fsync(descriptor)
