"""Which arguments and options do the commands of `advisor lab` have?"""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.lab import parsers
from advisor.cli.shared.duration import seconds_parser
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.name_value import NameValue, name_value_parser

Name = Annotated[str, typer.Argument(metavar="NAME", help="The lab's name.")]
Member = Annotated[int, typer.Option("--member", help="Which member, counted from 1.", min=1, metavar="NUMBER")]
MemberName = Annotated[str, typer.Option("--member", help="Which member: 2 or m2.", metavar="MEMBER")]
MemberArgument = Annotated[str, typer.Argument(metavar="[MEMBER]", help="Which member: 2 or m2 (default: all).")]
Format = Annotated[ListFormat, typer.Option("--format", help="Output format.")]
BaseDirs = Annotated[
    list[str] | None,
    typer.Option("--basedir", help="Also look for a server in this folder (an unpacked tarball).", metavar="FOLDER"),
]

# Of `lab up`.
Topology = Annotated[
    str,
    typer.Argument(metavar="TOPOLOGY", help="standalone, asynchronous, semisync, group_replication or galera."),
]
NewName = Annotated[str, typer.Option("--name", help="The lab's name (default: the topology's).", metavar="NAME")]
Members = Annotated[
    int | None,
    typer.Option("--members", help="Number of servers (default: 3; 1 for standalone).", min=1, metavar="NUMBER"),
]
MySQL = Annotated[bool, typer.Option("--mysql", help="Run MySQL.")]
MariaDB = Annotated[bool, typer.Option("--mariadb", help="Run MariaDB.")]
Product = Annotated[
    str,
    typer.Argument(
        metavar="mysql|mariadb|sysbench", help="What to install. For a server you can add a series: mariadb-11.8."
    ),
]
ServerPath = Annotated[
    str,
    typer.Option(
        "--server",
        help="Which server to run: a server program, its folder, or an installed release, e.g. mariadb-11.8.",
        metavar="PATH",
    ),
]
Settings = Annotated[
    list[NameValue] | None,
    typer.Option("--set", help="A setting for every member.", metavar="OPTION=VALUE", parser=parsers.parse_setting),
]
MemberSettings = Annotated[
    list[parsers.MemberSetting] | None,
    typer.Option(
        "--member-set",
        help="A setting for one member.",
        metavar="NUMBER:OPTION=VALUE",
        parser=parsers.parse_member_setting,
    ),
]
Cpus = Annotated[
    float | None,
    typer.Option("--cpus", help="CPUs for each member, e.g. 0.5.", metavar="NUMBER", parser=parsers.parse_cpus),
]
MemberCpus = Annotated[
    list[parsers.MemberNumber] | None,
    typer.Option("--member-cpus", help="CPUs for one member.", metavar="NUMBER:CPUS", parser=parsers.parse_member_cpus),
]
Rtt = Annotated[
    float | None,
    typer.Option(
        "--rtt", help="Round-trip time between members (root only).", metavar="20ms", parser=parsers.parse_rtt
    ),
]
MemberRtt = Annotated[
    list[parsers.MemberNumber] | None,
    typer.Option(
        "--member-rtt",
        help="Round-trip time from one member to the others.",
        metavar="NUMBER:50ms",
        parser=parsers.parse_member_rtt,
    ),
]
Bandwidth = Annotated[
    int | None,
    typer.Option(
        "--bandwidth",
        help="How fast each member can send to the others (root only).",
        metavar="1gbit",
        parser=parsers.parse_bandwidth,
    ),
]
Disk = Annotated[
    int | None,
    typer.Option(
        "--disk",
        help="A separate disk of this size for each member's data (root only).",
        metavar="2G",
        parser=parsers.parse_disk,
    ),
]
Durable = Annotated[bool, typer.Option("--durable", help="Flush every commit to disk.")]
Relaxed = Annotated[bool, typer.Option("--relaxed", help="Flush commits to disk about once a second.")]
MultiPrimary = Annotated[bool, typer.Option("--multi-primary", help="Group Replication: all members accept writes.")]
Acks = Annotated[
    int | None,
    typer.Option("--acks", help="Semi-sync: how many replicas must acknowledge.", min=1, metavar="NUMBER"),
]
WaitPoint = Annotated[str, typer.Option("--wait-point", help="Semi-sync: after_sync or after_commit.", metavar="POINT")]
Workers = Annotated[
    int | None,
    typer.Option("--workers", help="How many transactions a replica or node applies at once.", min=1, metavar="NUMBER"),
]

# Of `lab restart`, and of faults.
NewSettings = Annotated[
    list[NameValue] | None,
    typer.Option(
        "--set",
        help="Restart with this setting. Settings of an earlier `lab restart --set` are removed.",
        metavar="OPTION=VALUE",
        parser=parsers.parse_setting,
    ),
]
Unset = Annotated[bool, typer.Option("--unset", help="Remove the settings that an earlier --set wrote.")]
Fault = Annotated[str, typer.Argument(metavar="FAULT", help="A fault that `advisor lab faults` lists.")]
Strength = Annotated[
    list[NameValue] | None,
    typer.Option(
        "--set",
        help="A parameter of the fault.",
        metavar="PARAMETER=VALUE",
        parser=name_value_parser("--set", empty_value=True, hint="`advisor lab faults` lists the parameters"),
    ),
]
FaultSeconds = Annotated[
    float,
    typer.Option(
        "--for",
        help="Clear the fault after this time.",
        metavar="30s",
        parser=seconds_parser("--for"),
        show_default=False,
    ),
]
