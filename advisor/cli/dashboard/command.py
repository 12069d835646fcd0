"""`advisor dashboard`: the last study in a browser, while it runs or afterwards."""

from __future__ import annotations

from typing import Annotated

import typer

from advisor.cli.shared import cluster_options
from advisor.errors import UsageError


def dashboard(
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    port: Annotated[int, typer.Option(help="Port to listen on, on this machine only.", min=1, max=65535)] = 8080,
) -> None:
    """Show the last study in optuna-dashboard until Ctrl-C."""
    from advisor.cli.tune.request import cluster_of
    from advisor.cli.tune.run import tell
    from advisor.tune.request.request import from_data
    from advisor.tune.state import study_folder
    from advisor.tune.state.database import open_storage

    study = study_folder.last_study(study_folder.folder_of(cluster_of(cluster, lab)))
    request = from_data(study_folder.request_of(study), str(study))
    storage = open_storage(request.storage or f"sqlite:///{study / 'study.db'}", request.password_file, make=False)
    try:
        from optuna_dashboard import run_server
    except ImportError:
        raise UsageError("optuna-dashboard is not installed", hint="pip install 'advisor[dashboard]'") from None
    tell(f"http://127.0.0.1:{port}/ until Ctrl-C")
    run_server(storage.backend, host="127.0.0.1", port=port)


def add(app: typer.Typer) -> None:
    """Register the command."""
    app.command("dashboard", epilog="Example:\n\n\b\n  advisor dashboard --lab group_replication")(dashboard)
