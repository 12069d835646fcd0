"""What stops a start although each option alone is fine?"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.catalog import load
from advisor.model.options import Note, NoteKind, Setting
from advisor.model.record import replace
from advisor.model.server import Family, Release


def cross_checked(settings: list[Setting], effective: dict[str, Setting], release: Release) -> None:
    """Add a note to each setting that keeps the server from starting together with others."""
    if release.family is not Family.MARIADB:
        return
    for setting, note in _galera(effective, release):
        settings[settings.index(setting)] = noted = replace(setting, notes=(*setting.notes, note))
        effective[noted.name] = noted


def _galera(effective: dict[str, Setting], release: Release) -> Iterator[tuple[Setting, Note]]:
    """MariaDB with Galera switched on checks these at start (seen on 10.11.19)."""
    on, provider = effective.get("wsrep_on"), effective.get("wsrep_provider")
    if on is None or on.value is not True or provider is None or provider.value in ("none", "", None):
        return
    binlog_format = effective.get("binlog_format")
    catalog = load(release)
    default = catalog.get("binlog_format")
    value = binlog_format.value if binlog_format else default.default if default else "ROW"
    if value in ("MIXED", "STATEMENT"):
        message = f"with Galera on, the server starts only with binlog_format=ROW, not {value}"
        if binlog_format is None:
            message += ", which is the default"
        yield binlog_format or on, Note(NoteKind.REFUSED_VALUE, message, "set binlog_format=ROW", "ROW")
    address, method = effective.get("wsrep_cluster_address"), effective.get("wsrep_sst_method")
    sst = str(method.value) if method else "rsync"
    given = address is not None and (address.value or any(n.kind is NoteKind.BLANKED for n in address.notes))
    if not given and sst != "mysqldump":
        message = f"state transfer by {sst} needs wsrep_cluster_address from the start"
        yield (address or provider), Note(NoteKind.REFUSED_VALUE, message, "set wsrep_cluster_address")
