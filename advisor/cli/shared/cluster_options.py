"""Which options name a running cluster, and say how long to read it?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Dsn = Annotated[
    str,
    typer.Option(
        "--dsn", help="Any member of a running cluster. advisor finds the others.", metavar="mysql://USER@HOST"
    ),
]
ClusterOption = Annotated[
    Path | None, typer.Option("--cluster", help="The running cluster that this cluster.yaml describes.", metavar="FILE")
]
Lab = Annotated[str, typer.Option("--lab", help="A running lab, by name.", metavar="NAME")]
PasswordFile = Annotated[
    Path | None,
    typer.Option(
        help="File that holds the password: an option file with a [client] group, or one line with only the password.",
        metavar="FILE",
    ),
]
For = Annotated[str, typer.Option("--for", help="How long to read a running cluster.", metavar="30s")]
ProbeFsync = Annotated[
    bool,
    typer.Option("--probe-fsync", help="Measure the disks of members on this machine with a few small writes."),
]
Instrument = Annotated[
    bool,
    typer.Option(
        "--instrument",
        help="Switch on the servers' wait instruments while reading, and restore them afterwards (MySQL).",
    ),
]
Every = Annotated[
    str, typer.Option(help="Time between two readings of the counters of a running cluster.", metavar="1s")
]
