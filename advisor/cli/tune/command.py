"""`advisor tune`: find settings with which a cluster sustains more, validate them, and restore the cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from advisor.cli.shared import cluster_options, load_options
from advisor.cli.shared.duration import SecondsRange, seconds_parser
from advisor.cli.shared.formats import ListFormat
from advisor.cli.space import options as space_options
from advisor.cli.tune import live_options, subcommands
from advisor.cli.tune.options import (
    CommandLimit,
    Format,
    Host,
    ObjectiveOption,
    PasswordFile,
    Percentile,
    Prepare,
    Rate,
    Restore,
    maintenance_window,
    prior_runs_file,
    storage_address,
)
from advisor.model.tuning import Objective

tune = typer.Typer(
    help="Find settings that let a cluster sustain more load, and validate them.",
    rich_markup_mode=None,
    invoke_without_command=True,
    epilog="Examples:\n\n\b\n  advisor tune --lab group_replication --trials 30\n"
    "  advisor tune --cluster cluster.yaml --for 8h --lag-bound 500ms\n"
    "  advisor tune --lab galera --for 2h --objective latency --rate 400\n"
    "  advisor tune --lab galera --for 45m --pin innodb_flush_neighbors=0 --dry-run\n"
    "  advisor tune --cluster clone.yaml --for 8h --workload load.yaml \\\n"
    "      --restore 'ssh clone zfs-back-to snapshot'\n"
    "  advisor tune status --lab galera\n  advisor tune resume --lab galera\n"
    "  advisor tune rollback --cluster cluster.yaml\n  advisor tune apply --cluster cluster.yaml\n\n\b\n"
    "Settings that guarantee durability, consistency or correctness are protected:\n"
    "they change only with --allow. However a run ends, the settings are restored;\n"
    "after a power failure, `resume` or `rollback` restores them.\n\n\b\n"
    "Exit codes: 0 an improvement was validated, 1 no improvement, 2 wrong usage,\n"
    "4 a server or the load failed.",
)


@tune.callback()
def run(
    context: typer.Context,
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    for_: Annotated[
        float,
        typer.Option(
            "--for",
            help="How long to run in total, including validation.",
            metavar="8h",
            parser=seconds_parser("--for"),
            show_default=False,
        ),
    ] = 0.0,
    trials: Annotated[
        int,
        typer.Option(
            help="Number of search trials; validation comes after them.", min=0, metavar="N", show_default=False
        ),
    ] = 0,
    patience: Annotated[
        int,
        typer.Option(help="Stop after N search trials without a confirmed gain of 3 % (0: never).", min=0, metavar="N"),
    ] = 60,  # an hour or so of trials: a choice, not a measurement
    workload: load_options.Workload = "read_write",
    threads: load_options.ThreadCountOption = 16,
    option: load_options.WorkloadOptions = None,
    tables: load_options.Tables = 4,
    rows: load_options.Rows = 10_000,
    writers: load_options.Writers = "",
    seconds: Annotated[
        float,
        typer.Option(
            help="How long to measure each trial once it is steady (default 30s).",
            metavar="30s",
            parser=seconds_parser("--seconds"),
            show_default=False,
        ),
    ] = 30.0,
    warm_up: load_options.WarmUp = SecondsRange(10.0, 60.0),  # noqa: B008 – a named tuple
    lag_bound: Annotated[
        float,
        typer.Option(
            help="Lag limit: the largest 95th percentile of lag that any member may have (default 1s).",
            metavar="1s",
            parser=seconds_parser("--lag-bound"),
            show_default=False,
        ),
    ] = 1.0,
    spaces: space_options.Folders = None,
    pin: space_options.Pins = None,
    exclude: space_options.Excluded = None,
    allow: space_options.Allowed = None,
    host: Host = None,
    not_primary: Annotated[bool, typer.Option("--not-primary", help="Leave the source or primary unchanged.")] = False,
    objective: ObjectiveOption = Objective.SUSTAINED,
    rate: Rate = 0.0,
    percentile: Percentile = 95,
    prepare: Prepare = "",
    restore: Restore = "",
    command_limit: CommandLimit = 600.0,
    between: Annotated[
        str,
        typer.Option(
            help="Run only between these times of day (local time).", metavar="22:00-06:00", parser=maintenance_window
        ),
    ] = "",
    preflight: Annotated[
        bool,
        typer.Option(help="If time allows, first measure how much repeated runs differ, then run `why`."),
    ] = True,
    sampler: Annotated[
        str, typer.Option(help="How configurations are proposed: own, tpe, or gp (needs torch).", metavar="NAME")
    ] = "own",
    seed: Annotated[int, typer.Option(help="Random seed.", metavar="N")] = 0,
    experience: Annotated[
        str,
        typer.Option(
            help="Start from the best prior runs in this file, and append this run to it.",
            metavar="FILE",
            parser=prior_runs_file,
        ),
    ] = "",
    shorten: Annotated[
        bool, typer.Option(help="Find out which changes of the best configuration bring a gain; drop the rest.")
    ] = True,
    blocks: Annotated[
        int,
        typer.Option(
            help="Number of validation blocks: each runs every finalist and the baseline (0: none).", min=0, metavar="N"
        ),
    ] = 6,
    soak: Annotated[
        float,
        typer.Option(
            help="How long to soak-test the winner. A winner that fails is not recommended.",
            metavar="30m",
            parser=seconds_parser("--soak"),
            show_default=False,
        ),
    ] = 0.0,
    storage: Annotated[
        str,
        typer.Option(
            help="Keep the study in this database so that other clones can join. It must not be on a member of the "
            "cluster under test.",
            metavar="mysql://USER@HOST/DATABASE",
            parser=storage_address,
        ),
    ] = "",
    study: Annotated[str, typer.Option(help="Name of the shared study; generated if omitted.", metavar="NAME")] = "",
    password_file: PasswordFile = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done; change nothing.")] = False,
    live: live_options.Live = False,
    watch_for: live_options.WatchFor = 0.0,
    latency_bound: live_options.LatencyBound = 0.0,
    error_bound: live_options.ErrorBound = 0.0,
    memory_bound: live_options.MemoryBound = 0.9,
    give_up: live_options.GiveUp = None,
    keep: live_options.Keep = False,
    form: Format = ListFormat.TEXT,
) -> None:
    """Try configurations under load, validate the best against the baseline, and restore every setting."""
    if context.invoked_subcommand:
        return
    from advisor.cli.shared.writers import parse_writers
    from advisor.cli.tune.request import CLIENTS_AT_A_RATE, check_request, cluster_of
    from advisor.cli.tune.run import begin_or_plan
    from advisor.tune.request.request import Request

    live_options.refuse_mixed_options(context, live)
    members = cluster_of(cluster, lab)
    if live:
        from advisor.cli.tune.live import run as run_live
        from advisor.tune.live.limits import Watched
        from advisor.tune.live.request import DEFAULT_SECONDS, LiveRequest

        live_request = LiveRequest(
            cluster=str(Path(members.path).resolve()), for_seconds=for_ or DEFAULT_SECONDS, watch_seconds=watch_for,
            lag_bound_ms=1000 * lag_bound, latency_bound_ms=1000 * latency_bound, error_bound=error_bound,
            memory_bound=memory_bound, given_up=tuple(map(Watched, give_up or ())), excluded=tuple(exclude or ()),
            host=tuple(host or ()), folders=tuple(map(str, spaces or ())), not_primary=not_primary,
            only_watch=dry_run, keep=keep, seed=seed,
        )  # fmt: skip
        run_live(live_request, form)
        return
    if rate and not live_options.is_stated(context, "threads"):
        threads = CLIENTS_AT_A_RATE
    request = Request(
        cluster=str(Path(members.path).resolve()), workload=workload, threads=threads,
        writers=parse_writers(writers, members), tables=tables, rows_per_table=rows, options=dict(option or ()),
        seconds=seconds, warm_up_least=warm_up.least, warm_up_most=warm_up.most, lag_bound_ms=1000 * lag_bound,
        trials=trials, for_seconds=for_, patience=patience, between=between, preflight=preflight,
        pins=dict(pin or ()), excluded=tuple(exclude or ()), allowed=tuple(map(str, allow or ())),
        host=tuple(host or ()), folders=tuple(map(str, spaces or ())), not_primary=not_primary,
        sampler=sampler, seed=seed, experience=experience, shorten=shorten, blocks=blocks, soak_seconds=soak,
        storage=storage, study=study, password_file=str(password_file or ""), objective=objective.value,
        prepare_command=prepare, restore_command=restore, command_seconds=command_limit,
        rate_per_second=rate, latency_percentile=percentile,
    )  # fmt: skip
    check_request(request, members)
    begin_or_plan(request, dry_run, form)


@tune.command(
    "join",
    epilog="Example:\n\n\b\n"
    "  advisor tune --lab one --for 8h --storage mysql://u@db9/tune --study march\n"
    "  advisor tune join march --storage mysql://u@db9/tune --lab two\n\n\b\n"
    "The password is in --password-file, ADVISOR_PASSWORD or ~/.my.cnf, never in\n"
    "the address. One clone validates the winner; the others end with exit code 1.",
)
def join(
    study: Annotated[str, typer.Argument(help="Study name, as printed by the run that created it.")],
    storage: Annotated[
        str,
        typer.Option(
            help="The database that holds the study.",
            metavar="mysql://USER@HOST/DATABASE",
            show_default=False,
            parser=storage_address,
        ),
    ],
    cluster: cluster_options.ClusterOption = None,
    lab: cluster_options.Lab = "",
    password_file: PasswordFile = None,
    writers: load_options.Writers = "",
    spaces: space_options.Folders = None,
    prepare: Prepare = "",
    restore: Restore = "",
    command_limit: CommandLimit = 600.0,
    form: Format = ListFormat.TEXT,
) -> None:
    """Add another clone of the cluster to a study. More clones run more trials in the same time."""
    from advisor.cli.shared.writers import named_writers
    from advisor.cli.tune.request import cluster_of
    from advisor.cli.tune.run import begin
    from advisor.model.record import replace
    from advisor.tune.distributed.join import request_to_join

    members = cluster_of(cluster, lab)
    folders = [str(folder) for folder in spaces or ()]
    secret = str(password_file or "")
    joined = request_to_join(storage, study, secret, members, named_writers(writers, members), folders)
    begin(replace(joined, prepare_command=prepare, restore_command=restore, command_seconds=command_limit), form)


def add(app: typer.Typer) -> None:
    """Register the commands."""
    subcommands.add(tune)
    app.add_typer(tune, name="tune")
