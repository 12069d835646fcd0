"""Whose are the files of a folder? Option files that are read on their own, dumps of a server next to them, and files
that deploy servers.

An option file that another one includes is part of that one, as for the server. Names decide which files are looked
at (a folder of somebody's holds all kinds), contents what they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from advisor.errors import InputError
from advisor.evidence.source.files import unreadable
from advisor.model.record import record

AUTO_FILE = "mysqld-auto.cnf"
_NAME = re.compile(r".+\.(cnf|ini)\Z", re.IGNORECASE)
_PLACE_NAME = re.compile(r".+\.(ya?ml|tf|json|service)\Z", re.IGNORECASE)
_OF_OUR_SERVERS = re.compile(rb"mysql|mariadb|percona|pxc", re.IGNORECASE)
_GROUP = re.compile(rb"^[ \t]*\[([^\]\n]*)\]", re.MULTILINE)
_OURS = re.compile(rb"(mysqld|mariadbd?|mysql|client|server|galera|wsrep|embedded|sst)", re.IGNORECASE)
_OF_A_SERVER = re.compile(rb"(mysqld|mariadbd?(?!-\D)|server|galera|wsrep|embedded|sst)", re.IGNORECASE)
# Programs and documents quote dumps, and are none.
_NO_DUMP = re.compile(
    r"(readme|changelog|license|makefile).*|.*\.(cnf|ini|md|rst|html?|py|sh|p[lm]|rb|go|js|ts|c|h|cc|java|sql|ya?ml|toml"
    r"|xml|lock|gz|t?gz|xz|zip|tar|png|jpe?g|pdf|ibd|frm|my[di])|.*~",
    re.IGNORECASE,
)
_PROMISED = ("variables", "status", "innodb_status", "processlist", "replication", "host")
_JSON_OF_A_SERVER = (b'"global_variables"', b'"global_status"', b'"variable_name"', b'"at_seconds"')
_LOOKED_AT_BYTES = 1 << 18


@record
class Holdings:
    """What lies directly in a folder, as paths: option files of their own, dumps, `places`, and `passed_over`.

    Places are files that deploy servers (Compose, Kubernetes, Terraform, systemd, …) and have settings for one.
    Passed over are option files that are read with another one, of other programs, or with nothing for a server
    (unless the folder holds nothing else).
    """

    folder: str
    option_files: tuple[str, ...]
    passed_over: tuple[str, ...]
    dumps: tuple[str, ...]
    places: tuple[str, ...] = ()

    @property
    def one_server(self) -> bool:
        """Whether it is all of one server: dumps, and at most one option file."""
        return bool(self.dumps) and len(self.option_files) <= 1


def is_whole(folder: str) -> bool:
    """Whether the folder is a bundle or a collection of pt-stalk, directly or one level down."""
    from advisor.evidence.formats.pt_stalk import is_collection

    names = _names(folder)
    if "bundle.json" in names or is_collection(names) or os.path.isdir(os.path.join(folder, "members")):
        return True
    return len(names) == 1 and os.path.isfile(os.path.join(folder, names[0], "bundle.json"))


def survey(folders: Iterable[str], root: str = "/") -> list[Holdings]:
    """What each of these folders holds. `root` as for include paths. InputError when one cannot be listed."""
    files = {folder: list(_files(folder)) for folder in folders}
    every = [path for found in files.values() for path in found]
    named = [path for path in every if _NAME.match(os.path.basename(path)) and not _is_auto_file(path)]
    ours = _without_links([path for path in named if _holds(path, _OURS)])
    serving = [path for path in ours if _holds(path, _OF_A_SERVER) or b"!include" in _head(path)] or ours
    places = {path: read for path in every if (read := _files_of_place(path))}
    mounted = {os.path.realpath(file) for read in places.values() for file in read[1:]}
    own = {path for path in set(serving) - _included(serving, root) if os.path.realpath(path) not in mounted}
    return [
        Holdings(
            folder,
            tuple(path for path in found if path in own),
            tuple(path for path in found if path in named and path not in own),
            tuple(path for path in found if path not in named and path not in places and _is_dump(path)),
            tuple(path for path in found if path in places),
        )
        for folder, found in files.items()
    ]


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError as error:
        raise unreadable(error, folder) from None


def _files(folder: str) -> Iterator[str]:
    for name in _names(folder):
        path = os.path.join(folder, name)
        if not name.startswith(".") and os.path.isfile(path):
            yield path


def _without_links(paths: list[str]) -> list[str]:
    """Each file once, by its own name rather than that of a link to it (Debian's /etc/mysql/my.cnf)."""
    by_file: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: (os.path.islink(path), path)):
        by_file.setdefault(os.path.realpath(path), path)
    return sorted(by_file.values())


def _included(paths: list[str], root: str) -> set[str]:
    """Those that another one includes; of two that include each other, the first in order counts as the outer one."""
    reaches = {path: _reaches(path, root) for path in paths}
    including = [path for path in paths if reaches[path]]
    real = {path: os.path.realpath(path) for path in (paths if including else ())}
    return {
        inner
        for inner in paths
        for outer in including
        if outer != inner and real[inner] in reaches[outer] and not (real[outer] in reaches[inner] and inner < outer)
    }


def _reaches(path: str, root: str) -> frozenset[str]:
    """The real paths of the files it includes, and of those they include."""
    from advisor.options import read_file

    if b"!include" not in _head(path):
        return frozenset()
    try:
        return frozenset(os.path.realpath(file) for file in read_file(path, root=root).files[1:])
    except InputError:
        return frozenset()  # reading it will say what is wrong


def _holds(path: str, group: re.Pattern[bytes]) -> bool:
    """Whether it has such a group, or none at all: other programs use *.cnf and *.ini too."""
    groups = _GROUP.findall(_head(path))
    return not groups or any(group.match(each.strip()) for each in groups)


def _is_auto_file(path: str) -> bool:
    """Whether it is what SET PERSIST writes: JSON under the name of an option file."""
    return os.path.basename(path) == AUTO_FILE and _head(path).lstrip()[:1] == b"{"


def _files_of_place(path: str) -> list[str]:
    """The files that are read with one that deploys servers, itself first; [] for a file that deploys none."""
    if not _PLACE_NAME.fullmatch(os.path.basename(path)):
        return []
    head = _head(path)
    if len(head) == _LOOKED_AT_BYTES or not _OF_OUR_SERVERS.search(head):
        return []
    from advisor.evidence.formats.detect_format import kind_of, place_of
    from advisor.evidence.formats.places import servers_at
    from advisor.evidence.source.files import as_text

    try:
        text = as_text(head, path)
        place = place_of(text, kind_of(text))
        servers = servers_at(text, path, place) if place else {}
    except InputError:
        return []  # a template, or no file of this kind; named alone it says so
    read = [file for builder in servers.values() if builder.options for file in builder.options.files]
    return [path, *read] if servers else []


def _is_dump(path: str) -> bool:
    """Whether its beginning is the output of a server or its tools."""
    from advisor.evidence.formats.any_text import file_kind, read_text_evidence
    from advisor.evidence.source.files import as_text

    name = os.path.basename(path)
    head = _head(path)
    if _is_auto_file(path):
        return True
    if _NO_DUMP.fullmatch(name) or not head.strip():
        return False
    whole = len(head) < _LOOKED_AT_BYTES
    if head.lstrip()[:1] in (b"{", b"[") and (not whole or not any(mark in head.lower() for mark in _JSON_OF_A_SERVER)):
        return file_kind(name) in _PROMISED
    try:
        text = as_text(head if whole else head[: head.rfind(b"\n") + 1], path)
        found = read_text_evidence(text, path, file_kind(name))
    except InputError:
        return False
    return found.options is None and not found.empty


def _head(path: str) -> bytes:
    """The beginning of a file, b"" when it cannot be read: reading it will say what is wrong."""
    try:
        with open(path, "rb") as stream:
            return stream.read(_LOOKED_AT_BYTES)
    except OSError:
        return b""
