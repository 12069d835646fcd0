"""`advisor completion`: what must a shell load to complete commands, options, releases and rules?

The completion is Typer's own. shtab and argcomplete read parsers of argparse, of which there is none here.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from advisor.cli.shared.options import COMPLETION_VARIABLE
from advisor.cli.shared.terminal import write

_EXAMPLES = """Examples:

\b
  eval "$(advisor completion bash)"          # in ~/.bashrc
  eval "$(advisor completion zsh)"           # in ~/.zshrc, below compinit
  advisor completion fish | source           # in ~/.config/fish/config.fish"""


class Shell(StrEnum):
    """The shells that can complete."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def completion(shell: Annotated[Shell, typer.Argument(help="Your shell.")]) -> None:
    """Print a script that lets your shell complete `advisor` commands."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # re-exported, not in __all__

    script = get_completion_script(prog_name="advisor", complete_var=COMPLETION_VARIABLE, shell=shell)
    write(script.strip() + "\n")


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("completion", epilog=_EXAMPLES)(completion)
