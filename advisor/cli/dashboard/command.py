"""`advisor dashboard`: the last study in a browser, while it runs or afterwards."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.shared import cluster_options


def dashboard(
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    port: Annotated[int, typer.Option(help="Where it listens, on this machine only.", min=1, max=65535)] = 8080,
) -> None:
    """Show the last study of a cluster with optuna-dashboard; Ctrl-C ends it."""
    from advisor.cli.tune.request import cluster_of
    from advisor.cli.tune.run import show_dashboard

    show_dashboard(cluster_of(cluster, lab), port)


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("dashboard", epilog="Examples:\n\n\b\n  advisor dashboard --lab group_replication")(dashboard)
