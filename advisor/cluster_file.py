"""What is in cluster.yaml? The file that describes a cluster: `lab up` writes it, `--cluster` reads it.

It contains no password, only the name of an option file whose [client] group has one.
"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeVar

from advisor.atomic_write import write_file
from advisor.data import Data, read_yaml
from advisor.errors import InputError
from advisor.model.lab import Address, ClusterFile, ClusterMember, Restart, RestartMethod
from advisor.model.server import Role, Topology

FORMAT: Final = "1"
_KEYS: Final = {"format", "name", "made", "topology", "server", "durability", "user", "password_file", "members"}
_MEMBER_KEYS: Final = {"name", "role", "host", "port", "socket", "option_file", "error_log", "start", "restart"}
_RESTART_KEYS: Final = {"method", "unit", "command", "ssh", "include_file"}
_Word = TypeVar("_Word", bound=StrEnum)


def read_cluster(path: str | Path) -> ClusterFile:
    """The cluster a file describes; InputError, naming file and key, when it is malformed."""
    name = str(path)
    data = _mapping(read_yaml(path), _KEYS, "the file", name)
    if data.get("format") != FORMAT:
        raise InputError(f"format {data.get('format')!r} is not supported, only format {FORMAT}", file=name)
    rows = data.get("members")
    if not isinstance(rows, list) or not rows:
        raise InputError("members: must be a list with at least one member", file=name)
    return ClusterFile(
        path=name,
        name=_text(data, "name", name),
        topology=_word(Topology, data, "topology", name),
        server=_text(data, "server", name, ""),
        user=_text(data, "user", name),
        password_file=_beside(path, _text(data, "password_file", name, "")),
        durability=_text(data, "durability", name, ""),
        made=_text(data, "made", name, ""),
        members=tuple(_member(_mapping(row, _MEMBER_KEYS, "a member", name), path) for row in rows),
    )


def _member(data: dict[str, Any], path: str | Path) -> ClusterMember:
    name = str(path)
    port = _text(data, "port", name)
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise InputError(f"port: {port!r} is not a port number", file=name)
    start = data.get("start") or []
    if not isinstance(start, list) or not all(isinstance(word, str) for word in start):
        raise InputError("start: must be a list of words", file=name)
    return ClusterMember(
        name=_text(data, "name", name),
        role=_word(Role, data, "role", name),
        host=_text(data, "host", name),
        port=int(port),
        socket=_beside(path, _text(data, "socket", name, "")),
        option_file=_beside(path, _text(data, "option_file", name, "")),
        error_log=_beside(path, _text(data, "error_log", name, "")),
        start=tuple(start),
        restart=_restart(_mapping(data["restart"], _RESTART_KEYS, "restart", name), name)
        if "restart" in data
        else None,
    )


def _restart(data: dict[str, Any], file: str) -> Restart:
    method = _word(RestartMethod, data, "method", file)
    needed = "unit" if method is RestartMethod.SYSTEMD else "command"
    words = data.get("command") or []
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise InputError("command: must be a list of words", file=file, hint="command: [docker, restart, '{name}']")
    if not data.get(needed):
        raise InputError(f"restart: the method {method} needs {needed!r}", file=file)
    include = _text(data, "include_file", file)
    if not os.path.isabs(include):
        raise InputError(f"include_file: {include!r} must be an absolute path, as the server sees it", file=file)
    return Restart(method, include, _text(data, "unit", file, ""), tuple(words), _text(data, "ssh", file, ""))


def write_cluster(cluster: ClusterFile) -> None:
    """Write the file its `path` names. JSON strings are YAML strings, so nothing needs a YAML writer."""
    from json import dumps

    lines = ["# Written by `advisor lab up`. Format: docs/lab.md.", f"format: {FORMAT}"]
    for key in ("name", "made", "topology", "server", "durability", "user", "password_file"):
        lines.append(f"{key}: {dumps(str(getattr(cluster, key)))}")
    lines.append("members:")
    for member in cluster.members:
        lines.append(f"  - name: {dumps(member.name)}")
        for key in ("role", "host", "port", "socket", "option_file", "error_log"):
            lines.append(f"    {key}: {dumps(str(getattr(member, key)))}")
        lines.append(f"    start: {dumps(list(member.start))}")
        if member.restart:
            lines.append(f"    restart: {dumps(_restart_row(member.restart))}")
    write_file(Path(cluster.path), "\n".join(lines) + "\n")


def _restart_row(restart: Restart) -> dict[str, object]:
    row = {"method": str(restart.method), "unit": restart.unit, "command": list(restart.words), "ssh": restart.ssh}
    return {key: value for key, value in {**row, "include_file": restart.include_file}.items() if value}


def addresses(cluster: ClusterFile) -> dict[str, Address]:
    """How to log in to each member, by its name; the password comes from the password file now."""
    password = read_password(cluster.password_file) if cluster.password_file else ""
    return {
        member.name: Address(member.host, member.port, cluster.user, password, member.socket)
        for member in cluster.members
    }


def read_password(path: str) -> str:
    """The password of the [client] group of an option file; InputError when there is none."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    group = ""
    for line in lines:
        text = line.strip()
        if text.startswith("["):
            group = text
        key, found, value = text.partition("=")
        if group == "[client]" and found and key.strip() == "password":
            return value.strip().strip('"')
    raise InputError("there is no password in its [client] group", file=path)


def _mapping(data: Data, keys: set[str], what: str, file: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InputError(f"{what} must be a mapping of keys to values", file=file)
    if unknown := sorted(set(data) - keys):
        raise InputError(f"{what} has no key {unknown[0]!r}", file=file, hint=f"known: {', '.join(sorted(keys))}")
    return data


def _text(data: dict[str, Any], key: str, file: str, default: str | None = None) -> str:
    value = data.get(key, default)
    if not isinstance(value, str) or (default is None and not value):
        raise InputError(f"{key}: is required, as text", file=file)
    return value


def _word(kind: type[_Word], data: dict[str, Any], key: str, file: str) -> _Word:
    text = _text(data, key, file)
    try:
        return kind(text)
    except ValueError:
        raise InputError(f"{key}: {text!r} is not one of {', '.join(kind)}", file=file) from None


def _beside(path: str | Path, text: str) -> str:
    """A path in the file, relative to the file."""
    return os.path.join(os.path.dirname(os.path.abspath(path)), text) if text else ""
