"""Which options does `advisor tune --live` have, and which of those of other tuning runs can it not have?"""

from __future__ import annotations

from typing import Annotated, Final

import typer

from advisor.cli.shared.duration import seconds_parser
from advisor.errors import UsageError

# By their parameters: what they ask for is about trials under load, or about restarts.
_OF_TRIALS: Final = (
    "trials", "patience", "workload", "threads", "option", "tables", "rows", "writers", "seconds", "warm_up", "pin",
    "allow", "between", "preflight", "sampler", "experience", "shorten", "blocks", "soak", "storage", "study",
    "password_file", "objective", "rate", "percentile", "prepare", "restore", "command_limit",
)  # fmt: skip
_OF_LIVE: Final = ("watch_for", "latency_bound", "error_bound", "memory_bound", "give_up", "keep")


def parse_share(option: str, text: str | float) -> float:
    """0.05 or 5% as a share; UsageError for what is not between 0 and 1."""
    if isinstance(text, float | int):
        return float(text)
    plain, percent = text.strip().removesuffix("%"), text.strip().endswith("%")
    try:
        share = float(plain) / (100 if percent else 1)
    except ValueError:
        share = -1.0
    if not 0 < share <= 1:
        raise UsageError(f"{option} {text}: not a share between 0 and 1", hint=f"e.g. {option} 5%")
    return share


def parse_watched(text: str) -> str:
    """The name of a limit; UsageError for others."""
    from advisor.tune.live.limits import Watched

    if text not in tuple(Watched):
        raise UsageError(f"--give-up {text}: there is no such limit", hint=f"limits: {', '.join(Watched)}")
    return text


Live = Annotated[
    bool,
    typer.Option(
        "--live",
        help="Tune under your users' own traffic, without extra load or restarts. Only low-risk dynamic settings "
        "are tried, in short turns that alternate with the former values.",
    ),
]
WatchFor = Annotated[
    float,
    typer.Option(
        "--watch-for",
        help="With --live: how long to watch the traffic first (default: a quarter of --for, at most 1h).",
        metavar="1h",
        parser=seconds_parser("--watch-for"),
        show_default=False,
    ),
]
LatencyBound = Annotated[
    float,
    typer.Option(
        help="With --live: highest acceptable 95th percentile of commit latency "
        "(default: about twice the value seen before tuning starts).",
        metavar="50ms",
        parser=seconds_parser("--latency-bound"),
        show_default=False,
    ),
]
ErrorBound = Annotated[
    float,
    typer.Option(
        help="With --live: highest acceptable share of failed transactions "
        "(default: 1 percentage point above the share seen before tuning starts).",
        metavar="2%",
        parser=lambda text: parse_share("--error-bound", text),
        show_default=False,
    ),
]
MemoryBound = Annotated[
    float,
    typer.Option(
        help="With --live: highest acceptable share of a machine's memory in use (default: 90%).",
        metavar="90%",
        parser=lambda text: parse_share("--memory-bound", text),
        show_default=False,
    ),
]
GiveUp = Annotated[
    list[str] | None,
    typer.Option(
        help="With --live: continue without this limit (lag, latency, errors, memory) if it cannot be "
        "watched (repeatable).",
        metavar="LIMIT",
        parser=parse_watched,
    ),
]
Keep = Annotated[
    bool, typer.Option("--keep", help="With --live: when the run ends, keep the changes that proved to help.")
]


def is_stated(context: typer.Context, name: str) -> bool:
    """Whether an option is on the command line, by its parameter."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def refuse_mixed_options(context: typer.Context, live: bool) -> None:
    """UsageError for an option of trials with --live, or one of --live without it."""
    for name in _OF_TRIALS if live else _OF_LIVE:
        if is_stated(context, name):
            option = "--" + name.replace("_", "-")
            if live:
                raise UsageError(f"{option} cannot be combined with --live", hint="--live runs no trials and no load")
            raise UsageError(f"{option} needs --live")
