"""What stops a start although each option alone is fine?"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.catalog import load
from advisor.model.catalog import NO_DEFAULT, Value
from advisor.model.options import Note, NoteKind, Setting
from advisor.model.record import replace
from advisor.model.server import Family, Release
from advisor.options.text_checks import character_set_of

Effective = dict[str, Setting]


def cross_checked(settings: list[Setting], effective: Effective, release: Release, *, whole: bool = True) -> None:
    """Add a note to each setting that keeps the server from starting together with others.

    `whole`: every included file was read. Otherwise an option that Galera needs may be in a file that was not.
    """
    checks = (_collation, _galera, _engine) if release.family is Family.MARIADB else _OF_MYSQL
    for check in checks:
        for setting, found in check(effective, release):
            unsure = not whole and check is _galera and found.instead == ""
            note = replace(found, kind=NoteKind.UNDECIDED) if unsure else found
            settings[settings.index(setting)] = noted = replace(setting, notes=(*setting.notes, note))
            effective[noted.name] = noted


def _held(name: str, effective: Effective, release: Release) -> Value:
    """What the server holds: the value in the files, else the default; None when that is not known."""
    setting = effective.get(name)
    if setting is not None:
        return setting.value
    variable = load(release).get(name)
    return None if variable is None or variable.default is NO_DEFAULT else variable.default  # type: ignore[return-value]


def _collation(effective: Effective, release: Release) -> Iterator[tuple[Setting, Note]]:
    """A collation of another character set ends the start, also of the default one (seen on all of both families)."""
    setting = effective.get("collation_server")
    character_set = _held("character_set_server", effective, release)
    if setting is None or not setting.value or not character_set:
        return
    wanted, actual = character_set_of(str(setting.value)), character_set_of(str(character_set))
    if wanted != actual:
        whose = "" if "character_set_server" in effective else ", the default"
        message = f"'{setting.value}' is not a collation of the character set {character_set}{whose}"
        yield setting, Note(NoteKind.REFUSED_VALUE, message, f"set character_set_server={wanted} as well")


def _gtids(effective: Effective, release: Release) -> Iterator[tuple[Setting, Note]]:
    """Seen on 5.7.22, 8.0.15 and 9.7.4: GTID_MODE = ON requires ENFORCE_GTID_CONSISTENCY = ON."""
    setting = effective.get("enforce_gtid_consistency") or effective.get("gtid_mode")
    consistency = _held("enforce_gtid_consistency", effective, release)
    if setting is not None and _held("gtid_mode", effective, release) == "ON" and consistency in ("OFF", "WARN"):
        message = "with gtid_mode=ON the server starts only with enforce_gtid_consistency=ON"
        yield setting, Note(NoteKind.REFUSED_TOGETHER, message, "set enforce_gtid_consistency=ON")


def _write_sets(effective: Effective, release: Release) -> Iterator[tuple[Setting, Note]]:
    """Seen on 5.7.22 and 8.0.15: tracking by write sets needs their extraction."""
    tracking = effective.get("binlog_transaction_dependency_tracking")
    by_sets = tracking is not None and tracking.value in ("WRITESET", "WRITESET_SESSION")
    if tracking is not None and by_sets and _held("transaction_write_set_extraction", effective, release) == "OFF":
        message = f"{tracking.value} needs transaction_write_set_extraction, which is OFF"
        yield tracking, Note(NoteKind.REFUSED_TOGETHER, message, "set transaction_write_set_extraction=XXHASH64")


def _number(effective: Effective, release: Release) -> Iterator[tuple[Setting, Note]]:
    """Seen on 5.7.22, not on 8.0.15: a binary log needs a server_id in the files or arguments, be it 0."""
    log_bin = effective.get("log_bin")
    if release.series == "5.7" and log_bin is not None and log_bin.value is True and "server_id" not in effective:
        message = "with the binary log on, the server does not start without a server_id"
        yield log_bin, Note(NoteKind.REFUSED_TOGETHER, message, "set server_id")


def _galera(effective: Effective, release: Release) -> Iterator[tuple[Setting, Note]]:
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
        message = f"state transfer by {sst} needs wsrep_cluster_address in the option file"
        yield (address or provider), Note(NoteKind.REFUSED_VALUE, message, "set wsrep_cluster_address")


def _engine(effective: Effective, release: Release) -> Iterator[tuple[Setting, Note]]:
    """MariaDB without InnoDB aborts when a default engine is left at it (seen in real starts of 10.11.19)."""
    switched = [effective[name] for name in ("innodb", "ignore_builtin_innodb") if name in effective]
    off = next((setting for setting in switched if setting.value == "OFF" or setting.value is True), None)
    for name in ("default_storage_engine", "default_tmp_storage_engine", "enforce_storage_engine"):
        engine = str(_held(name, effective, release) or "")
        if off is not None and engine.lower() == "innodb":
            whose = "" if name in effective else ", the default"
            message = f"InnoDB is off, and {name} is {engine}{whose}: the server aborts"
            yield off, Note(NoteKind.REFUSED_TOGETHER, message, f"leave InnoDB on, or set {name} to another engine")
            return


def _old_passwords(effective: Effective, release: Release) -> Iterator[tuple[Setting, Note]]:
    """Seen on 5.7.22: what asks for passwords as before MySQL 4.1 ends the start. 8.0 has neither option."""
    for name, gone, right in (("secure_auth", False, "ON"), ("old_passwords", 1, "0")):
        setting = effective.get(name)
        if release.series == "5.7" and setting is not None and setting.value == gone:
            yield (
                setting,
                Note(
                    NoteKind.REFUSED_VALUE, "password hashes from before MySQL 4.1 are no longer supported", "", right
                ),
            )


_OF_MYSQL = (_collation, _gtids, _write_sets, _number, _old_passwords)
