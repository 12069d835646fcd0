"""Which sides do the words of `advisor compare` name? A path each, or NAME=PATH, with the same name for its files."""

from __future__ import annotations

import os
import re
import string
from collections.abc import Sequence
from typing import Final

from advisor.cli.shared.evidence_paths import stated_releases
from advisor.errors import UsageError
from advisor.model.record import record
from advisor.model.server import Release

_NAMED: Final = re.compile(r"([A-Za-z0-9][\w.+-]*)=(.+)\Z", re.DOTALL)
_HINT: Final = "advisor compare A B, or NAME=PATH …; the same NAME for several files of one server"


@record
class NamedPaths:
    """One side as named: its label, its paths, and the releases that --server states for it."""

    label: str
    paths: tuple[str, ...]
    releases: tuple[Release, ...] = ()


def named_paths(words: Sequence[str], servers: Sequence[str]) -> tuple[NamedPaths, ...]:
    """The sides in the order of the words; UsageError where --server does not fit them.

    Sides without a name are called A, B, …. `servers`: one for all sides, or one for each in their order; an empty one
    leaves its side to be inferred.
    """
    by_label: dict[str, list[str]] = {}
    for word in words:
        match = None if os.path.exists(word) else _NAMED.match(word)
        label = match[1] if match else _letter(len(by_label))
        by_label.setdefault(label, []).append(match[2] if match else word)
    if len(servers) > 1 and len(servers) != len(by_label):
        raise UsageError(
            f"--server is given {len(servers)} times for {len(by_label)} sides",
            hint="give it once for all sides, or once for each side, in their order",
        )
    stated = [stated_releases(server) for server in servers] or [()]
    releases = stated * len(by_label) if len(stated) == 1 else stated
    return tuple(
        NamedPaths(label, tuple(paths), found) for (label, paths), found in zip(by_label.items(), releases, strict=True)
    )


def refuse_too_few(sides: int, members: int) -> None:
    """UsageError unless there are two sides, or one of several members."""
    if sides < 2 and members < 2:
        raise UsageError("a comparison needs at least two sides", hint=_HINT)


def _letter(position: int) -> str:
    """A, B, …, Z, then 27, 28, …."""
    letters = string.ascii_uppercase
    return letters[position] if position < len(letters) else str(position + 1)
