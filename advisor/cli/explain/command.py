"""`advisor explain`: what does this rule claim, why, and where do its figures come from?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from advisor.cli.shared.options import ColourOption, RuleFolders, Width, complete_rules
from advisor.cli.shared.terminal import Colour, page_for, write

_EXAMPLES = """Example:

\b
  advisor explain redo-too-small"""

_RULE = "A rule's id, as shown in findings."


def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help=_RULE, autocompletion=complete_rules)],
    rules: RuleFolders = None,
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Show what a rule claims, the reason for it, and its sources."""
    from advisor.check import load_rules
    from advisor.cli.shared.config_file import here
    from advisor.cli.shared.rule_selection import find
    from advisor.report.rules.explanation import render

    found = find(load_rules([*here().rules, *map(str, rules or ())]), rule)
    write(render(found, page_for(sys.stdout, color, width)))


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("explain", epilog=_EXAMPLES)(explain)
