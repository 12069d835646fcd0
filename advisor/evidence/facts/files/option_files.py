"""What of the option files does the server not read at all?"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from advisor.catalog import load
from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.evidence.option_items import OPTION_FILE, Item, settings_as_read
from advisor.model.options import ReadProblem
from advisor.options.groups import server_groups
from advisor.options.lines import printable

# Groups of other programs whose names come near to the server's.
_OTHER_PROGRAMS = ("mysql", "mysqldump", "mariadb", "mariadb-dump", "client", "mysqlimport", "mysqld_safe", "mysqlslap")
# Options mysqld_safe uses itself or hands on from its own groups; the rest it ignores there (manual of mysqld_safe;
# `parse_arguments` in mysqld_safe.sh of MySQL and MariaDB).
_SAFE_GROUPS = ("mysqld_safe", "safe_mysqld", "mariadb_safe", "mariadbd-safe")
_SAFE_OPTIONS = frozenset(
    "basedir bind_address core_file_size datadir defaults_extra_file defaults_file log_error malloc_lib "
    "open_files_limit pid_file plugin_dir port socket timezone user umask umask_dir wsrep_on".split()
)
_SAFE_NAMED = 4  # names a finding lists
# Groups of clients and tools, and beginnings of names that only servers have (manual of each program, "Options").
_CLIENTS = frozenset(
    "client mysql mysqldump mysqladmin mysqlhotcopy mysqlimport mysqlshow mysqlcheck mysqlslap isamchk myisamchk"
    " mariadb-client mariadb-dump mariadb-admin".split()
)
_OF_SERVERS = tuple(
    "innodb_ sync_binlog expire_logs_days binlog_ log_bin relay_log gtid_ replicate_ log_slave_updates"
    " log_replica_updates rpl_semi_sync_ query_cache_ max_connections".split()
)
_ALIKE = 0.8  # share of letters two names have in common, as difflib measures it: "mysqd", "msyqld" have 0.83 and more


@fact()
def files_that_stop_start(e: MemberFacts) -> list[Item]:
    """Places in the files at which the server gives up reading and does not start."""
    if e.settings is None:
        raise NeedsError(Missing((OPTION_FILE,)))
    return [_item(problem) for problem in e.settings.problems if problem.fatal]  # the same in every release


@fact()
def files_not_read(e: MemberFacts) -> list[Item]:
    """Files, and ends of files, that the server passes over. What is merely missing here is not among them."""
    skipped = (p for p in settings_as_read(e).problems if not p.fatal and not p.elsewhere)
    items = ({**_item(problem), "lost": _lost(problem)} for problem in skipped)
    return list({(item["key"], item["message"]): item for item in items}.values())  # files may be read many times


@fact()
def groups_not_read(e: MemberFacts) -> list[Item]:
    """Groups whose names look like the server's and are not, with the server options that stand in them."""
    settings_as_read(e)
    reading = e.member.options
    items: dict[str, Item] = {}
    for argument in reading.arguments if reading is not None else ():
        meant = _meant(argument.group, e)
        if not meant or load(e.release).get(argument.name.replace("-", "_")) is None:
            continue
        group = printable(argument.group)
        place = f"{argument.file}:{argument.line}"
        item = items.setdefault(
            group, {"key": f"[{group}]", "source": place, "group": group, "meant": meant, "count": 0}
        )
        item["count"] += 1
    return list(items.values())


@fact()
def settings_for_safe_script(e: MemberFacts) -> list[Item]:
    """Server options in mysqld_safe's groups that the script neither uses nor hands on, for each group."""
    return _misplaced(e, _SAFE_GROUPS, lambda name: name not in _SAFE_OPTIONS and load(e.release).get(name) is not None)


@fact()
def settings_for_clients(e: MemberFacts) -> list[Item]:
    """Options that only servers have, in the groups of clients and tools, for each group."""
    return _misplaced(e, _CLIENTS, lambda name: name.startswith(_OF_SERVERS) and _is_option(name, e))


def _misplaced(e: MemberFacts, groups: Container[str], wanted: Callable[[str], bool]) -> list[Item]:
    """The wanted options of these groups, one item for each group, with the first of their names."""
    settings_as_read(e)
    reading = e.member.options
    items: dict[str, Item] = {}
    for argument in reading.arguments if reading is not None else ():
        name = argument.name.replace("-", "_")
        if argument.group.lower() not in groups or not wanted(name):
            continue
        group, place = printable(argument.group), f"{argument.file}:{argument.line}"
        item = items.setdefault(group, {"key": f"[{group}]", "source": place, "group": group, "count": 0, "names": ""})
        item["count"] += 1
        listed = f"{item['names']}, {name}" if item["names"] else name
        item["names"] = listed if item["count"] <= _SAFE_NAMED else item["names"]
    return list(items.values())


def _is_option(name: str, e: MemberFacts) -> bool:
    variable = load(e.release).get(name)
    return variable is not None and bool(variable.option)


def _meant(group: str, e: MemberFacts) -> str:
    """The server's group a name was meant for; "" where it is the server's, another program's, or anything else.

    A name that begins with "mysqld" may be read with --defaults-group-suffix, or is mysqld_multi's.
    """
    read, name = server_groups(e.release), group.lower()
    if name in read:
        return ""
    stripped = name.strip()
    if stripped != name and stripped in read:
        return stripped
    if stripped in _OTHER_PROGRAMS or stripped.startswith(("mysqld", "mariadbd")):
        return ""
    from difflib import SequenceMatcher

    near: Iterator[str] = (own for own in ("mysqld", "mariadbd") if own in read)
    return next((own for own in near if SequenceMatcher(None, stripped, own).ratio() >= _ALIKE), "")


def _lost(problem: ReadProblem) -> str:
    """Which settings the server does not get because of it."""
    if not problem.line:
        return "None of its settings are in force"
    if problem.message.startswith("include skipped"):
        return "The settings of the file that this line includes are not in force"
    return "Its settings after this line are not in force"


def _item(problem: ReadProblem) -> Item:
    message = f"{problem.message}; {problem.hint}" if problem.hint else problem.message
    place = f"{problem.file}:{problem.line}"
    return {"key": place, "source": place, "file": problem.file, "message": message}
