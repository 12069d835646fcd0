"""Which files and folders are there to judge? Paths as given → one path per server or cluster."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from advisor.errors import InputError

_NAME = re.compile(r".+\.(cnf|ini)\Z", re.IGNORECASE)
_GROUP = re.compile(rb"^[ \t]*\[([^\]\n]*)\]", re.MULTILINE)
_OURS = re.compile(rb"(mysqld|mariadbd?|mysql|client|server|galera|wsrep|embedded|sst)", re.IGNORECASE)
_LOOKED_AT_BYTES = 1 << 20


def expand(paths: Iterable[str]) -> list[str]:
    """Files, bundles and collections as they are; a plain folder as the option files in and below it, sorted.

    A plain folder without option files stays one target: dumps of one server. Links to folders are not followed.
    Raises InputError for what does not exist.
    """
    targets: list[str] = []
    for path in paths:
        if not os.path.exists(path):
            raise InputError("there is no such file or folder", file=path)
        found = [] if not os.path.isdir(path) or _is_one(path) else sorted(_option_files(path))
        targets.extend(found or [path])
    return list(dict.fromkeys(targets))


def _is_one(folder: str) -> bool:
    """Whether the folder is a bundle or a collection of pt-stalk, directly or one level down."""
    from advisor.evidence.pt_stalk import is_collection

    try:
        names = os.listdir(folder)
    except OSError as error:
        raise InputError(f"cannot read it: {error.strerror}", file=folder) from None
    if "bundle.json" in names or "members" in names or is_collection(names):
        return True
    return len(names) == 1 and os.path.isfile(os.path.join(folder, names[0], "bundle.json"))


def _option_files(folder: str) -> Iterator[str]:
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in files:
            path = os.path.join(here, name)
            if _NAME.match(name) and os.path.isfile(path) and _may_be_ours(path):
                yield path


def _may_be_ours(path: str) -> bool:
    """Whether it may be an option file of a server or its programs: other programs use *.cnf and *.ini too."""
    try:
        with open(path, "rb") as stream:
            groups = _GROUP.findall(stream.read(_LOOKED_AT_BYTES))
    except OSError:
        return True  # reading it will say what is wrong
    return not groups or any(_OURS.match(group.strip()) for group in groups)
