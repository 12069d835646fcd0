"""Which arguments and options do several commands share?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.shared.terminal import Colour
from advisor.model.server import Topology

Server = Annotated[
    str,
    typer.Option(
        help="The server: mysql-8.0.36, mysql-8.0, mariadb-10.11.9, percona-8.0.36, pxc-8.0. "
        "Default: every release that accepts all options of the file.",
        metavar="SERVER",
    ),
]
RuleFolders = Annotated[
    list[Path] | None, typer.Option("--rules", help="A folder with your own rules (repeatable).", metavar="FOLDER")
]
Root = Annotated[
    str,
    typer.Option(
        help="A folder with a copy of a server's files; absolute paths are resolved inside it.", metavar="FOLDER"
    ),
]
TopologyOption = Annotated[
    Topology | None,
    typer.Option(help=f"How the servers replicate: {', '.join(Topology)}.", metavar="TOPOLOGY"),
]
ColourOption = Annotated[Colour, typer.Option("--color", help="auto: colour on terminals, unless NO_COLOR is set.")]
Width = Annotated[int, typer.Option(help="Width in columns; 0: the terminal's, or 80.", min=0, metavar="COLUMNS")]
