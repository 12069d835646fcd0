"""Which files does a bundle or collection hold? A folder or a tar archive as names → contents, read in memory.

Nothing is extracted and nothing outside is touched: absolute names, "..", links that lead out and devices are passed
over with a remark, and an archive that unpacks to too much is refused before it does.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Final, TypeVar

from advisor.errors import InputError
from advisor.evidence.source.files import MOST_BYTES, as_text, read_bytes

_T = TypeVar("_T")

MOST_ENTRIES: Final = 10_000
MOST_RATIO: Final = 250  # boxes of kilobyte-wide lines reach about 100
_HINT: Final = "a bundle contains only option files and dumps of its members"
RATIO_COUNTS_FROM_BYTES: Final = 32 * 1024 * 1024


@dataclass(slots=True)
class Tree:
    """Files by name relative to the top, "/" between parts; `labels` are how facts call some, if not by their names."""

    path: str
    files: dict[str, bytes | str] = field(default_factory=dict)  # the content, or where it lies on disk
    problems: list[str] = field(default_factory=list)
    total_bytes: int = 0
    labels: dict[str, str] = field(default_factory=dict)

    def names(self) -> list[str]:
        """All names, sorted."""
        return sorted(self.files)

    def read(self, name: str) -> str:
        """A file's text; bytes that are no UTF-8 are kept as lone surrogates. InputError when it is no text."""
        return as_text(self.data(name), name)

    def data(self, name: str) -> bytes:
        """A file's bytes. InputError when it cannot be read or all read so far is more than MOST_BYTES."""
        content = self.files[name]
        if isinstance(content, bytes):
            return content
        data = read_bytes(content, name)
        self.total_bytes += len(data)
        if self.total_bytes > MOST_BYTES:
            raise InputError(f"more than {MOST_BYTES >> 20} MB in total", file=self.path)
        return data

    def under(self, folder: str) -> Tree:
        """The part below a folder, with names relative to it."""
        start = folder.rstrip("/") + "/"
        return Tree(self.path, _below(self.files, start), labels=_below(self.labels, start))


def _below(known: Mapping[str, _T], start: str) -> dict[str, _T]:
    return {name[len(start) :]: value for name, value in known.items() if name.startswith(start)}


def open_tree(path: str) -> Tree:
    """The files below a folder, or in a .tar, .tar.gz or .tgz. InputError when it cannot be read."""
    return _folder(path) if os.path.isdir(path) else _archive(path)


def _folder(path: str) -> Tree:
    tree = Tree(path)
    top = os.path.realpath(path)
    for folder, folders, files in os.walk(path):
        folders.sort()
        for name in sorted(files):
            full = os.path.join(folder, name)
            relative = os.path.relpath(full, path).replace(os.sep, "/")
            if os.path.islink(full) and not os.path.realpath(full).startswith(top + os.sep):
                tree.problems.append(f"{relative}: a link that leads outside {path}: not followed")
            elif os.path.isfile(full):
                tree.files[relative] = full
            if len(tree.files) > MOST_ENTRIES:
                raise InputError(f"more than {MOST_ENTRIES} files", file=path, hint=_HINT)
    return tree


def open_files(path: str) -> Tree:
    """The files directly in a folder, each named by its path as seen from here; hidden ones are passed over."""
    tree = Tree(path)
    top = os.path.realpath(path)
    for name in sorted(os.listdir(path)):
        full = os.path.join(path, name)
        if os.path.islink(full) and not os.path.realpath(full).startswith(top + os.sep):
            tree.problems.append(f"{full}: a link that leads outside {path}: not followed")
        elif os.path.isfile(full) and not name.startswith("."):
            tree.files[full] = full
    return tree


class _Meter:
    """A stream that stops at the limits while it is unpacked; tarfile would unpack a long header unasked."""

    def __init__(self, stream: IO[bytes], packed_bytes: int, path: str) -> None:
        self._stream, self._packed_bytes, self._path, self._seen = stream, packed_bytes, path, 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(min(size, 1 << 20) if size >= 0 else 1 << 20)
        self._seen += len(data)
        packed = max(self._packed_bytes, 1)
        bomb = self._seen > RATIO_COUNTS_FROM_BYTES and self._seen / packed > MOST_RATIO
        if bomb or self._seen > MOST_BYTES:
            what = f"more than {MOST_RATIO} times its size" if bomb else f"more than {MOST_BYTES >> 20} MB"
            raise InputError(f"the archive unpacks to {what}: not read", file=self._path, hint=_HINT)
        return data


def _archive(path: str) -> Tree:
    import gzip
    import tarfile
    import zlib

    tree = Tree(path)
    try:
        with open(path, "rb") as packed:
            zipped = packed.read(2) == b"\x1f\x8b"
            packed.seek(0)
            stream: Any = gzip.GzipFile(fileobj=packed) if zipped else packed
            meter: Any = _Meter(stream, os.path.getsize(path), path)
            with tarfile.open(fileobj=meter, mode="r|", bufsize=1 << 18) as archive:
                for count, entry in enumerate(archive, 1):
                    if count > MOST_ENTRIES:
                        raise InputError(f"more than {MOST_ENTRIES} entries", file=path, hint=_HINT)
                    _add_entry(tree, archive, entry)
    except (tarfile.TarError, zlib.error, EOFError, OSError, ValueError) as error:
        if not tree.files:
            raise InputError(
                f"not a readable archive: {error}",
                file=path,
                hint="a bundle is a folder, a .tar or a .tar.gz",
            ) from None
        tree.problems.append(f"{path}: the archive ends early ({error}); everything before that point is used")
    return tree


def _add_entry(tree: Tree, archive: Any, entry: Any) -> None:
    name = entry.name.removeprefix("./")
    parts = name.split("/")
    shown = name.encode("unicode_escape", "backslashreplace").decode()[:120]
    if name.startswith("/") or ".." in parts or "\\" in name or (len(name) > 1 and name[1] == ":"):
        tree.problems.append(f"{shown}: the path leads outside the bundle: not read")
    elif entry.isdir() or name in ("", "."):
        return
    elif not entry.isfile():
        tree.problems.append(f"{shown}: a link or a device: not read")
    elif name in tree.files:
        tree.problems.append(f"{shown}: is in the archive twice; the first copy is used")
    else:
        if entry.size > MOST_BYTES:
            raise InputError(f"{shown} is larger than {MOST_BYTES >> 20} MB", file=tree.path)
        content = archive.extractfile(entry)
        tree.files[name] = content.read() if content else b""
