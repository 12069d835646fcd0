"""What did pt-stalk collect? Its files of one moment (2026_01_31_12_00_00-variables, …) → one member."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from advisor.evidence.formats import host
from advisor.evidence.formats.dumps import read_dump
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.source.archive import Tree

_NAME = re.compile(r"(?P<prefix>.*?\w)-(?P<what>[a-z][a-z-]*\d?)\Z")
_DUMPS = (
    "variables", "status1", "status2", "mysqladmin", "innodbstatus1", "innodbstatus2", "slave-status",
    "replica-status", "processlist", "master-status", "binary-log-status", "replication-group-members",
)  # fmt: skip
_MACHINE = ("meminfo", "procstat", "procvmstat", "diskstats", "df")
# What a diagnosis rests on, by the names of the files it may be in, and what is not known without them.
_NEEDED = {
    ("variables",): "settings and the version are not known",
    ("mysqladmin", "status1"): "rates per second are not known",
    ("processlist",): "the activity of the sessions is not known",
    ("innodbstatus1", "innodbstatus2"): "the output of InnoDB's monitor is not known",
}
_MARKS = frozenset(
    {
        "mysqladmin",
        "innodbstatus1",
        "innodbstatus2",
        "slave-status",
        "procvmstat",
        "diskstats",
        "trigger",
        "opentables1",
    }
)


def is_collection(names: Iterable[str]) -> bool:
    """Whether these names of a folder are pt-stalk's."""
    found = {match["what"] for name in names if (match := _NAME.match(name))}
    return len(found & (_MARKS | set(_DUMPS))) >= 2 and bool(found & _MARKS)


def read_collection(tree: Tree) -> tuple[str, MemberBuilder]:
    """The host's name ("server" when it is not told) and the newest collection in the folder."""
    matches = [match for name in tree.names() if "/" not in name and (match := _NAME.match(name))]
    prefixes = sorted({match["prefix"] for match in matches if match["what"] in _MARKS})
    prefix = prefixes[-1]
    builder = MemberBuilder()
    if len(prefixes) > 1:
        builder.problems.append(
            f"{tree.path}: {len(prefixes)} collections ({prefixes[0]} to {prefix}); only the last one is used"
        )
    files = {match["what"]: match[0] for match in matches if match["prefix"] == prefix}
    empty = {}
    for what in _DUMPS:
        if what in files and not (what.startswith("status") and "mysqladmin" in files):
            text = tree.read(files[what])
            builder.add(read_dump(text, files[what]))
            empty[what] = not text.strip()
    _add_machine(builder, {what: (tree.read(files[what]), files[what]) for what in _MACHINE if what in files})
    for names, lacking in _NEEDED.items():
        there = [name for name in names if name in empty]
        if not there:
            builder.problems.append(f"{tree.path}: {prefix}-{names[0]} is missing: {lacking}")
        elif all(empty[name] for name in there):  # the client of MySQL 9.7 refuses the \G that pt-stalk gives it
            builder.problems.append(f"{tree.path}: {files[there[0]]} is empty: {lacking}")
    name = tree.read(files["hostname"]).strip().split("\n")[0] if "hostname" in files else ""
    return name or "server", builder


def _add_machine(builder: MemberBuilder, files: Mapping[str, tuple[str, str]]) -> None:
    """Facts of the machine from files (name → text and label)."""
    readers = {
        "meminfo": (host.add_meminfo,),
        "procstat": (host.add_procstat, host.add_processor_load),
        "procvmstat": (host.add_vmstat_swap,),
    }
    for name, add in readers.items():
        for read in add if name in files else ():
            read(builder, *files[name])
    if "diskstats" in files:
        data, mounts = builder.variables.get("datadir"), files.get("df", ("", ""))[0]
        disk = host.device_of(str(data.value), mounts) if data is not None else ""
        host.add_disk_load(builder, *files["diskstats"], disk)
