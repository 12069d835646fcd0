"""`advisor experiment`: clusters that differ in one thing, loaded in turn, against what is expected of them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.terminal import write

experiment = typer.Typer(
    help="Compare real clusters on this machine: the claims of the docs, tried.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="Examples:\n\n\b\n  advisor experiment list\n  advisor experiment run group-flow-control\n"
    "  advisor experiment run mariadb-catch-up --rounds 5 --format markdown\n  advisor experiment run mine.yaml\n\n\b\n"
    "Exit codes: 0 what is expected held, 1 something did not, 2 wrong usage,\n4 a server or the load failed.",
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="A shipped experiment, or a file of your own.")]


@experiment.command("list")
def list_experiments(
    form: Annotated[ListFormat, typer.Option("--format", help="How it is written.")] = ListFormat.TEXT,
) -> None:
    """List the shipped experiments."""
    from advisor.bench.experiment.definition import experiment_names, find_experiment
    from advisor.report.bench import experiment_text

    found = [find_experiment(name) for name in experiment_names()]
    write(experiment_text.list_as_json(found) if form is ListFormat.JSON else experiment_text.list_as_text(found))


@experiment.command("run")
def run(
    name: Name,
    rounds: Annotated[int, typer.Option(help="How often each cell runs; 0: as the experiment says.", min=0)] = 0,
    form: Annotated[str, typer.Option("--format", metavar="text|markdown|html|json", help="How to print.")] = "text",
) -> None:
    """Start the labs of an experiment, run its rounds in turn, print what came of it, take the labs down."""
    from advisor.bench.experiment.definition import find_experiment
    from advisor.cli.experiment.run import conduct, render
    from advisor.cli.shared.signals import stop_on_signals
    from advisor.errors import UsageError

    if form not in ("text", "markdown", "html", "json"):
        raise UsageError(f"--format {form!r} is none of text, markdown, html, json")
    stop_on_signals()
    chosen = find_experiment(name)
    result = conduct(chosen, rounds or chosen.rounds, lambda line: write(f"{line}\n", sys.stderr))
    write(render(chosen, result, form))
    failed = any(expectation.held is False for expectation in result.expectations)
    raise typer.Exit(ExitCode.EXPECTATION_FAILED if failed else ExitCode.OK)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(experiment, name="experiment")
