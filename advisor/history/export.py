"""What does an export of VictoriaMetrics hold? One JSON object for each series, in a file or in a pmm-dump archive.

`/api/v1/export` writes {"metric": labels, "values": […], "timestamps": [milliseconds, …]}. pmm-dump keeps such lines in
a tar.gz under vm/, gzipped again, a file for each five minutes, next to meta.json
(https://docs.percona.com/pmm-dump-documentation/dump_content.html). Native data and encrypted archives cannot be read.
"""

from __future__ import annotations

import gzip
import json
import math
import os
import tarfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, Final

from advisor.errors import InputError
from advisor.history.assemble import Reading

_PIECE: Final = 1 << 20
_MOST_OBJECT: Final = 64 << 20  # characters of one series
_MOST_FILES: Final = 100_000
_GZIP: Final = b"\x1f\x8b"
_ENCRYPTED: Final = b"Salted__"
_BROKEN: Final = (OSError, EOFError, zlib.error, tarfile.TarError)
Keeps = Callable[[dict[str, str]], bool]


def read_export(path: str, keeps: Keeps) -> tuple[list[Reading], list[str]]:
    """Series whose labels `keeps` accepts, and what could not be read. InputError when the file is none of these."""
    readings: list[Reading] = []
    problems: list[str] = []
    try:
        with open(path, "rb") as stream:
            head = stream.read(512)
            stream.seek(0)
            _refuse(head, path)
            if head[:2] == _GZIP and _is_tar(path):
                _from_archive(path, keeps, readings, problems)
            else:
                plain: Any = gzip.GzipFile(fileobj=stream) if head[:2] == _GZIP else stream
                _from_stream(plain, path, keeps, readings)
    except _BROKEN as error:
        if not readings:
            raise InputError(f"cannot be read: {_reason(error)}", file=path) from None
        problems.append(f"{path}: ends early ({_reason(error)}); everything before that point is used")
    return readings, problems


def is_export(path: str) -> bool:
    """Whether a file is one of these, or an encrypted archive of pmm-dump: by its content, never by its name."""
    if os.path.isdir(path):
        return False
    try:
        with open(path, "rb") as stream:
            head = stream.read(512)
        if head[:2] != _GZIP:
            return head.startswith(_ENCRYPTED) or (head.lstrip()[:1] == b"{" and b'"metric"' in head)
        if not _is_tar(path):
            return True
        with tarfile.open(path, "r|gz") as archive:
            return any(_is_chunk(entry.name) or entry.name.endswith("meta.json") for entry in archive)
    except _BROKEN:
        return True  # reading it will say what is wrong


def _is_chunk(name: str) -> bool:
    return "vm" in name.removeprefix("./").split("/")[:-1]


def _refuse(head: bytes, path: str) -> None:
    if head.startswith(_ENCRYPTED):
        hint = "openssl enc -d -aes-256-ctr -md sha256 -pbkdf2 -in FILE -out dump.tar.gz, with the password of the dump"
        raise InputError("the archive is encrypted", file=path, hint=hint)
    if head[:2] != _GZIP and head.lstrip()[:1] != b"{":
        raise InputError("not an export of monitoring", file=path, hint="a pmm-dump archive, or JSON of /api/v1/export")


def _is_tar(path: str) -> bool:
    try:
        with gzip.open(path, "rb") as stream:
            return stream.read(512)[257:262] == b"ustar"
    except _BROKEN:
        return False


def _from_archive(path: str, keeps: Keeps, readings: list[Reading], problems: list[str]) -> None:
    found = 0
    with tarfile.open(path, "r|gz") as archive:
        for number, entry in enumerate(archive):
            if number > _MOST_FILES:
                raise InputError(f"more than {_MOST_FILES} files", file=path)
            content = archive.extractfile(entry) if entry.isfile() and _is_chunk(entry.name) else None
            if content is None:
                continue
            found += 1
            name = f"{os.path.basename(path)}:{entry.name}"
            try:
                _from_stream(gzip.GzipFile(fileobj=content), name, keeps, readings)  # type: ignore[arg-type]
            except (InputError, *_BROKEN) as error:
                reason = error.message if isinstance(error, InputError) else _reason(error)
                problems.append(f"{name}: {reason}; everything before that point is used")
    if not found:
        raise InputError("holds no metrics (no folder vm/)", file=path, hint="pmm-dump export with core metrics")


def _from_stream(stream: IO[bytes], name: str, keeps: Keeps, readings: list[Reading]) -> None:
    for data in _objects(stream, name):
        labels = data.get("metric") if isinstance(data, dict) else None
        if not isinstance(labels, dict) or not keeps(labels):
            continue
        try:
            pairs = [
                (at / 1000, float(value))
                for at, value in zip(data["timestamps"], data["values"], strict=True)
                if value is not None and math.isfinite(value)
            ]
        except (KeyError, TypeError, ValueError):
            raise InputError(f"a series of {labels.get('__name__', 'no name')} is malformed", file=name) from None
        readings.append(Reading(labels, [at for at, _ in pairs], [value for _, value in pairs]))


def _objects(stream: IO[bytes], name: str) -> Iterator[Any]:
    """JSON objects that follow each other, with or without line ends."""
    decoder = json.JSONDecoder()
    text = ""
    while piece := stream.read(_PIECE):
        text += piece.decode("utf-8", "replace")
        if text[:1] not in ("{", "[", " ", "\n", "\r", "\t", ""):
            hint = "pmm-dump export without --vm-native-data"
            raise InputError("not JSON: the native form of VictoriaMetrics cannot be read", file=name, hint=hint)
        start = 0
        while start < len(text):
            try:
                found, end = decoder.raw_decode(text, start)
            except ValueError:
                break
            yield found
            start = end
            while start < len(text) and text[start] in " \r\n\t":
                start += 1
        text = text[start:]
        if len(text) > _MOST_OBJECT:
            raise InputError("not JSON lines", file=name)
    if text.strip():
        raise EOFError("a series is cut off")


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
