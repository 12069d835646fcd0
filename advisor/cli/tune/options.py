"""Which options does `advisor tune` have beyond those that name a cluster and put load on it?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

For = Annotated[str, typer.Option("--for", help="How long, the proof at the end included.", metavar="8h")]
Trials = Annotated[int, typer.Option(help="How many trials the search has; the proof comes after.", min=0)]
Patience = Annotated[
    int, typer.Option(help="End the search when so many of its trials confirmed no gain of 3 %; 0: never.", min=0)
]
Threads = Annotated[str, typer.Option(help="How many clients; auto: as many as find the limit.", metavar="16|auto")]
Seconds = Annotated[str, typer.Option(help="How long each trial is measured, once it is steady.", metavar="30s")]
LagBound = Annotated[str, typer.Option(help="How far behind every member may be.", metavar="1s")]
Folders = Annotated[
    list[str] | None, typer.Option("--spaces", help="A folder with search spaces of your own; may be repeated.")
]
Pins = Annotated[list[str] | None, typer.Option("--pin", help="This knob stays at a value.", metavar="NAME=VALUE")]
Excluded = Annotated[list[str] | None, typer.Option("--exclude", help="This knob is never touched.", metavar="NAME")]
Allowed = Annotated[
    list[str] | None,
    typer.Option("--allow", help="Give up a promise: relaxed-durability, -consistency or -correctness."),
]
Host = Annotated[
    list[str] | None,
    typer.Option(help="What one member has, where it is not this machine.", metavar="cpus=16,memory=64G,disk=1T"),
]
Between = Annotated[str, typer.Option(help="Only at these hours, local time.", metavar="22:00-06:00")]
NotPrimary = Annotated[bool, typer.Option("--not-primary", help="Leave the source or primary as it is.")]
Sampler = Annotated[str, typer.Option(help="How configurations are proposed: own, tpe, or gp (needs torch).")]
Seed = Annotated[int, typer.Option(help="Of everything random.")]
Blocks = Annotated[int, typer.Option(help="How often each finalist is measured against the original; 0: never.", min=0)]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would be done; nothing is touched.")]
Shorten = Annotated[bool, typer.Option("--shorten/--no-shorten", help="Find out which changes are really needed.")]
Preflight = Annotated[
    bool,
    typer.Option(
        "--preflight/--no-preflight", help="First tell what the night can show, and ask `why`, as time allows."
    ),
]
Soak = Annotated[
    str,
    typer.Option(help="How long the winner runs under load at the end; a winner that breaks is none.", metavar="30m"),
]
Storage = Annotated[
    str,
    typer.Option(
        help="Share the study with other clones in this database, which is none of the cluster under test.",
        metavar="mysql://USER@HOST/DATABASE",
    ),
]
Study = Annotated[str, typer.Option(help="The shared study's name; left out, it gets one.", metavar="NAME")]
PasswordFile = Annotated[
    Path | None,
    typer.Option(help="Where the storage's password is: [client] of an option file, or one line.", metavar="FILE"),
]
Experience = Annotated[
    str, typer.Option(help="Begin with the best of earlier nights in this file, and add this one.", metavar="FILE")
]
