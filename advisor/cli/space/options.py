"""Which options choose a search space, in `advisor space show` and `advisor tune` alike?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.shared.name_value import NameValue, name_value_parser
from advisor.errors import UsageError
from advisor.model.tuning import Guarantee


def _guarantee(text: str) -> Guarantee:
    """`relaxed-durability` → Guarantee.DURABILITY; UsageError for any other word."""
    known = {f"relaxed-{guarantee}": guarantee for guarantee in Guarantee}
    if text not in known:
        raise UsageError(f"--allow: unknown value {text!r}", hint=f"use {', '.join(known)}")
    return known[text]


Folders = Annotated[
    list[Path] | None,
    typer.Option(
        "--spaces", help="A folder with your own search spaces (repeatable).", metavar="FOLDER", resolve_path=True
    ),
]
Pins = Annotated[
    list[NameValue] | None,
    typer.Option(
        "--pin",
        help="Keep this knob at a value (repeatable).",
        metavar="NAME=VALUE",
        parser=name_value_parser("--pin", hint="--pin innodb_flush_neighbors=0"),
    ),
]
Excluded = Annotated[
    list[str] | None, typer.Option("--exclude", help="Never change this knob (repeatable).", metavar="NAME")
]
Allowed = Annotated[
    list[Guarantee] | None,
    typer.Option(
        "--allow",
        help="Relax a guarantee: relaxed-durability, relaxed-consistency or relaxed-correctness (repeatable).",
        metavar="GUARANTEE",
        parser=_guarantee,
    ),
]
Host = Annotated[
    list[str] | None,
    typer.Option(
        help="CPUs, memory and disk of a member (default: those of this machine).",
        metavar="cpus=16,memory=64G,disk=1T,connections=200",
    ),
]
