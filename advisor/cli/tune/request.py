"""What does the command line of `advisor tune` ask for?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from advisor.bench.load.workloads import check_load
from advisor.bench.open_cluster import default_writers
from advisor.cli.shared.duration import parse_seconds
from advisor.cli.space.request import relaxed_guarantees
from advisor.cluster_file import read_cluster
from advisor.errors import UsageError
from advisor.lab.state import read_lab
from advisor.model.lab import ClusterFile
from advisor.model.record import record, replace
from advisor.tune.request.maintenance_window import MaintenanceWindow
from advisor.tune.request.request import AUTO, Request, bench_plan
from advisor.tune.request.time_budget import LEAST_SEARCH
from advisor.tune.search.samplers import proposer
from advisor.tune.state.database import parse_storage, url_of

FEWEST_TRIALS: Final = 4  # the running configuration, one more, and both again


@record
class Words:
    """The command line as it was written, by the names of its options; "" and 0 where nothing was."""

    cluster: Path | None
    lab: str
    workload: str
    threads: str
    for_: str
    trials: int
    patience: int
    seconds: str
    lag_bound: str
    warm_up: str
    writers: str
    tables: int
    rows: int
    options: list[str] | None
    folders: list[str] | None
    pin: list[str] | None
    exclude: list[str] | None
    allow: list[str] | None
    host: list[str] | None
    between: str
    not_primary: bool
    sampler: str
    seed: int
    blocks: int
    shorten: bool
    experience: str
    preflight: bool
    storage: str
    study: str
    password_file: Path | None
    soak: str


def words_of(given: Mapping[str, Any]) -> Words:
    """What is ours of everything that was given."""
    return Words(**{name: given[name] for name in Words.__annotations__})


def cluster_of(cluster: Path | None, lab: str) -> ClusterFile:
    """The cluster that was named; UsageError when none or two were."""
    if bool(cluster) + bool(lab) != 1:
        raise UsageError("name one running cluster: --cluster or --lab")
    return read_cluster(cluster) if cluster else read_lab(lab)


def build_request(words: Words) -> Request:
    """The request; UsageError for what cannot be."""
    cluster = cluster_of(words.cluster, words.lab)
    if not words.for_ and not words.trials:
        raise UsageError("how long? --for 8h, or --trials 40")
    if words.trials and words.trials < FEWEST_TRIALS:
        raise UsageError(f"--trials {words.trials}: {FEWEST_TRIALS} at least")
    MaintenanceWindow(words.between)
    request = _request(words, cluster)
    proposer(request.sampler)
    if request.seconds < 10 or request.warm_up_most < request.warm_up_least:
        raise UsageError("these times do not go together", hint="--seconds from 10s, --warm-up LEAST:MOST")
    if not request.lag_bound_ms:
        raise UsageError(f"--lag-bound {words.lag_bound}: above 0", hint="a member is always a moment behind")
    least = FEWEST_TRIALS * (request.warm_up_least + request.seconds) / LEAST_SEARCH
    if request.for_seconds and request.for_seconds < least:
        hint = f"{least / 60:.0f} min at least with these --seconds and --warm-up"
        raise UsageError(f"--for {words.for_}: too little time for {FEWEST_TRIALS} trials", hint=hint)
    if request.soak_seconds and (request.soak_seconds < request.seconds or not request.blocks):
        raise UsageError(f"--soak {words.soak}: longer than a trial, and after a proof", hint="--blocks 6")
    if request.for_seconds and request.soak_seconds > request.for_seconds / 2:
        raise UsageError(
            f"--soak {words.soak}: half of --for {words.for_} at most, or little time is left to find anything"
        )
    load = bench_plan(request).load
    some = replace(load, threads=load.threads or len(load.writers))
    check_load(some, tuple(member.name for member in cluster.members))
    return request


def _request(words: Words, cluster: ClusterFile) -> Request:
    least, _, most = words.warm_up.partition(":")
    return Request(
        cluster=str(Path(cluster.path).resolve()),
        workload=words.workload,
        threads=_threads(words.threads),
        writers=_writers(words.writers, cluster),
        tables=words.tables,
        rows_per_table=words.rows,
        options=dict(_pair(text, "--option") for text in words.options or ()),
        seconds=parse_seconds(words.seconds, "--seconds"),
        warm_up_least=parse_seconds(least, "--warm-up"),
        warm_up_most=parse_seconds(most or least, "--warm-up"),
        lag_bound_ms=1000 * parse_seconds(words.lag_bound, "--lag-bound"),
        trials=words.trials,
        patience=words.patience,
        for_seconds=parse_seconds(words.for_, "--for") if words.for_ else 0.0,
        pins=dict(_pair(text, "--pin") for text in words.pin or ()),
        excluded=tuple(words.exclude or ()),
        allowed=tuple(map(str, relaxed_guarantees(words.allow or ()))),
        host=tuple(words.host or ()),
        folders=tuple(str(Path(folder).resolve()) for folder in words.folders or ()),
        between=words.between,
        not_primary=words.not_primary,
        sampler=words.sampler,
        seed=words.seed,
        blocks=words.blocks,
        shorten=words.shorten,
        experience=_experience(words.experience),
        preflight=words.preflight,
        storage=_storage(words),
        study=words.study,
        password_file=str(words.password_file.resolve()) if words.password_file else "",
        soak_seconds=parse_seconds(words.soak, "--soak") if words.soak else 0.0,
    )


def _storage(words: Words) -> str:
    """The address, whole; "" where the study is this cluster's alone."""
    if not words.storage:
        if words.study:
            raise UsageError("--study names a study that is shared", hint="--storage says where it is kept")
        return ""
    return url_of(parse_storage(words.storage))


def _experience(text: str) -> str:
    """The whole path; it is written to when the search is over, hours from now."""
    path = Path(text).resolve() if text else None
    if path and not os.access(path if path.exists() else path.parent, os.W_OK):
        raise UsageError(f"--experience {text}: cannot be written")
    return str(path or "")


def _threads(text: str) -> int:
    if text == "auto":
        return AUTO
    if not text.isdecimal() or not int(text):
        raise UsageError(f"--threads {text}: a whole number from 1, or auto")
    return int(text)


def _writers(text: str, cluster: ClusterFile) -> tuple[str, ...]:
    names = tuple(member.name for member in cluster.members)
    found = names if text == "all" else tuple(filter(None, text.split(","))) or default_writers(cluster)
    if not found:
        raise UsageError("no member of this cluster takes writes", hint="name the writers with --writers")
    return found


def _pair(text: str, option: str) -> tuple[str, str]:
    name, found, value = text.partition("=")
    if not found or not name.strip() or not value.strip():
        raise UsageError(f"{option} {text}: write NAME=VALUE")
    return name.strip(), value.strip()
