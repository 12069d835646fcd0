"""How are a bundle's files written? Whole or not at all, and readable by their owner only."""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from advisor.atomic_write import write_file
from advisor.errors import UsageError, WriteError

_ENDINGS = (".tar.gz", ".tgz")


def check_place(path: Path) -> None:
    """UsageError when no bundle can be written to the path; called before any server is read."""
    if not path.name.endswith(_ENDINGS) and path.suffix:
        raise UsageError(f"{path} must end in .tar.gz, or name a new folder", hint=f"-o {path.stem}.tar.gz")
    if path.exists() and (path.is_dir() or not path.is_file()):
        raise UsageError(f"{path} already exists", hint="name a file, or a folder that does not exist yet")
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path.parent} is not writable", hint="choose another folder with -o")


def save(files: Mapping[str, bytes], path: Path) -> None:
    """Write an archive (.tar.gz, .tgz) or a folder, readable by its owner only; WriteError when that fails."""
    if path.name.endswith(_ENDINGS):
        write_file(path, archive(files), mode=0o600)
        return
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        _write_folder(files, new)
        new.replace(path)
    except OSError as error:
        raise WriteError(f"cannot be written: {error.strerror}", file=str(path)) from None
    finally:
        shutil.rmtree(new, ignore_errors=True)


def save_anywhere(write: Callable[[Path], None], path: Path) -> Path:
    """Let `write` write to `path`, or among temporary files if that fails (its disk is full); the path written to.

    WriteError when both fail.
    """
    try:
        write(path)
    except WriteError:
        other = Path(tempfile.mkdtemp(prefix="advisor-")) / path.name
        with contextlib.suppress(WriteError):
            write(other)
            return other
        other.parent.rmdir()
        raise
    return path


def archive(files: Mapping[str, bytes]) -> bytes:
    """The files as a .tar.gz; the same bytes for the same files."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), 0o600
            tar.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


def _write_folder(files: Mapping[str, bytes], folder: Path) -> None:
    folder.mkdir(mode=0o700)
    for name, data in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.write_bytes(data)
