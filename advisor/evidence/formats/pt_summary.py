"""What does a report of pt-mysql-summary or pt-summary say? Its sections → builder.

The report rounds: sizes are printed with one decimal or none ("32.0M"), counters as fuzzy rates per day. Rounded sizes
are kept with "(rounded)" in their source, the rates are not kept at all: they are no counters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from advisor.evidence.formats.dumps import read_dump
from advisor.evidence.formats.option_text import read_option_text
from advisor.evidence.member.builder import MemberBuilder
from advisor.options.groups import is_for_clients_alone
from advisor.units import SHIFTS

_SECTION = re.compile(r"# (\S[^#]*?) #{3,}\s*\Z")
_LINE = re.compile(r"\s*(\S.*?) \| ?(.*?)\s*\Z")
_LONGEST_LINE: Final = 1 << 16
_SIZE = re.compile(r"(\d+(?:\.\d+)?)([kMGT]?)\Z")

_VARIABLES: Final[Mapping[tuple[str, str], str]] = {
    ("InnoDB", "Flush Log At Commit"): "innodb_flush_log_at_trx_commit",
    ("InnoDB", "File Per Table"): "innodb_file_per_table",
    ("InnoDB", "Flush Method"): "innodb_flush_method",
    ("InnoDB", "Doublewrite"): "innodb_doublewrite",
    ("InnoDB", "I/O Capacity"): "innodb_io_capacity",
    ("InnoDB", "Thread Concurrency"): "innodb_thread_concurrency",
    ("InnoDB", "Concurrency Tickets"): "innodb_concurrency_tickets",
    ("InnoDB", "Commit Concurrency"): "innodb_commit_concurrency",
    ("InnoDB", "Txn Isolation Level"): "transaction_isolation",
    ("InnoDB", "Adaptive Flushing"): "innodb_adaptive_flushing",
    ("InnoDB", "XA Support"): "innodb_support_xa",
    ("Percona XtraDB Cluster", "Cluster Name"): "wsrep_cluster_name",
    ("Percona XtraDB Cluster", "Cluster Address"): "wsrep_cluster_address",
    ("Percona XtraDB Cluster", "Node Name"): "wsrep_node_name",
    ("Percona XtraDB Cluster", "SST Method"): "wsrep_sst_method",
    ("Percona XtraDB Cluster", "Slave Threads"): "wsrep_slave_threads",
    ("Percona XtraDB Cluster", "wsrep_on"): "wsrep_on",
    ("Query cache", "query_cache_type"): "query_cache_type",
}
_SIZES: Final[Mapping[tuple[str, str], str]] = {
    ("InnoDB", "Buffer Pool Size"): "innodb_buffer_pool_size",
    ("InnoDB", "Log Buffer Size"): "innodb_log_buffer_size",
    ("InnoDB", "Page Size"): "innodb_page_size",
    ("MyISAM", "Key Cache"): "key_buffer_size",
    ("Query cache", "Size"): "query_cache_size",
}
_COUNTERS: Final[Mapping[str, str]] = {
    "Cluster Size": "wsrep_cluster_size",
    "Node Status": "wsrep_cluster_status",
    "Cluster Nodes": "wsrep_incoming_addresses",
}
_VERBATIM: Final = ("Binary Logging", "Noteworthy Variables")
_RENAMED: Final = {"bulk_insert_buffer": "bulk_insert_buffer_size"}
_NOT_VARIABLES: Final = frozenset({"log", "log_slow_queries"})  # the report's own words, or gone since 5.6


def read_report(text: str, label: str) -> MemberBuilder:
    """Variables, the replication line, the option file at the end, and whatever tables stand in the report.

    An option file without a group for servers, as that of an image, is not the one that the server reads: then nothing
    is known of what the report does not show.
    """
    builder = read_dump(text, label)
    for section, name, value, line in _entries(text):
        _add(builder, section, name, value, f"{label}:{line}")
    if options := _option_file(text):
        reading = read_option_text(options, label)
        if not is_for_clients_alone(reading):
            builder.options = reading
    return builder


def _entries(text: str) -> Iterator[tuple[str, str, str, int]]:
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > _LONGEST_LINE:
            continue
        if heading := _SECTION.match(line):
            section = "Report" if heading[1].startswith("Report On Port") else heading[1]
        elif section and (entry := _LINE.match(line)):
            yield section, entry[1], entry[2], number


def _add(builder: MemberBuilder, section: str, name: str, value: str, source: str) -> None:
    place = (section, name)
    if place in _VARIABLES and value:
        builder.add_variable(_VARIABLES[place], value, source)
    elif place in _SIZES:
        _add_size(builder, _SIZES[place], value, source)
    elif section in _VERBATIM and re.fullmatch(r"[a-z]\w+", name) and name not in _NOT_VARIABLES:
        known = _RENAMED.get(name, name)
        if not (known.endswith("_size") or known in ("max_allowed_packet", "thread_stack")):
            builder.add_variable(known, value, source)
        else:
            _add_size(builder, known, value, source)
    elif section == "Percona XtraDB Cluster" and name in _COUNTERS:
        number = int(value) if value.isdecimal() else value
        builder.add_counters([(_COUNTERS[name], number)], None, source)
    else:
        _add_special(builder, place, value, source)
    if place == ("Percona XtraDB Cluster", "Cluster Address"):
        builder.add_variable("wsrep_on", "ON", source)  # the report prints the section's body only then


def _add_special(builder: MemberBuilder, place: tuple[str, str], value: str, source: str) -> None:
    """Lines that say several things at once."""
    if place == ("Report", "Version"):
        version, _, comment = value.partition(" ")
        builder.add_variable("version", version, source)
        builder.add_variable("version_comment", comment, source)
    elif place == ("Report", "Replication") and value:
        if value.startswith("Is not a"):
            builder.add_rows("replica_status", (), None, source)
        if connected := re.search(r"has (\d+) (?:slaves|replicas) connected", value):
            builder.add_rows(
                "replica_hosts",
                [{"connected": int(connected[1])}] if connected[1] != "0" else (),
                None,
                source,
            )
    elif place == ("InnoDB", "R/W I/O Threads") and (both := re.fullmatch(r"(\d+) (\d+)", value)):
        builder.add_variable("innodb_read_io_threads", both[1], source)
        builder.add_variable("innodb_write_io_threads", both[2], source)
    elif place == ("InnoDB", "Log File Size") and (files := re.match(r"(\d+) \* (\S+)", value)):
        builder.add_variable("innodb_log_files_in_group", files[1], source)
        _add_size(builder, "innodb_log_file_size", files[2], source)
    elif place == ("Binary Logging", "Binlogs") and value.isdecimal() and int(value):
        builder.add_variable("log_bin", "ON", source)
    elif place[1] == "Processors" and (virtual := re.search(r"virtual = (\d+)", value)):
        builder.add_host("cpus", int(virtual[1]), "", source)
    elif place == ("Memory", "Total") and (size := _SIZE.match(value)):
        builder.add_host("memory_bytes", _bytes(size), "bytes", f"{source} (rounded)")


def _bytes(size: re.Match[str]) -> int:
    return round(float(size[1]) * (1 << SHIFTS[size[2].upper()]))


def _add_size(builder: MemberBuilder, name: str, value: str, source: str) -> None:
    size = _SIZE.match(value)
    if size:
        rounded = " (rounded)" if size[2] or "." in size[1] else ""
        builder.add_variable(name, str(_bytes(size)), source + rounded)


def _option_file(text: str) -> str:
    """The option file printed at the end, on its own lines (others blanked), "" when the report found none."""
    lines = text.splitlines()
    start = next((at for at, line in enumerate(lines) if line.startswith("# Configuration File ###")), None)
    if start is None:
        return ""
    end = next((at for at in range(start + 1, len(lines)) if _SECTION.match(lines[at])), len(lines))
    body = [line if not re.match(r"\s*Config File \| ", line) else "" for line in lines[start + 1 : end]]
    if not any(line.lstrip().startswith("[") for line in body):
        return ""
    return "\n" * (start + 1) + "\n".join(body) + "\n"
