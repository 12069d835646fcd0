"""`advisor experiment`: do claims hold on real clusters that differ in only one respect and get the same load?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from advisor.cli.shared.exit_code import ExitCode
from advisor.cli.shared.formats import ListFormat, ReportFormat
from advisor.cli.shared.terminal import Colour, page_for, write

experiment = typer.Typer(
    help="Test claims on real clusters that differ in only one respect.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="Examples:\n\n\b\n  advisor experiment list\n  advisor experiment run group-flow-control\n"
    "  advisor experiment run mariadb-catch-up --rounds 5 --format markdown\n  advisor experiment run mine.yaml\n\n\b\n"
    "Exit codes: 0 every expectation was met, 1 at least one was not, 2 wrong\nusage, 4 a server or the load failed.",
)
Name = Annotated[str, typer.Argument(metavar="NAME", help="A shipped experiment, or your own as a .yaml file.")]


@experiment.command("list")
def list_experiments(
    form: Annotated[ListFormat, typer.Option("--format", help="text or json.")] = ListFormat.TEXT,
) -> None:
    """List the shipped experiments."""
    from advisor.bench.experiment.definition import experiment_names, find_experiment
    from advisor.report.bench import experiment_text

    experiments = [find_experiment(name) for name in experiment_names()]
    if form is ListFormat.JSON:
        write(experiment_text.list_as_json(experiments))
    else:
        write(experiment_text.list_as_text(experiments, page_for(sys.stdout, Colour.AUTO, 0)))


@experiment.command("run")
def run(
    name: Name,
    rounds: Annotated[
        int,
        typer.Option(help="Number of rounds; each runs every cell once (0: as many as the experiment defines).", min=0),
    ] = 0,
    form: Annotated[
        ReportFormat, typer.Option("--format", help="text; markdown; html: a page; json with every round.")
    ] = ReportFormat.TEXT,
) -> None:
    """Run an experiment in labs of its own, and print the result."""
    from advisor.bench.experiment.definition import find_experiment
    from advisor.cli.experiment.run import conduct, render
    from advisor.cli.shared.signals import stop_on_signals

    stop_on_signals()
    chosen = find_experiment(name)
    result = conduct(chosen, rounds or chosen.rounds, lambda line: write(f"{line}\n", sys.stderr))
    write(render(chosen, result, form))
    failed = any(expectation.held is False for expectation in result.expectations)
    raise typer.Exit(ExitCode.EXPECTATION_FAILED if failed else ExitCode.OK)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    app.add_typer(experiment, name="experiment")
