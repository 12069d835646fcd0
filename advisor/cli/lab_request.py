"""What does the command line of `advisor lab up` ask for?"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Mapping
from types import FrameType

from advisor.errors import LabError, UsageError
from advisor.lab.binaries import find_servers, server_at
from advisor.lab.settings import parse_setting
from advisor.lab.up import Request
from advisor.model.lab import ServerBinary
from advisor.model.server import Family
from advisor.topologies import find_topology

_WAIT_POINTS = ("", "after_sync", "after_commit")


def build_request(
    topology: str,
    name: str,
    members: int,
    mysql: bool,
    mariadb: bool,
    server: str,
    settings: Iterable[str] | None,
    own: Iterable[str] | None,
    durable: bool,
    relaxed: bool,
    options: Mapping[str, object],
) -> Request:
    """The request, with a server program chosen; UsageError for what cannot be, LabError where no server is found."""
    if mysql + mariadb + bool(server) > 1:
        raise UsageError("say one of --mysql, --mariadb and --server")
    if durable and relaxed:
        raise UsageError("say one of --durable and --relaxed")
    if options.get("wait_point", "") not in _WAIT_POINTS:
        raise UsageError("--wait-point is after_sync or after_commit")
    full, module = find_topology(topology)
    families = [Family.MYSQL] if mysql else [Family.MARIADB] if mariadb else list(Family)
    binary = server_at(server) if server else _choose(full, families, module.lacks)
    return Request(
        topology=full,
        name=name or full,
        binary=binary,
        members=members or max(module.MEMBERS.start, 1 if full == "standalone" else 3),
        settings=tuple(parse_setting(text) for text in settings or ()),
        member_settings=_member_settings(own or ()),
        durability="durable" if durable else "relaxed" if relaxed else "",
        options={option: value for option, value in options.items() if value},
    )


def _choose(topology: str, families: list[Family], lacks: Callable[[ServerBinary], str]) -> ServerBinary:
    """The first server found that can run it; LabError that says what is lacking, or how to get one."""
    found = [server for server in find_servers() if server.family in families]
    able = next((server for server in found if not lacks(server)), None)
    if able:
        return able
    reasons = "; ".join(f"{server.name} at {server.place}: {lacks(server)}" for server in found)
    wanted = " or ".join(families)
    raise LabError(
        f"no server here runs {topology}{f' ({reasons})' if reasons else ''}",
        hint="" if found else f"`advisor lab install {'|'.join(families)}` fetches {wanted}",
    )


def _member_settings(texts: Iterable[str]) -> dict[int, tuple[tuple[str, str], ...]]:
    found: dict[int, tuple[tuple[str, str], ...]] = {}
    for text in texts:
        number, _, setting = text.partition(":")
        if not number.isdigit():
            raise UsageError(f"{text!r} names no member", hint="write 2:option=value, members counted from 1")
        found[int(number)] = (*found.get(int(number), ()), parse_setting(setting))
    return found


def stop_on_signals() -> None:
    """Make being told to end the same as Ctrl-C, so that what was started is stopped."""
    for one in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
