"""`advisor collect`: read a running cluster into a bundle, for later or for somebody else."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.shared import cluster_options

_EXAMPLES = """Examples:

\b
  advisor collect --dsn mysql://watch@db1 --for 60s -o monday.tar.gz
  advisor collect --cluster cluster.yaml --for 5m --every 2s -o monday.tar.gz
  advisor collect --lab group_replication --show | less
  advisor check monday.tar.gz

The password is read from ADVISOR_PASSWORD, MYSQL_PWD, --password-file or ~/.my.cnf.
Exit codes: 0 everything was read, 2 wrong usage, 4 a member could not be read
completely."""

Out = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the bundle to this .tar.gz or new folder.", metavar="FILE")
]
Show = Annotated[bool, typer.Option("--show", help="Print the bundle; without -o, write nothing.")]
Names = Annotated[
    bool, typer.Option("--keep-names", help="Keep statements, and names of hosts, users, schemas and tables.")
]


def collect(
    dsn: cluster_options.Dsn = "",
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: cluster_options.PasswordFile = None,
    for_: cluster_options.For = "60s",
    every: cluster_options.Every = "1s",
    probe_fsync: cluster_options.ProbeFsync = False,
    instrument: cluster_options.Instrument = False,
    output: Out = None,
    show: Show = False,
    keep_names: Names = False,
) -> None:
    """Read a running cluster into a bundle.

    `check` and `why` read the bundle like the cluster itself. Nothing is changed without --instrument. Names of hosts,
    users, schemas and tables become pseudonyms, statements are left out, and passwords are never read.
    """
    from advisor.cli.collect import run
    from advisor.cli.shared.live_cluster import LiveOptions

    live = LiveOptions(
        dsn, cluster, lab, password_file, for_, every, probe_fsync, frequent_process_lists=True, instrument=instrument
    )
    raise typer.Exit(run.collect(live, output, show=show, keep_names=keep_names))


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("collect", epilog=_EXAMPLES)(collect)
