"""`advisor lab fault`: let something go wrong with a member of a lab, and take it back."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from advisor.cli.lab import options as arguments
from advisor.cli.shared.formats import ListFormat
from advisor.cli.shared.terminal import write

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
    from advisor.cli.lab.request import fault_strength
    from advisor.cli.lab.text import applied_as_text
    from advisor.cli.shared.duration import parse_seconds
    from advisor.cli.shared.signals import stop_on_signals
    from advisor.lab import state
    from advisor.lab.fault_injection import inject

    wait, wanted = parse_seconds(seconds, "--for") if seconds else 0.0, fault_strength(strength or [])
    stop_on_signals()
    cluster = state.read_lab(context.obj)
    made = inject.apply(cluster, which, member, wanted)
    write(applied_as_text([made]), sys.stderr)
    if wait:
        inject.clear_after(cluster, made, wait)
        write(f"{made.member}  {made.fault} is cleared\n", sys.stderr)


@fault.command("clear")
def clear(
    context: typer.Context,
    which: Annotated[str, typer.Argument(metavar="[FAULT]", help="Without it, all.")] = "",
    member: arguments.MemberName = "",
) -> None:
    """Take faults back: all, one, or those of a member."""
    from advisor.lab import state
    from advisor.lab.fault_injection import inject

    for one in inject.clear(state.read_lab(context.obj), which, member):
        write(f"{one.member}  {one.fault} is cleared\n", sys.stderr)


@fault.command("list")
def list_applied(context: typer.Context, form: arguments.Format = ListFormat.TEXT) -> None:
    """List the faults that are applied now."""
    from advisor.cli.lab.json_output import applied_as_json
    from advisor.cli.lab.text import applied_as_text
    from advisor.lab import state
    from advisor.lab.fault_injection import inject

    found = inject.applied(state.read_lab(context.obj))
    write(applied_as_json(found) if form is ListFormat.JSON else applied_as_text(found))
