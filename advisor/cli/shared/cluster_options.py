"""Which options name a running cluster, and say how long it is looked at?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Dsn = Annotated[
    str, typer.Option("--dsn", help="A running server; its cluster is found from there.", metavar="mysql://USER@HOST")
]
ClusterOption = Annotated[
    Path | None, typer.Option("--cluster", help="The running cluster that this cluster.yaml describes.", metavar="FILE")
]
Lab = Annotated[str, typer.Option("--lab", help="A running lab, by its name.", metavar="NAME")]
PasswordFile = Annotated[
    Path | None,
    typer.Option(help="Where the password is: an option file's [client] group, or one line.", metavar="FILE"),
]
For = Annotated[str, typer.Option("--for", help="How long to look at a running cluster.", metavar="30s")]
ProbeFsync = Annotated[
    bool,
    typer.Option(
        "--probe-fsync", help="Time the disks of members on this machine, by a few small writes beside the data."
    ),
]
Every = Annotated[str, typer.Option(help="How often to read its counters meanwhile.", metavar="1s")]
