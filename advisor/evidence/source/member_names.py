"""What are the members called whose files these are? By the shortest part that tells their paths apart."""

from __future__ import annotations

import os
from collections.abc import Sequence

from advisor.errors import InputError


def member_names(paths: Sequence[str]) -> tuple[str, ...]:
    """`conf/db1.cnf conf/db2.cnf` are db1 and db2, `db1/my.cnf db2/my.cnf` too; in order.

    Raises InputError when there are fewer than two paths, or one is named twice.
    """
    if len(paths) < 2:
        raise InputError(
            "--members needs at least two paths", file="".join(paths), hint="give one path for each member"
        )
    real = [os.path.realpath(path) for path in paths]
    for position, path in enumerate(real):
        if path in real[:position]:
            raise InputError("is given twice", file=paths[position], hint="give one path for each member")
    parts = [_parts(path) for path in real]
    for depth in range(1, min(map(len, parts)) + 1):
        names = [each[-depth] for each in parts]
        if len(set(names)) == len(names):
            return tuple(names)
    for depth in range(2, max(map(len, parts)) + 1):
        names = ["/".join(each[-depth:]) for each in parts]
        if len(set(names)) == len(names):
            return tuple(names)
    return tuple(paths)


def _parts(path: str) -> list[str]:
    """Its folders and its name; of a file's name, what stands before the ending of option files, dumps and archives."""
    *folders, name = path.strip("/").split("/")
    if os.path.isfile(path):
        for ending in (".tar.gz", ".tgz", ".tar", ".cnf", ".ini", ".txt", ".json"):
            name = name.removesuffix(ending)
    return [*folders, name]
