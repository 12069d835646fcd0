"""`advisor mcp`: which files, and which running cluster, may the tools of an assistant read?"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.shared import cluster_options
from advisor.cli.shared.terminal import write
from advisor.errors import UsageError

_EXAMPLES = """Examples:

\b
  advisor mcp /etc/mysql
  advisor mcp ~/deploy ~/bundles
  advisor mcp --dsn mysql://watch@db1 --password-file ~/.watch.cnf

The assistant starts this command and talks to it over standard input and output;
docs/assistants.md shows the entry for its configuration. The tools only read: they
change no file and no server, and start no server."""

_FOLDERS = "Folders with files that the tools may read. Default: the current folder."
Folders = Annotated[list[Path] | None, typer.Argument(metavar="[FOLDER...]", help=_FOLDERS, show_default=False)]


def mcp(
    folders: Folders = None,
    dsn: cluster_options.Dsn = "",
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: cluster_options.PasswordFile = None,
    for_: cluster_options.For = "",
) -> None:
    """Let an AI assistant use check, why, compare and explain (MCP)."""
    from advisor.cli.shared.live_cluster import LiveOptions, reading_schedule

    for folder in folders or ():
        if not folder.is_dir():
            raise UsageError("there is no such folder", file=str(folder), hint="name folders that hold option files")
    live = LiveOptions(dsn, cluster, lab, password_file, for_, frequent_process_lists=True)
    if live.named:
        reading_schedule(live)
    elif for_ or password_file:
        raise UsageError("--for and --password-file need a running cluster", hint="--dsn, --cluster or --lab")
    try:
        from advisor.cli.mcp.readable import Readable
        from advisor.cli.mcp.server import serve
    except ImportError:
        raise UsageError("the MCP SDK is not installed", hint="pip install 'advisor[mcp]'") from None
    if sys.stdin.isatty():
        write("waiting for an assistant on standard input; press Ctrl-C to stop\n", sys.stderr)
    serve(Readable(tuple(map(os.path.realpath, folders or [Path()])), live if live.named else None))


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("mcp", epilog=_EXAMPLES)(mcp)
