"""`advisor explain`: what does this rule claim, or what is this option, and where is that known from?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.options import ColourOption, Root, RuleFolders, Server, Width, complete_rules
from advisor.cli.shared.terminal import Colour, page_for, write
from advisor.errors import UsageError

_EXAMPLES = """Examples:

\b
  advisor explain redo-small-for-pool
  advisor explain sync_binlog --server mariadb-11.8
  advisor explain sync_binlog /etc/mysql/my.cnf --server mysql-8.4.8"""

_WORD = "The id of a rule, as findings show it, or the name of an option."
_PATHS = "With an option: option files or dumps, to show what is in effect there."


def explain(
    word: Annotated[str, typer.Argument(metavar="RULE|OPTION", help=_WORD, autocompletion=complete_rules)],
    paths: Annotated[list[str] | None, typer.Argument(metavar="[PATH...]", help=_PATHS, show_default=False)] = None,
    server: Server = "",
    form: Annotated[ListFormat, typer.Option("--format", help="Output format.")] = ListFormat.TEXT,
    rules: RuleFolders = None,
    root: Root = "",
    color: ColourOption = Colour.AUTO,
    width: Width = 0,
) -> None:
    """Show what a rule claims and why; or the default of an option, its value in effect, and the rules that read it."""
    from advisor.check import load_rules
    from advisor.cli.explain.subject import subject_of
    from advisor.cli.shared.config_file import here

    known = load_rules([*here().rules, *map(str, rules or ())])
    subject = subject_of(word, known)
    page = page_for(sys.stdout, color, width)
    if not isinstance(subject, str):
        from advisor.report.rules import explanation

        if paths or server:
            raise UsageError(f"{subject.id} is a rule; paths and --server are for options")
        write(explanation.as_json(subject) if form is ListFormat.JSON else explanation.render(subject, page))
        return
    from advisor.cli.explain.option import explain_option
    from advisor.cli.shared.evidence_paths import read_paths, stated_releases
    from advisor.report.rules import option_page

    cluster = read_paths(paths, members=False, root=root) if paths else None
    told = explain_option(subject, cluster, stated_releases(server or here().server), known)
    write(option_page.as_json(told) if form is ListFormat.JSON else option_page.as_text(told, page))


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("explain", epilog=_EXAMPLES)(explain)
