"""Which options do the commands of `advisor tune` share, and how are the values of the others parsed?"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.shared.duration import seconds_parser
from advisor.cli.shared.formats import ListFormat
from advisor.errors import UsageError
from advisor.model.tuning import Objective

PasswordFile = Annotated[
    Path | None,
    typer.Option(
        help="File that holds the password for the storage database: an option file with a [client] group, "
        "or one line with only the password.",
        metavar="FILE",
        resolve_path=True,
    ),
]
Format = Annotated[ListFormat, typer.Option("--format", help="text, or json with every trial.")]

Prepare = Annotated[
    str,
    typer.Option(
        "--prepare",
        help="Run this command before every measured run, when the servers are up with the settings of the "
        "run. Example: load data, or warm caches.",
        metavar="COMMAND",
        show_default=False,
    ),
]
Restore = Annotated[
    str,
    typer.Option(
        "--restore",
        help="Run this command before every measured run, before its settings are applied, and once more at the end. "
        "Example: restore the data from a snapshot. The command may stop and start the servers.",
        metavar="COMMAND",
        show_default=False,
    ),
]
CommandLimit = Annotated[
    float,
    typer.Option(
        "--command-limit",
        help="How long --prepare and --restore may each take (default 10m).",
        metavar="10m",
        parser=seconds_parser("--command-limit"),
        show_default=False,
    ),
]

ObjectiveOption = Annotated[
    Objective,
    typer.Option(
        "--objective",
        help="What to improve: the sustained rate under load, the rate at which replicas apply a backlog "
        "(the source stays unchanged), or the commit latency at --rate.",
    ),
]
Rate = Annotated[
    float,
    typer.Option(
        "--rate",
        help="With --objective latency: offer this many transactions per second.",
        metavar="N",
        min=0.0,
        show_default=False,
    ),
]
Percentile = Annotated[
    int,
    typer.Option(
        "--percentile", help="With --objective latency: which percentile to lower, 95 or 99.", metavar="95|99"
    ),
]

Host = Annotated[
    list[str] | None,
    typer.Option(
        help="CPUs, memory and disk of the members (default: those of this machine); "
        "with a name in front, of that member only (repeatable).",
        metavar="[NAME:]cpus=16,memory=64G,disk=1T,connections=200",
    ),
]


def maintenance_window(text: str) -> str:
    """The maintenance window as written; UsageError when it is not one."""
    from advisor.tune.request.maintenance_window import MaintenanceWindow

    MaintenanceWindow(text)
    return text


def storage_address(text: str) -> str:
    """The whole address of a storage, "" where there is none; UsageError for one that cannot be."""
    from advisor.tune.state.database import parse_storage, url_of

    return url_of(parse_storage(text)) if text else ""


def prior_runs_file(text: str) -> str:
    """The absolute path of a file that is written to hours from now; UsageError if it cannot be."""
    path = Path(text).resolve() if text else None
    if path and not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"--experience {text}: cannot be written")
    return str(path or "")
