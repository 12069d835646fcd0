"""Which commands are there? The application with the one that is meant, or with all of them.

Only the module of the command that is meant is imported: `check` does not pay for the others.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Annotated

import typer

from advisor import __version__
from advisor.cli.shared.options import COMPLETION_VARIABLE


def command_names() -> list[str]:
    """Every command, found by listing the folders with a `command.py`."""
    here = os.path.dirname(__file__)
    return sorted(name for name in os.listdir(here) if os.path.exists(os.path.join(here, name, "command.py")))


def build_app(words: list[str]) -> typer.Typer:
    """The application with the command the words begin with, or with all of them (help, a misspelt name)."""
    app = typer.Typer(
        name="advisor",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_advisor)
    if COMPLETION_VARIABLE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]  # re-exported, not in __all__

        completion_init()
    names = command_names()
    for name in words[:1] if words[:1] and words[0] in names else names:
        import_module(f"advisor.cli.{name}.command").add(app)
    return app


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"advisor {__version__}")
        raise typer.Exit


def _advisor(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Reads MySQL and MariaDB option files as the servers do; reports what limits write
    throughput or endangers data.

    Exit codes: 0 nothing found, 1 findings, 2 wrong usage or unreadable input, 3 a rule file is invalid,
    4 a server or lab failed.
    """
