"""What in a recording is private: names of hosts, users, schemas and tables, statements? Recordings without them.

Names are first learned from all members, where names are known to be; then they are replaced wherever text may quote
them. Numbers, the server's own words and GTIDs stay, so that the findings are the same. Of statements only the verb
and a pseudonym are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from advisor.collect.bundle.innodb_text import without_statements
from advisor.collect.bundle.pseudonyms import Pseudonyms
from advisor.collect.gather import Gathered
from advisor.collect.member.process_list import outline
from advisor.collect.member.recording import Lack, Recording, release_of
from advisor.collect.targets import ClusterTarget
from advisor.model.catalog import VariableType
from advisor.model.evidence import Row, Scalar
from advisor.model.record import replace

# Variables and options with addresses in them, in any spelling with "-" or "_".
_HOSTS: Final = frozenset(
    "hostname report_host bind_address admin_address mysqlx_bind_address group_replication_group_seeds"
    " group_replication_local_address group_replication_ip_allowlist group_replication_ip_whitelist"
    " wsrep_cluster_address wsrep_node_address wsrep_node_incoming_address wsrep_sst_receive_address wsrep_sst_donor"
    " wsrep_node_name wsrep_cluster_name proxy_protocol_networks host".split()
)
_USERS: Final = frozenset("report_user user group_replication_recovery_user".split())
_SCHEMAS: Final = re.compile(
    r"(replicate_(wild_)?(do|ignore)_(db|table)|replicate_rewrite_db|binlog_(do|ignore)_db|auto_increment_db)\Z"
)
_STATEMENTS: Final = frozenset("init_connect init_slave init_replica".split())
_COLUMNS: Final = {
    "source_host": "host", "master_host": "host", "member_host": "host", "host": "host", "network_interface": "host",
    "source_user": "user", "master_user": "user", "user": "user", "privilege_checks_user": "user",
    "source_bind": "host", "master_bind": "host", "db": "schema",
}  # fmt: skip
# Cells in the server's own words: a schema called "binlog" must not change the name of an instrument.
_SERVERS_OWN: Final = frozenset(
    "event_name name state command status type subsystem comment variable_name variable_source global_value_origin"
    " service_state member_state member_role member_id member_version plugin_name version library license"
    " kind os call wchan event trx lock waiter blocker blocker_command blocker_state blocker_trx".split()
)
_SPLIT: Final = re.compile(r"[\s,;/=?&@|()]+|:(?=\d+(?:\D|\Z))|gcomm:|tcp:|ssl:|udp:")
_REMARK: Final = re.compile(r"^\s*[#;].*|\s+#.*")
_SUPPRESSION: Final = re.compile(r"\s*[#;]\s*advisor:")
_HOME: Final = re.compile(r"/(?:home|Users)/([^/\s]+)")
_ERROR: Final = re.compile(r"last_(io_|sql_)?error(_message)?\Z|.*error_message\Z", re.IGNORECASE)
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`")
_TABLE: Final = re.compile(r"\b(?:table|key)\s+'?([\w$-]+)\.([\w$-]+)", re.IGNORECASE)


def redact(gathered: Gathered, target: ClusterTarget, pseudonyms: Pseudonyms) -> tuple[Gathered, ClusterTarget]:
    """All recordings and the cluster's description with pseudonyms, also for the names of members."""
    for member in target.members:
        pseudonyms.learn("host", member.address.host)
        pseudonyms.learn("user", member.address.user)
    for recording in gathered.recordings:
        _learn(recording, pseudonyms)
    recordings = tuple(_redacted(recording, pseudonyms) for recording in gathered.recordings)
    text = pseudonyms.in_text
    roles = {text(member): role for member, role in target.roles.items()}
    hidden = replace(
        target, path="cluster.yaml", name=pseudonyms.stand_in("cluster", target.name), roles=roles,
        problems=tuple(map(text, target.problems)),
    )  # fmt: skip
    return replace(gathered, recordings=recordings), hidden


def _learn(recording: Recording, pseudonyms: Pseudonyms) -> None:
    user, _, host = recording.account.rpartition("@")
    for home in _HOME.findall(" ".join((*recording.variables.values(), *recording.option_files))):
        pseudonyms.learn("user", home)
    pseudonyms.learn("user", user)
    pseudonyms.learn("host", host)
    for name, value in (*recording.variables.items(), *_counters(recording), *_options(recording)):
        for kind, word in _names_in(name.lower().replace("-", "_"), value):
            pseudonyms.learn(kind, word)
    for row in _rows(recording):
        for column, cell in row.items():
            _learn_cell(column.lower(), cell, pseudonyms)


def _learn_cell(column: str, cell: Scalar, pseudonyms: Pseudonyms) -> None:
    if not isinstance(cell, str):
        return
    if kind := _COLUMNS.get(column):
        name = cell.rpartition(":")[0] if kind == "host" and cell.count(":") == 1 else cell
        pseudonyms.learn(kind, name.partition("@")[0] if kind == "user" else name)
    elif column == "object":
        for kind, word in zip(("schema", "table"), cell.split("."), strict=False):
            pseudonyms.learn(kind, word)
    elif _SCHEMAS.match(column):
        for kind, word in _names_in(column, cell):
            pseudonyms.learn(kind, word)
    elif _ERROR.match(column):
        for schema, table in _TABLE.findall(cell):
            pseudonyms.learn("schema", schema)
            pseudonyms.learn("table", table)


def _names_in(name: str, value: str) -> Iterator[tuple[str, str]]:
    """The names that a variable, counter or option holds, with their kind."""
    if name in _HOSTS or name == "wsrep_incoming_addresses":
        yield from (("host", word) for word in _SPLIT.split(value) if word)
    elif name in _USERS:
        yield "user", value
    elif _SCHEMAS.match(name):
        for word in re.split(r"[\s,>-]+", value):
            schema, _, table = word.partition(".")
            yield from ((kind, part.strip("%_")) for kind, part in (("schema", schema), ("table", table)) if part)


def _counters(recording: Recording) -> list[tuple[str, str]]:
    return list(recording.samples[-1][1].items()) if recording.samples else []


def _options(recording: Recording) -> Iterator[tuple[str, str]]:
    for text in recording.option_files.values():
        for line in text.splitlines():
            name, equals, value = line.partition("=")
            if equals:
                plain = _REMARK.sub("", value).strip().strip("'\"")
                yield name.strip().removeprefix("loose-").removeprefix("loose_"), plain


def _rows(recording: Recording) -> Iterator[Row]:
    for tables in (recording.once, *(tables for _, tables in recording.tables)):
        for rows in tables.values():
            yield from rows


def _redacted(recording: Recording, pseudonyms: Pseudonyms) -> Recording:
    text = pseudonyms.in_text
    worded = _worded(recording.variables)
    return Recording(
        name=text(recording.name),
        account=text(recording.account),
        variables={name: value if name in worded else _variable(name, value, pseudonyms)
                   for name, value in recording.variables.items()},
        samples=[(at, {name: _counter(name, value, pseudonyms) for name, value in values.items()})
                 for at, values in recording.samples],
        once=_tables(recording.once, pseudonyms),
        tables=[(at, _tables(tables, pseudonyms)) for at, tables in recording.tables],
        innodb_status=text(without_statements(recording.innodb_status)),
        host=recording.host,
        option_files={text(path): _option_text(content, pseudonyms)
                      for path, content in recording.option_files.items()},
        clock=recording.clock,
        lacks=[Lack(*(text(word) for word in (lack.what, lack.why, lack.command))) for lack in recording.lacks],
        failure=text(recording.failure),
    )  # fmt: skip


def _worded(variables: Mapping[str, str]) -> frozenset[str]:
    """The variables whose values are numbers or keywords; none for a release without a catalogue."""
    from advisor.catalog import load

    release = release_of(variables)
    if release is None:
        return frozenset()
    catalog = load(release)
    known = ((name, catalog.get(name)) for name in variables)
    return frozenset(name for name, variable in known if variable and variable.type is not VariableType.STR)


def _variable(name: str, value: str, pseudonyms: Pseudonyms) -> str:
    if name.lower() in _STATEMENTS and value:
        return pseudonyms.stand_in("statement", value)
    if _is_plain(value) or "version" in name.lower():
        return value
    return pseudonyms.in_text(value)


def _counter(name: str, value: str, pseudonyms: Pseudonyms) -> str:
    return value if _is_plain(value) or "version" in name.lower() else pseudonyms.in_text(value)


def _is_plain(value: str) -> bool:
    """Numbers, ON, OFF, YES and NO: never a learned name, even if a schema is called so."""
    return not value or value.replace(".", "", 1).isdigit() or value in ("ON", "OFF", "YES", "NO")


def _tables(tables: Mapping[str, list[Row]], pseudonyms: Pseudonyms) -> dict[str, list[Row]]:
    return {name: _list(rows, pseudonyms) for name, rows in tables.items()}


def _list(rows: Iterable[Row], pseudonyms: Pseudonyms) -> list[Row]:
    return [{column: _cell(column.lower(), cell, pseudonyms) for column, cell in row.items()} for row in rows]


def _cell(column: str, cell: Scalar, pseudonyms: Pseudonyms) -> Scalar:
    if not isinstance(cell, str) or not cell or column in _SERVERS_OWN:
        return cell
    if column in ("info", "blocker_info"):
        return cell if "…" in cell else f"{outline(cell)} {pseudonyms.stand_in('statement', cell)}"
    if _ERROR.match(column):
        kept = re.split(r"\b(?:Query|Statement|Default database)\b", cell)[0]
        return pseudonyms.in_text(_QUOTED.sub(lambda found: f"'{pseudonyms.stand_in('text', found[0])}'", kept))
    return pseudonyms.in_text(cell)


def _option_text(text: str, pseudonyms: Pseudonyms) -> str:
    """An option file, line by line; comments are prose and are emptied, except suppressions."""
    return "".join(_option_line(line, pseudonyms) for line in text.splitlines(keepends=True))


def _option_line(line: str, pseudonyms: Pseudonyms) -> str:
    end = line[len(line.rstrip("\r\n")) :]
    text = line.removesuffix(end) if end else line
    start = _REMARK.search(text)
    setting, remark = (text[: start.start()], start[0]) if start else (text, "")
    if not _SUPPRESSION.match(remark):
        remark = remark.rstrip()[: len(remark) - len(remark.lstrip()) + 1]
    name, equals, value = setting.partition("=")
    if equals and name.strip().lower().replace("-", "_") in _STATEMENTS:
        setting = f"{name}= {pseudonyms.stand_in('statement', value.strip())}"
    elif not (equals and _is_plain(value.strip())):
        setting = pseudonyms.in_text(setting)
    return setting + pseudonyms.in_text(remark) + end
