"""What is at this path, and what does it say? Option file, dump, report, collection or bundle → `Cluster`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from advisor.errors import InputError
from advisor.evidence.files import as_text, is_archive, read_bytes
from advisor.evidence.pieces import Pieces
from advisor.evidence.redaction import redact_reading
from advisor.evidence.shapes import TextKind, kind_of
from advisor.evidence.topology import recognise
from advisor.model.evidence import Cluster
from advisor.model.record import replace
from advisor.model.server import Release, Topology

if TYPE_CHECKING:
    from advisor.evidence.tree import Tree

_NAMED_SERVER = "server"  # the one member of evidence that does not name its server


def read_path(path: str, *, release: Release | None = None, root: str = "/") -> Cluster:
    """The evidence at one path. `release` is used only to tell MySQL from MariaDB where the evidence does not.

    `root` is put before absolute include paths of an option file: a copy of a server's files lies below it.

    Raises InputError when there is nothing usable; smaller problems are in `Cluster.problems`.
    """
    if os.path.isdir(path):
        return _read_tree(path, release)
    if not os.path.exists(path):
        raise InputError("there is no such file or folder", file=path)
    data = read_bytes(path, path)
    if is_archive(data[:512]):
        return _read_tree(path, release)
    return _cluster(path, {_NAMED_SERVER: _read_data(data, path, root)}, None, (), release)


def read_together(paths: Sequence[str], *, release: Release | None = None) -> Cluster:
    """Several files of one server: its option file, its variables, its counters, … Counters in the order named.

    Raises InputError when one of them cannot be used, or when two are option files.
    """
    pieces = Pieces()
    for path in paths:
        if os.path.isdir(path):
            raise InputError("a folder cannot be read together with other files", file=path, hint="name it alone")
        found = _read_data(read_bytes(path, path), path)
        if found.options and pieces.options:
            raise InputError("a second option file for one server", file=path, hint="check each option file on its own")
        pieces.add(found)
    return _cluster(" ".join(paths), {_NAMED_SERVER: pieces}, None, (), release)


def _read_data(data: bytes, path: str, root: str = "/") -> Pieces:
    """One file. Option files are left to their own reader, which counts bytes and follows includes."""
    text = as_text(data, path)
    if kind_of(text) is TextKind.OPTIONS:
        from advisor.options import read_file, read_text

        reading = read_file(path, root=root) if os.path.isfile(path) else read_text(text, path)
        pieces = Pieces(options=redact_reading(reading))
        if not text.strip():
            pieces.problems.append(f"{path}: the file is empty")
        return pieces
    from advisor.evidence.texts import read_text_evidence

    return read_text_evidence(text, path)


def _read_tree(path: str, release: Release | None) -> Cluster:
    from advisor.evidence import bundle, pt_stalk
    from advisor.evidence.tree import open_tree

    tree = open_tree(path)
    top = bundle.top_of(tree)
    if top is not None:
        found = bundle.read_bundle(top)
        return _cluster(tree.path, found.members, found.topology, found.problems, release)
    flat = _single_folder(tree)
    if pt_stalk.is_collection(flat.files):
        name, pieces = pt_stalk.read_collection(flat)
        return _cluster(tree.path, {name: pieces}, None, tree.problems, release)
    return _cluster(tree.path, _read_folder(flat, tree.problems), None, tree.problems, release)


def _single_folder(tree: Tree) -> Tree:
    """The folder itself, or the one that everything was packed in."""
    folders = {name.split("/", 1)[0] for name in tree.files}
    return tree.under(folders.pop()) if len(folders) == 1 and all("/" in name for name in tree.files) else tree


def _read_folder(tree: Tree, problems: list[str]) -> dict[str, Pieces]:
    """A plain folder: dumps of one server with at most one option file, or collections that name their servers."""
    from advisor.evidence.texts import file_kind, read_text_evidence

    servers: dict[str, Pieces] = {}
    for name in tree.names():
        try:
            text = tree.read(name)
            kind = "" if name.endswith((".cnf", ".ini", ".conf")) else file_kind(name)
            found = read_text_evidence(text, name, kind) if text.strip() else Pieces()
        except InputError as error:
            problems.append(f"{name}: {error.message}; not used")
            continue
        pieces = servers.setdefault(found.name or _NAMED_SERVER, Pieces())
        if found.options and pieces.options:
            raise InputError(
                "several option files in one folder", file=tree.path, hint="name the files; each is judged on its own"
            )
        pieces.add(found)
    known = {name: pieces for name, pieces in servers.items() if not pieces.empty}
    if not known:
        raise InputError("nothing here is an option file, a dump or a bundle", file=tree.path)
    return known


def _cluster(
    path: str,
    pieces: dict[str, Pieces],
    stated: Topology | None,
    problems: Sequence[str],
    release: Release | None,
) -> Cluster:
    """Freeze the pieces and say who is what."""
    remarks = list(problems)
    members = []
    for name, found in pieces.items():
        member, said = found.member(name)
        members.append(member)
        remarks.extend(said)
    recognised = recognise(members, stated, release.family if release else None)
    named = tuple(
        replace(member, role=role.value, role_source=role.source)
        if (role := recognised.roles.get(member.name))
        else member
        for member in members
    )
    topology = recognised.topology
    return Cluster(
        path,
        named,
        topology.value if topology else None,
        tuple(dict.fromkeys(remarks)),
        topology_source=topology.source if topology else "",
    )
