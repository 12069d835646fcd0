"""What is in a member's option file? The lab's settings, the topology's, then the user's, which therefore win."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from advisor.errors import UsageError
from advisor.model.lab import MemberPlan, ServerBinary
from advisor.model.server import Family

SMALL_REDO_BYTES: Final = 64 << 20
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
JOINED: Final = {"wsrep_provider_options": ";"}  # a second line would override the lab's addresses
_OURS: Final = frozenset({
    "basedir", "datadir", "socket", "port", "pid_file", "log_error", "bind_address", "server_id", "user", "tmpdir",
})  # fmt: skip

DURABILITY: Final[Mapping[str, Mapping[str, str]]] = {
    "": {},
    "durable": {"sync_binlog": "1", "innodb_flush_log_at_trx_commit": "1"},
    "relaxed": {"sync_binlog": "0", "innodb_flush_log_at_trx_commit": "2"},
}


def user_setting(name: str, value: str, option: str = "--set") -> tuple[str, str]:
    """A setting as option files have it; UsageError for a name that cannot be one, or that the lab itself sets."""
    spelled = name.lower().replace("-", "_")
    if not _NAME.fullmatch(spelled) or "\n" in value or "\r" in value:
        raise UsageError(f"{option} {name}={value}: not a setting", hint="write option=value, as in an option file")
    if spelled in _OURS:
        raise UsageError(f"{option} {name}={value}: the lab chooses {spelled} itself")
    return spelled, value


def redo(binary: ServerBinary) -> dict[str, str]:
    """The size of the redo log; the template has the same, so that nothing is resized at the first start."""
    if binary.family is Family.MYSQL and binary.version >= (8, 0, 30):
        return {"innodb_redo_log_capacity": str(SMALL_REDO_BYTES)}
    files = 1 if binary.family is Family.MARIADB else 2
    return {"innodb_log_file_size": str(SMALL_REDO_BYTES // files)}


# Nine members must fit on a laptop. The table caches determine the size of performance_schema: 70 MB less than with
# 4000 tables.
_SMALL: Final = {"innodb_buffer_pool_size": "128M", "table_open_cache": "1000", "table_definition_cache": "800"}


def location_settings(binary: ServerBinary) -> dict[str, str]:
    """The settings for a server that is not installed where it was built for."""
    settings = {"basedir": binary.basedir, "plugin_dir": binary.plugin_dir, "lc_messages_dir": binary.messages_dir}
    if binary.family is Family.MYSQL:
        settings["secure_file_priv"] = "NULL"
        if binary.version >= (8, 0, 11):
            settings["mysqlx"] = "OFF"
    if os.geteuid() == 0:
        settings["user"] = "root"
    return {name: value for name, value in settings.items() if value}


def member_settings(plan: MemberPlan, binary: ServerBinary, folder: Path, number: int) -> dict[str, str]:
    """All settings of the lab for a member, the most important to a reader first."""
    return {
        **location_settings(binary),
        "server_id": str(number),
        "datadir": str(folder / "data"),
        "tmpdir": str(folder / "tmp"),
        "socket": str(folder / "s.sock"),
        "pid_file": str(folder / "server.pid"),
        "log_error": str(folder / "error.log"),
        "bind_address": plan.endpoint.host,
        "port": str(plan.endpoint.port),
        "report_host": plan.endpoint.host,
        "report_port": str(plan.endpoint.port),
        "skip_name_resolve": "ON",
        **_SMALL,
        **redo(binary),
        **plan.settings,
    }


def option_file(settings: Mapping[str, str], users: Sequence[tuple[str, str]]) -> str:
    """The text of an option file: settings, then the user's own lines."""
    merged = dict(settings)
    own = []
    for name, value in users:
        if name in JOINED and name in merged:
            merged[name] += JOINED[name] + value
        else:
            own.append((name, value))
    lines = ["[mysqld]", *option_lines(merged)]
    if own:
        lines += ["# set by the user", *(_line(name, value) for name, value in own)]
    return "\n".join(lines) + "\n"


def option_lines(settings: Mapping[str, str]) -> list[str]:
    """Settings as lines of an option file."""
    return [_line(name, value) for name, value in settings.items()]


def _line(name: str, value: str) -> str:
    if re.search(r"[#\\]|^\s|\s$", value):
        value = '"' + value.replace("\\", "\\\\") + '"'
    return f"{name} = {value}"
