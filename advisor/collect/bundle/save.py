"""How are a bundle's files written? Whole or not at all: beside the place first, then into it."""

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

from advisor.errors import UsageError

_ENDINGS = (".tar.gz", ".tgz")


def check_place(path: Path) -> None:
    """UsageError when a bundle cannot be written there, before anything is read from a server."""
    if not path.name.endswith(_ENDINGS) and path.suffix:
        raise UsageError(f"{path}: a bundle ends in .tar.gz, or is a folder", hint=f"-o {path.stem}.tar.gz")
    if path.exists() and (path.is_dir() or not path.is_file()):
        raise UsageError(f"{path}: is there already", hint="name a file, or a folder that is not there yet")
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{path.parent}: is no folder that may be written", hint="-o in another folder")


def save(files: Mapping[str, bytes], path: Path) -> None:
    """Write an archive (.tar.gz, .tgz) or a folder, readable by its owner only; UsageError when it cannot be."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.name.endswith(_ENDINGS):
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(archive(files))
        else:
            _write_folder(files, new)
        new.replace(path)
    except OSError as error:
        raise UsageError(f"cannot be written: {error.strerror}", file=str(path), hint="-o in another folder") from None
    finally:
        if new.is_dir():
            shutil.rmtree(new, ignore_errors=True)
        else:
            new.unlink(missing_ok=True)


def save_anywhere(write: Callable[[Path], None], path: Path) -> Path:
    """Let `write` write to `path`, or if its disk filled up meanwhile among temporary files; where it is.

    UsageError, as `write` raises it, when neither can be written.
    """
    try:
        write(path)
    except UsageError:
        other = Path(tempfile.mkdtemp(prefix="advisor-")) / path.name
        with contextlib.suppress(UsageError):
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
