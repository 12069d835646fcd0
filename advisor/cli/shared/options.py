"""Which arguments and options do several commands share?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from advisor.cli.shared.terminal import Colour
from advisor.errors import UsageError
from advisor.model.server import Role, Topology

COMPLETION_VARIABLE: Final = "_ADVISOR_COMPLETE"
"""Set by a shell that asks how a line could go on (`advisor completion`); Typer makes the name from `prog_name`."""


def complete_servers() -> list[str]:
    """Every series as --server takes it, for shells."""
    from advisor.catalog import all_releases

    return list(dict.fromkeys(f"{release.family}-{release.series}" for release in all_releases()))


def complete_rules() -> list[tuple[str, str]]:
    """The rules' ids and titles, for shells."""
    from advisor.check import load_rules

    return [(rule.id, rule.title) for rule in load_rules()]


Server = Annotated[
    str,
    typer.Option(
        help="The server: mysql-8.0.36, mysql-8.0, mariadb-10.11.9, percona-8.0.36, pxc-8.0. "
        "Default: every release that accepts all options of the file.",
        metavar="SERVER",
        autocompletion=complete_servers,
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

# What people type: the words of older manuals, of cloud consoles and of proxies.
_OTHER_WORDS: Final = {
    "slave": Role.REPLICA,
    "reader": Role.REPLICA,
    "standby": Role.REPLICA,
    "master": Role.SOURCE,
    "writer": Role.SOURCE,
    "member": Role.SECONDARY,
    "galera": Role.NODE,
    "single": Role.STANDALONE,
}


def parse_role(text: str | Role) -> Role:
    """The role; UsageError, with the word that was probably meant, when it is none."""
    word = str(text).strip().lower()
    if word in tuple(Role):
        return Role(word)
    from difflib import get_close_matches

    near = [_OTHER_WORDS[word]] if word in _OTHER_WORDS else get_close_matches(word, tuple(Role), n=1)
    hint = f"did you mean --role {near[0]}?" if near else f"one of {', '.join(Role)}"
    raise UsageError(f"--role {text}: not a role", hint=hint)


RoleOption = Annotated[
    Role | None,
    typer.Option(
        parser=parse_role,
        help=f"The server's role in its topology: {', '.join(Role)}.",
        metavar="ROLE",
        autocompletion=lambda: list(Role),
    ),
]
