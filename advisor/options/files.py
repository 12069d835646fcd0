"""Which option files does a server read, in which order, and what do they hold?

Nothing here depends on the release, save three oddities of servers before MySQL 9.7 (long lines, comments after
`!include`, `!include` without line end): where a file meets one of them, `Reading.cut` holds the other reading.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from advisor.model.options import Reading
from advisor.options.reader import Reader

SYSCONFDIRS = ("/usr/local/mysql/etc", "/usr/local/etc")
"""Folders compiled into tarball builds; the packages of distributions use /etc and /etc/mysql."""


def read_file(
    path: str,
    *,
    root: str = "/",
    same_host: bool | None = None,
    edited: Mapping[str, bytes] | None = None,
    go_on: bool = False,
) -> Reading:
    """The file as with `--defaults-file=path`, with its includes.

    `root` is put before absolute include paths (a copy of a server's files under a folder). `same_host` says that
    the folders it includes are those of the server: then a missing one is fatal, as for the server; a copied file
    says nothing about them. None: true for a file under /etc. `edited`: contents that count instead of the disk's,
    by path. `go_on` reads what stands in groups even where options before the first group stop the start. Raises
    InputError when the file cannot be used.
    """
    here = os.path.abspath(path).startswith("/etc/") if same_host is None else same_host
    return _read((path,), root, here, edited, go_on)


def read_default_files(
    root: str = "/",
    *,
    home: str = "",
    mysql_home: str = "",
    extra_file: str = "",
    sysconfdirs: Sequence[str] = SYSCONFDIRS,
) -> Reading:
    """The files of a server started without `--defaults-file`, in its order; missing ones are passed over.

    `home` is the folder of ~/.my.cnf, `mysql_home` the value of MYSQL_HOME, `extra_file` that of
    `--defaults-extra-file`, which must exist (else InputError).
    """
    folders = ["/etc", "/etc/mysql", *sysconfdirs, *filter(None, [mysql_home])]
    paths = [under(root, f"{folder.rstrip('/')}/my.cnf") for folder in dict.fromkeys(folders)]
    present = [path for path in paths if os.path.exists(path)]
    if extra_file:
        present.append(extra_file)
    if home and os.path.exists(f"{home}/.my.cnf"):
        present.append(f"{home}/.my.cnf")
    return _read(tuple(present), root, True)


def read_text(
    text: str, name: str = "my.cnf", *, root: str = "/", same_host: bool = False, go_on: bool = False
) -> Reading:
    """`text` as if it stood in a file called `name`, with its includes. `go_on` as for `read_file`."""
    content = text.encode("utf-8", "surrogateescape").decode("latin-1")
    return _both(lambda reader: reader.text(content, name, 0), root, same_host, None, go_on)


def under(root: str, path: str) -> str:
    """`path`, below `root` when it is absolute."""
    return path if root in ("", "/") or not path.startswith("/") else root.rstrip("/") + path


def _read(
    paths: tuple[str, ...],
    root: str,
    same_host: bool,
    edited: Mapping[str, bytes] | None = None,
    go_on: bool = False,
) -> Reading:
    def all_files(reader: Reader) -> None:
        for path in paths:
            if not reader.file(path, 0):
                break

    return _both(all_files, root, same_host, edited, go_on)


def _both(
    run: Callable[[Reader], object],
    root: str,
    same_host: bool,
    edited: Mapping[str, bytes] | None = None,
    go_on: bool = False,
) -> Reading:
    """The reading as MySQL 9.7 has it, with the other one in `cut` where it differs."""
    texts = {path: content.decode("latin-1") for path, content in (edited or {}).items()}
    reader = Reader(root, same_host, True, texts, go_on)
    run(reader)
    if reader.alike:
        return reader.reading()
    older = Reader(root, same_host, False, reader.texts, go_on)
    run(older)
    return reader.reading(older.reading())
