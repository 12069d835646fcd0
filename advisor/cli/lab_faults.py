"""`advisor lab fault`: let something go wrong with a member of a lab, and take it back."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from advisor.cli import lab_arguments as arguments
from advisor.cli.arguments import ListForm
from advisor.cli.terminal import write

fault = typer.Typer(
    help="Let something go wrong with a member, and take it back.",
    rich_markup_mode=None,
    no_args_is_help=True,
    epilog="Examples:\n\n\b\n  advisor lab faults\n  advisor lab fault wait apply slow-disk --member 2\n"
    "  advisor lab fault wait apply pause --member 2 --set stopped_ms=900 --for 30s\n"
    "  advisor lab fault wait list\n  advisor lab fault wait clear",
)


@fault.callback()
def _of_lab(context: typer.Context, name: arguments.Name) -> None:
    """Let something go wrong with a member of the lab NAME, and take it back."""
    context.obj = name


@fault.command("apply")
def apply(
    context: typer.Context,
    which: Annotated[str, typer.Argument(metavar="FAULT", help="One of `advisor lab faults`.")],
    member: arguments.MemberName = "1",
    strength: Annotated[list[str] | None, typer.Option("--set", help="How strong.", metavar="PARAMETER=VALUE")] = None,
    seconds: Annotated[str, typer.Option("--for", help="Wait so long, then clear it.", metavar="30s")] = "",
) -> None:
    """Apply a fault to one member; with --for, clear it after a while (Ctrl-C clears it too)."""
    from advisor.cli.lab_request import fault_strength, parse_seconds, stop_on_signals
    from advisor.cli.lab_text import applied_as_text
    from advisor.lab import faulting, state

    wait, wanted = parse_seconds(seconds) if seconds else 0.0, fault_strength(strength or [])
    stop_on_signals()
    cluster = state.read_lab(context.obj)
    made = faulting.apply(cluster, which, member, wanted)
    write(applied_as_text([made]), sys.stderr)
    if wait:
        faulting.clear_after(cluster, made, wait)
        write(f"{made.member}  {made.fault} is cleared\n", sys.stderr)


@fault.command("clear")
def clear(
    context: typer.Context,
    which: Annotated[str, typer.Argument(metavar="[FAULT]", help="Without it, all.")] = "",
    member: arguments.MemberName = "",
) -> None:
    """Take faults back: all, one, or those of a member."""
    from advisor.lab import faulting, state

    for one in faulting.clear(state.read_lab(context.obj), which, member):
        write(f"{one.member}  {one.fault} is cleared\n", sys.stderr)


@fault.command("list")
def list_applied(context: typer.Context, form: arguments.Form = ListForm.TEXT) -> None:
    """List the faults that are applied now."""
    from advisor.cli.lab_json import applied_as_json
    from advisor.cli.lab_text import applied_as_text
    from advisor.lab import faulting, state

    found = faulting.applied(state.read_lab(context.obj))
    write(applied_as_json(found) if form is ListForm.JSON else applied_as_text(found))
