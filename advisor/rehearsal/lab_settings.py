"""Which lines of an option file can a server of the lab take?

Places, addresses and certificates are those of the user's machine, replication is that of his cluster, and memory must
fit on this one. Such lines are left out or made smaller, on both servers alike, and the report says so.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.model.move.rehearsal import LeftOut
from advisor.model.options import Setting, Settings

_PLACES: Final = frozenset(
    "basedir datadir socket port pid_file tmpdir slave_load_tmpdir replica_load_tmpdir log_error general_log_file"
    " slow_query_log_file log_bin_index relay_log relay_log_index relay_log_info_file master_info_file plugin_dir"
    " character_sets_dir lc_messages_dir lc_messages secure_file_priv init_file innodb_data_home_dir"
    " innodb_undo_directory innodb_log_group_home_dir innodb_temp_tablespaces_dir innodb_tmpdir innodb_directories"
    " innodb_doublewrite_dir innodb_data_file_path innodb_temp_data_file_path aria_log_dir_path binlog_directory"
    " ft_stopword_file".split()
)
_ADDRESSES: Final = frozenset(
    "bind_address admin_address admin_port extra_port report_host report_port report_user report_password server_id"
    " user mysqlx mysqlx_port mysqlx_socket mysqlx_bind_address skip_networking daemonize chroot memlock".split()
)
_STARTS_OF: Final = {
    "ssl_": "certificates are not in the lab",
    "tls_": "certificates are not in the lab",
    "admin_ssl_": "certificates are not in the lab",
    "require_secure_transport": "certificates are not in the lab",
    "wsrep_": "one server of each release is tried, without the cluster",
    "pxc_": "one server of each release is tried, without the cluster",
    "group_replication_": "one server of each release is tried, without the cluster",
    "rpl_semi_sync_": "one server of each release is tried, without the cluster",
    "replicate_": "one server of each release is tried, without the cluster",
    "plugin_load": "plugins are not loaded",
    "early_plugin_load": "plugins are not loaded",
    "read_only": "the load must write",
    "super_read_only": "the load must write",
    "skip_log_bin": "replication is tried, too",
}
_SIZES: Final = ("innodb_buffer_pool_size", "innodb_redo_log_capacity", "innodb_log_file_size", "key_buffer_size")
_MACHINES: Final = 8  # one large setting may take an eighth of this machine's memory


def lab_settings(settings: Settings) -> tuple[tuple[tuple[str, str], ...], tuple[LeftOut, ...]]:
    """(name, value) for the lab's server, and what was left out or made smaller."""
    kept: list[tuple[str, str]] = []
    left_out: list[LeftOut] = []
    most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _MACHINES
    for setting in _effective(settings.all):
        name = setting.argument.name.replace("-", "_").lower()
        why = _why_not(name, setting)
        value = setting.argument.value
        if why:
            left_out.append(LeftOut(_text(name, value), why))
        elif name in _SIZES and isinstance(setting.value, int) and setting.value > most:
            left_out.append(LeftOut(_text(name, value), f"{most >> 20}M in the lab, as memory permits"))
            kept.append((name, f"{most >> 20}M"))
        else:
            kept.append((name, "1" if value is None else value))
    return tuple(kept), tuple(left_out)


def _effective(settings: Sequence[Setting]) -> Iterator[Setting]:
    """Those that a server heeds."""
    return (setting for setting in settings if setting.effective)


def _why_not(name: str, setting: Setting) -> str:
    plain = name.removeprefix("loose_")
    if setting.variable is None:
        return "the release does not have it"
    if plain in _PLACES:
        return "it is a path, port or socket of the user's machine"
    if plain in _ADDRESSES:
        return "the lab chooses addresses and accounts"
    reasons = (why for start, why in _STARTS_OF.items() if plain.startswith(start))
    if why := next(reasons, ""):
        return why
    return "it belongs to a plugin or component" if setting.variable.owner.startswith(("plugin", "component")) else ""


def _text(name: str, value: str | None) -> str:
    return name if value is None else f"{name} = {value}"
