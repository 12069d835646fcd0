"""Which arguments and options do the commands of `advisor lab` have?"""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.shared.formats import ListFormat

Name = Annotated[str, typer.Argument(metavar="NAME", help="The lab's name.")]
Member = Annotated[int, typer.Option("--member", help="Which member, counted from 1.", min=1, metavar="NUMBER")]
MemberName = Annotated[str, typer.Option("--member", help="Which member: 2 or m2.", metavar="MEMBER")]
MemberArgument = Annotated[str, typer.Argument(metavar="[MEMBER]", help="Which member: 2 or m2; without it, all.")]
Format = Annotated[ListFormat, typer.Option("--format", help="How it is written.")]
BaseDirs = Annotated[
    list[str] | None,
    typer.Option("--basedir", help="Look for a server in this folder too (an unpacked tarball).", metavar="FOLDER"),
]

# Of `lab up`.
Topology = Annotated[
    str,
    typer.Argument(metavar="TOPOLOGY", help="standalone, asynchronous, semisync, group_replication or galera."),
]
NewName = Annotated[str, typer.Option("--name", help="The lab's name; without it, the topology's.", metavar="NAME")]
Members = Annotated[
    int | None, typer.Option("--members", help="How many servers; without it 3, or 1 standalone.", min=1)
]
MySQL = Annotated[bool, typer.Option("--mysql", help="Run MySQL.")]
MariaDB = Annotated[bool, typer.Option("--mariadb", help="Run MariaDB.")]
ServerPath = Annotated[
    str, typer.Option("--server", help="Run this server program, or the one in this folder.", metavar="PATH")
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="A setting for every member.", metavar="OPTION=VALUE")
]
MemberSettings = Annotated[
    list[str] | None, typer.Option("--member-set", help="A setting for one member.", metavar="NUMBER:OPTION=VALUE")
]
Cpus = Annotated[str, typer.Option("--cpus", help="Processors for each member; 0.5 is a half.", metavar="NUMBER")]
MemberCpus = Annotated[
    list[str] | None, typer.Option("--member-cpus", help="Processors for one member.", metavar="NUMBER:CPUS")
]
Rtt = Annotated[
    str, typer.Option("--rtt", help="How far members are apart, as a round trip (root only).", metavar="20ms")
]
MemberRtt = Annotated[
    list[str] | None,
    typer.Option("--member-rtt", help="How far one member is from the others.", metavar="NUMBER:50ms"),
]
Bandwidth = Annotated[
    str, typer.Option("--bandwidth", help="How fast each member sends to others (root only).", metavar="1gbit")
]
Disk = Annotated[
    str, typer.Option("--disk", help="A disk of its own for each member's data (root only).", metavar="2G")
]
Durable = Annotated[bool, typer.Option("--durable", help="Every commit reaches the disk.")]
Relaxed = Annotated[bool, typer.Option("--relaxed", help="Commits reach the disk about once a second.")]
MultiPrimary = Annotated[bool, typer.Option("--multi-primary", help="Group Replication: all members write.")]
Acks = Annotated[int | None, typer.Option("--acks", help="Semi-sync: how many replicas must acknowledge.", min=1)]
WaitPoint = Annotated[str, typer.Option("--wait-point", help="Semi-sync: after_sync or after_commit.", metavar="POINT")]
Workers = Annotated[
    int | None, typer.Option("--workers", help="How many transactions a replica or node applies at once.", min=1)
]
