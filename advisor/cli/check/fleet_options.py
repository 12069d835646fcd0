"""Which options of `advisor check` are about a fleet, and do they fit the others?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from advisor.cli.check.output import CheckFormat, FailOn, Presentation
from advisor.cli.shared.duration import parse_seconds
from advisor.errors import UsageError
from advisor.model.record import record

if TYPE_CHECKING:
    from advisor.cli.check.run import CheckRequest

_INVENTORY = (
    "Servers to check as a fleet: YAML of clusters, an Ansible inventory, Prometheus targets, or Kubernetes resources."
)
Fleet = Annotated[
    bool,
    typer.Option("--fleet", help="Write one report on many servers, by cluster and rule (implied by --format html)."),
]
Inventory = Annotated[Path | None, typer.Option(help=_INVENTORY, metavar="FILE")]
Since = Annotated[
    Path | None, typer.Option(help="Show what changed since this earlier JSON report on the fleet.", metavar="REPORT")
]
Jobs = Annotated[int, typer.Option(help="Number of processes that judge a fleet (0: one for each CPU).", min=0)]
Connections = Annotated[int, typer.Option(help="How many servers of a fleet are read at once.", min=1)]
Timeout = Annotated[str, typer.Option(help="Longest time to read one server of a fleet.", metavar="20s")]


@record
class FleetOptions:
    """The options as given."""

    fleet: bool = False
    inventory: Path | None = None
    since: Path | None = None
    jobs: int = 0
    connections: int = 32
    timeout: str = "20s"
    password_file: Path | None = None

    def meant(self, form: CheckFormat) -> bool:
        """Whether the report is to be on a fleet."""
        return bool(self.fleet or self.inventory or self.since or form is CheckFormat.HTML)


def check_fleet(
    request: CheckRequest, options: FleetOptions, presentation: Presentation, fail_on: FailOn | None, strict: bool
) -> int:
    """Judge the fleet and write the report; the exit code."""
    from advisor.cli.check import fleet
    from advisor.fleet.live_servers import LiveLimits

    seconds = parse_seconds(options.timeout, "--timeout")
    if seconds <= 0:
        raise UsageError("--timeout must be above 0", hint="e.g. --timeout 20s")
    limits = LiveLimits(options.connections, seconds)
    wanted = fleet.FleetRequest(request, options.inventory, options.since, options.jobs, limits, options.password_file)
    report = fleet.judge_fleet(wanted)
    fleet.write_fleet_report(report, presentation)
    return fleet.exit_code_of_fleet(report, fail_on or FailOn.WARNING, strict=strict)


def refuse_with_fleet(others: Mapping[str, bool]) -> None:
    """UsageError for the first option that is not available for a fleet."""
    for name, given in others.items():
        if given:
            hint = "check the server or cluster on its own"
            raise UsageError(f"{name} cannot be used for a fleet", hint=hint)
