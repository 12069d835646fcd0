"""What is at this path, and what does it say? Option file, dump, report, collection or bundle → `Cluster`."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence

from advisor.annotations import TYPE_CHECKING
from advisor.errors import InputError
from advisor.evidence.formats.detect_format import TextKind, kind_of, place_of
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_reading
from advisor.evidence.source.files import as_text, is_archive, missing, read_bytes, split_part
from advisor.evidence.topology import contradiction, recognise
from advisor.model.evidence import Cluster
from advisor.model.record import record, replace
from advisor.model.server import Release, Topology

if TYPE_CHECKING:
    from advisor.evidence.source.archive import Tree

_NAMED_SERVER = "server"  # the one member of evidence that does not name its server


def read_path(path: str, *, release: Release | None = None, root: str = "/") -> Cluster:
    """The evidence at one path. `release` is used only to tell MySQL from MariaDB where the evidence does not.

    `root` is put before absolute include paths of an option file: a copy of a server's files lies below it. A plain
    folder is one server: its dumps, and its option file with what that includes.

    Raises InputError when there is nothing usable; smaller problems are in `Cluster.problems`.
    """
    found = _found(path, root)
    cluster = _cluster(found.path, found.members, found.topology, found.problems, release)
    return replace(cluster, topology_source=found.stated_in) if found.topology and found.stated_in else cluster


def read_where_servers_look(*, release: Release | None = None, root: str = "/") -> Cluster:
    """The option files that a server reads by itself, in its order, below `root`.

    Those that its systemd unit there names count, and the options on its command line. Raises InputError when there
    is none.
    """
    from advisor.evidence.server_files import add_persisted, read_by_itself

    reading = read_by_itself(root)
    if not reading.files:
        hint = "name the file, or a copy of the server's files with --root"
        raise InputError(
            "no option file in the default places: /etc/my.cnf, /etc/mysql/my.cnf, …", file=root, hint=hint
        )
    builder = MemberBuilder(options=redact_reading(reading))
    add_persisted(builder, root)
    return _cluster(root, {_NAMED_SERVER: builder}, None, (), release)


def read_together(paths: Sequence[str], *, release: Release | None = None, root: str = "/") -> Cluster:
    """Several files of one server: its option file, its variables, its counters, … Counters in the order named.

    `observations.yaml` may be among them. Raises InputError when one of them cannot be used, or when two are option
    files.
    """
    pieces = []
    for path in paths:
        if os.path.isdir(path):
            raise InputError(
                "a folder cannot be read together with other files", file=path, hint="give the folder alone"
            )
        file, part = split_part(path)
        data = read_bytes(file, file)
        found = _observed(as_text(data, path), path) if _are_observations(path) else _read_data(data, file, root, part)
        pieces.append((path, found, kind_of(as_text(data, path))))
    return _cluster(" ".join(paths), {_NAMED_SERVER: _one_server(pieces)}, None, (), release)


def read_texts(texts: Mapping[str, str]) -> Cluster:
    """The texts of files of one server by name, as `read_together` reads files. Option files that they include are not
    read; what a Compose file mounts is looked for from the current folder.

    A name may end in `#db`, for one of several servers in the text. Raises InputError as `read_together` does.
    """
    pieces = []
    for name, given in texts.items():
        file, _, part = name.partition("#")
        text = as_text(given.encode("utf-8", "replace"), name)
        kind = kind_of(text)
        place = place_of(text, kind)
        if _are_observations(name):
            found = _observed(text, name)
        elif place:
            from advisor.evidence.formats.places import read_place

            found = read_place(text, file, part, place)
        else:
            from advisor.evidence.formats.any_text import read_text_evidence

            found = read_text_evidence(text, name)
        pieces.append((name, found, kind))
    builder = _one_server(pieces)
    stated = next((found.topology for _, found, _ in pieces if found.topology), None)
    return _cluster(" ".join(texts), {_NAMED_SERVER: builder}, stated, (), None)


def _one_server(pieces: Sequence[tuple[str, MemberBuilder, TextKind]]) -> MemberBuilder:
    """What several files of one server say, each with its path and kind."""
    builder = MemberBuilder()
    reports = []
    for path, found, kind in pieces:
        if found.options and kind is TextKind.REPORT:
            reports.append((path, found))
            continue
        if found.options and builder.options:
            from advisor.evidence.server_files import with_command_line

            builder.options = with_command_line(builder.options, found.options, path)
            found.options = None
        builder.add(found)
    for path, found in reports:
        _add_report(builder, found, path)
    return builder


def _add_report(builder: MemberBuilder, report: MemberBuilder, path: str) -> None:
    """A report that prints the option file it found: where the file itself is given, that one counts."""
    if builder.options and report.options:
        report.options = None
        report.problems.append(f"{path}: the option file printed in this report is not used, because another is given")
    builder.add(report)


def read_members(paths: Sequence[str], *, release: Release | None = None, root: str = "/") -> Cluster:
    """Several servers as the members of one cluster, each at a path of its own: option file, dump, folder or bundle.

    Members are called by what tells their paths apart. Raises InputError when a path holds no server or several,
    or when two are the same.
    """
    from advisor.evidence.source.member_names import member_names
    from advisor.evidence.targets import expand

    members: dict[str, MemberBuilder] = {}
    problems: list[str] = []
    for path, name in zip(paths, member_names(paths), strict=True):
        targets = expand([path], root)
        found = _found(targets[0], root) if len(targets) == 1 else None
        count = len(targets) if found is None else len(found.members)
        if found is None or count > 1:
            hint = (
                "give each server its own path"
                if found is None
                else "a bundle of a cluster cannot be combined with other files"
            )
            raise InputError(f"contains {count} servers, but --members needs one server per path", file=path, hint=hint)
        ((_, members[name]),) = found.members.items()
        problems.extend(found.problems)
    for one, two in itertools.combinations(members, 2):
        members[one].refuse_same_server(members[two], one)
    cluster = _cluster(" ".join(paths), members, None, problems, release)
    if reason := contradiction(cluster.members):
        raise InputError(f"not a cluster: {reason}", file=cluster.path, hint="give only the members of one cluster")
    return cluster


@record
class _Found:
    """What lies at a path, before it is said who is what."""

    path: str
    members: dict[str, MemberBuilder]
    topology: Topology | None = None
    problems: Sequence[str] = ()
    stated_in: str = ""  # the file that states the topology, where that is no bundle


def _found(path: str, root: str) -> _Found:
    if os.path.isdir(path):
        from advisor.evidence.folder_contents import is_whole

        return _read_tree(path) if is_whole(path) else _read_plain(path.rstrip("/") or path, root)
    file, part = split_part(path)
    if not os.path.exists(file):
        raise missing(path)
    data = read_bytes(file, file)
    if is_archive(data[:512]):
        return _read_tree(file)
    builder = _read_data(data, file, root, part)
    return _Found(path, {_NAMED_SERVER: builder}, builder.topology, stated_in=path)


def _read_data(data: bytes, path: str, root: str = "/", part: str = "") -> MemberBuilder:
    """One file. Option files are left to their own reader, which counts bytes and follows includes.

    `part` names one of several servers that the file describes.
    """
    text = as_text(data, path)
    kind = kind_of(text)
    place = place_of(text, kind)
    if place:
        from advisor.evidence.formats.places import read_place

        return read_place(text, path, part, place)
    if kind is TextKind.OPTIONS:
        if path.endswith((".tar", ".tar.gz", ".tgz")):
            raise InputError("not an archive, in spite of its name", file=path, hint="was it copied whole?")
        from advisor.options import read_file, read_text

        on_disk = os.path.isfile(path)
        reading = read_file(path, root=root, go_on=True) if on_disk else read_text(text, path, go_on=True)
        builder = MemberBuilder(options=redact_reading(reading))
        if root not in ("", "/"):
            from advisor.evidence.server_files import add_persisted

            add_persisted(builder, root)
        if not text.strip():
            builder.problems.append(f"{path}: the file is empty")
        return builder
    from advisor.evidence.formats.any_text import read_text_evidence

    return read_text_evidence(text, path)


def read_tree(tree: Tree) -> Cluster:
    """The evidence of a bundle held in memory, as if it lay at the tree's path.

    Raises InputError when it is no usable bundle.
    """
    found = _read_files_of_tree(tree)
    return _cluster(found.path, found.members, found.topology, found.problems, None)


def _read_tree(path: str) -> _Found:
    from advisor.evidence.source.archive import open_tree

    return _read_files_of_tree(open_tree(path))


def _read_files_of_tree(tree: Tree) -> _Found:
    from advisor.evidence.formats import bundle, pt_stalk

    path = tree.path
    top = bundle.top_of(tree)
    if top is not None:
        try:
            found = bundle.read_bundle(top)
        except InputError as error:
            inside = os.path.join(path, "")
            if error.file != path and not error.file.startswith(inside):
                error.file = inside + error.file
            raise
        return _Found(tree.path, found.members, found.topology, found.problems)
    flat = _single_folder(tree)
    if pt_stalk.is_collection(flat.files):
        name, builder = pt_stalk.read_collection(flat)
        return _Found(tree.path, {name: builder}, None, tree.problems)
    return _Found(tree.path, _read_files(flat, tree.problems, {}), None, tree.problems)


def _single_folder(tree: Tree) -> Tree:
    """The folder itself, or the one that everything was packed in."""
    folders = {name.split("/", 1)[0] for name in tree.files}
    return tree.under(folders.pop()) if len(folders) == 1 and all("/" in name for name in tree.files) else tree


def _read_plain(path: str, root: str) -> _Found:
    """A folder of one server on this disk: what lies directly in it, and what its option file includes."""
    from advisor.evidence.folder_contents import survey
    from advisor.evidence.source.archive import open_files

    (held,) = survey([path], root)
    if len(held.option_files) > 1:
        raise InputError("several option files in one folder", file=path, hint="give only the file to check")
    servers: dict[str, MemberBuilder] = {}
    for file in held.option_files:
        servers[_NAMED_SERVER] = _read_data(read_bytes(file, file), file, root)
    tree = open_files(path)
    for file in (*held.option_files, *held.passed_over):
        tree.files.pop(file, None)
    return _Found(path, _read_files(tree, tree.problems, servers), None, tree.problems)


def _read_files(tree: Tree, problems: list[str], servers: dict[str, MemberBuilder]) -> dict[str, MemberBuilder]:
    """Dumps of one server with at most one option file, or collections that name their servers."""
    from advisor.evidence.formats.any_text import file_kind, read_text_evidence

    observations = [name for name in tree.names() if _are_observations(name)]
    reports = []
    for name in (name for name in tree.names() if name not in observations):
        try:
            text = tree.read(name)
            kind = "" if name.endswith((".cnf", ".ini", ".conf")) else file_kind(name)
            found = read_text_evidence(text, name, kind) if text.strip() else MemberBuilder()
        except InputError as error:
            problems.append(f"{name}: {error.message}; not used")
            continue
        builder = servers.setdefault(found.name or _NAMED_SERVER, MemberBuilder())
        if found.options and kind_of(text) is TextKind.REPORT:
            reports.append((builder, found, name))
            continue
        if found.options and builder.options:
            raise InputError(f"{name} is a second option file", file=tree.path, hint="give only the file to check")
        builder.add(found)
    for builder, report, name in reports:
        _add_report(builder, report, name)
    known = {name: builder for name, builder in servers.items() if not builder.empty}
    if not known:
        hint = "a bundle contains bundle.json and members/<name>/my.cnf, variables.txt, status.txt, …"
        raise InputError("it contains no option file, dump or bundle", file=tree.path, hint=hint)
    for name in observations:
        for builder in known.values():
            builder.add(_observed(tree.read(name), name))
    return known


def _are_observations(name: str) -> bool:
    return os.path.basename(name) in ("observations.yaml", "observations.yml")


def _observed(text: str, name: str) -> MemberBuilder:
    """What people know of the one server there is."""
    from advisor.evidence.formats.observations import read_observations

    everyone, single = read_observations(text, name)
    if single:
        raise InputError("`members` is only for bundles, but this is a single server", file=name)
    return everyone


def _cluster(
    path: str,
    builder: dict[str, MemberBuilder],
    stated: Topology | None,
    problems: Sequence[str],
    release: Release | None,
) -> Cluster:
    """Freeze the builder and say who is what."""
    remarks = list(problems)
    members = []
    for name, found in builder.items():
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
