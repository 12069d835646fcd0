"""What is a tuning run asked to do? Kept with the study, so that it resumes as it began."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from advisor.bench.run import RunPlan
from advisor.errors import InputError
from advisor.model.measurement import Load
from advisor.model.record import field, record
from advisor.model.tuning import Objective
from advisor.tune.request.lag_limit import abort_lag_ms

AUTO: Final = 0  # clients: their number is found under load before the study begins


@record
class Request:
    """Times in seconds. `trials` are those of the search; `for_seconds` 0: no limit. `between` as "22:00-06:00".

    `threads` are clients, `AUTO` until their number is found. `pins`, `excluded`, `allowed`, `host` and `folders`
    choose the search space as `advisor space show` does. `shorten`: find out which changes are needed. `blocks`: how
    often every finalist is measured next to the baseline, 0: not at all. `experience` is a file with the trials of
    earlier runs, "" for none. `preflight`: if time allows, measure how much repeated runs differ and ask `why` first.
    `objective`: an `Objective` by its value; a latency is the `latency_percentile` at `rate_per_second`.
    `soak_seconds`: how long the winner is soak-tested. `patience`: the search ends after so many trials in a row
    without a confirmed gain, 0: never. `storage` (its password is in `password_file` or the environment) is where the
    study named `study` is shared with other clones, "" for a file of this cluster; `joins`: another clone began it.
    `prepare_command` and `restore_command` are the user's own, "" for none; each may take `command_seconds`.
    """

    cluster: str
    workload: str
    threads: int
    writers: tuple[str, ...]
    tables: int = 4
    rows_per_table: int = 10_000
    options: Mapping[str, str] = field(default_factory=dict)
    rate_per_second: float = 0.0
    seconds: float = 30.0
    warm_up_least: float = 10.0
    warm_up_most: float = 60.0
    drain_most: float = 120.0
    lag_bound_ms: float = 1000.0
    trials: int = 0
    for_seconds: float = 0.0
    pins: Mapping[str, str] = field(default_factory=dict)
    excluded: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    between: str = ""
    not_primary: bool = False
    objective: str = Objective.SUSTAINED.value
    sampler: str = "own"
    seed: int = 0
    blocks: int = 6
    shorten: bool = False
    experience: str = ""
    preflight: bool = True
    soak_seconds: float = 0.0
    patience: int = 0
    storage: str = ""
    study: str = ""
    password_file: str = ""
    joins: bool = False
    prepare_command: str = ""
    restore_command: str = ""
    command_seconds: float = 600.0
    latency_percentile: int = 95


def bench_plan(request: Request) -> RunPlan:
    """How a trial is measured."""
    load = Load(
        workload=request.workload,
        threads=request.threads,
        rate_per_second=request.rate_per_second,
        writers=request.writers,
        tables=request.tables,
        rows_per_table=request.rows_per_table,
        settings=dict(request.options),
    )
    return RunPlan(
        load=load,
        seconds=request.seconds,
        lag_bound_ms=request.lag_bound_ms,
        warm_up_least=request.warm_up_least,
        warm_up_most=request.warm_up_most,
        drain_most=request.drain_most,
        abort_lag_ms=abort_lag_ms(request.lag_bound_ms),
    )


def as_data(request: Request) -> dict[str, Any]:
    """For JSON."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(request).items()}


def from_data(data: Mapping[str, Any], file: str) -> Request:
    """A request from its data; InputError when this release cannot read it."""
    if unknown := sorted(data.keys() - Request.__annotations__.keys()):
        raise InputError(f"not a request of this release: unknown keys {', '.join(unknown)}", file=file)
    known: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    try:
        return Request(**known)
    except TypeError:
        raise InputError(
            "not a request of this release: the cluster, workload, threads or writers are missing", file=file
        ) from None
