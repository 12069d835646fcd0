"""`advisor lab fault`: inject a fault into a member of a lab, and clear it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from advisor.cli.lab import options as arguments
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.terminal import write

_EXAMPLES = """Examples:

\b
  advisor lab faults
  advisor lab fault lab1 apply slow-disk --member 2
  advisor lab fault lab1 apply pause --member 2 --set stopped_ms=900 --for 30s
  advisor lab fault lab1 list
  advisor lab fault lab1 clear"""

fault = typer.Typer(
    help="Inject faults into a lab's members, and clear them.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog=_EXAMPLES,
)


@fault.callback()
def _of_lab(context: typer.Context, name: arguments.Name) -> None:
    """Inject faults into members of the lab NAME, and clear them."""
    context.obj = name


@fault.command("apply")
def apply(
    context: typer.Context,
    which: arguments.Fault,
    member: arguments.MemberName = "1",
    strength: arguments.Strength = None,
    seconds: arguments.FaultSeconds = 0.0,
) -> None:
    """Inject a fault into one member.

    With --for, wait that long, then clear the fault. Ctrl-C clears it, too.
    """
    from advisor.cli.lab.text import applied_as_text
    from advisor.cli.shared.signals import stop_on_signals
    from advisor.lab import state
    from advisor.lab.fault_injection import inject

    stop_on_signals()
    cluster = state.read_lab(context.obj)
    applied = inject.apply(cluster, which, member, dict(strength or ()))
    write(applied_as_text([applied]), sys.stderr)
    if seconds:
        inject.clear_after(cluster, applied, seconds)
        write(f"{applied.member}  {applied.fault} cleared\n", sys.stderr)


@fault.command("clear")
def clear(
    context: typer.Context,
    which: Annotated[str, typer.Argument(metavar="[FAULT]", help="Only this fault (default: all).")] = "",
    member: arguments.MemberName = "",
) -> None:
    """Clear all faults, one fault, or all faults of one member."""
    from advisor.lab import state
    from advisor.lab.fault_injection import inject

    for applied in inject.clear(state.read_lab(context.obj), which, member):
        write(f"{applied.member}  {applied.fault} cleared\n", sys.stderr)


@fault.command("list")
def list_applied(context: typer.Context, form: arguments.Format = ListFormat.TEXT) -> None:
    """List the faults in effect."""
    from advisor.cli.lab.json_output import applied_as_json
    from advisor.cli.lab.text import applied_as_text
    from advisor.lab import state
    from advisor.lab.fault_injection import inject

    applied = inject.applied(state.read_lab(context.obj))
    write(applied_as_json(applied) if form is ListFormat.JSON else applied_as_text(applied))
