"""What the command line of `advisor tune` asks for; what cannot be done is refused before a server is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

import advisor.cli.tune.run as tuning
from advisor.cli.shared.formats import ListFormat
from advisor.cluster_file import write_cluster
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.server import Role, Topology
from advisor.tune.request.request import AUTO, Request, as_data, from_data
from tests.cli.runs import Runner


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """What would be run, on the cluster of a source and its replica that cluster.yaml describes."""
    members = (
        ClusterMember("m1", Role.SOURCE, "127.0.0.1", 3306),
        ClusterMember("m2", Role.REPLICA, "127.0.0.1", 3307),
    )
    write_cluster(ClusterFile("cluster.yaml", "shop", Topology.ASYNC_MYSQL, "mysql-9.7.4", "root", "", members))
    asked: list[Request] = []

    def keep(request: Request, dry_run: bool, form: ListFormat) -> None:
        asked.append(request)

    monkeypatch.setattr(tuning, "begin_or_plan", keep)
    return asked


TUNE = ("tune", "--cluster", "cluster.yaml", "--workload", "update_index")


def test_what_is_left_out_has_the_defaults_of_the_manual(run: Runner, requests: list[Request]) -> None:
    assert run(*TUNE, "--trials", "20").code == 0
    (request,) = requests
    assert (request.cluster, request.writers) == (str(Path("cluster.yaml").resolve()), ("m1",))
    assert (request.seconds, request.lag_bound_ms, request.blocks, request.threads) == (30.0, 1000.0, 6, 16)
    assert (request.warm_up_least, request.warm_up_most, request.patience) == (10.0, 60.0, 60)
    assert (request.for_seconds, request.soak_seconds, request.shorten, request.preflight) == (0.0, 0.0, True, True)


def test_a_latency_is_tuned_at_a_rate_with_clients_enough(run: Runner, requests: list[Request]) -> None:
    latency = ("--trials", "20", "--objective", "latency", "--rate", "200")
    assert run(*TUNE, *latency).code == run(*TUNE, *latency, "--percentile", "99", "--threads", "8").code == 0
    first, second = requests
    assert (first.objective, first.rate_per_second, first.latency_percentile, first.threads) == (
        "latency",
        200.0,
        95,
        64,
    )
    assert (second.latency_percentile, second.threads) == (99, 8)


def test_the_users_own_commands_reach_the_request(run: Runner, requests: list[Request]) -> None:
    commands = ("--prepare", "sh warm.sh", "--restore", "sh back.sh 'a b'", "--command-limit", "90s")
    assert run(*TUNE, "--trials", "20", *commands).code == 0
    (request,) = requests
    assert (request.prepare_command, request.restore_command) == ("sh warm.sh", "sh back.sh 'a b'")
    assert request.command_seconds == 90.0
    assert from_data(as_data(request), "x") == request


def test_every_option_reaches_the_request_that_is_kept_with_the_study(run: Runner, requests: list[Request]) -> None:
    options = (
        "--for 8h --soak 30m --patience 0 --blocks 4 --seconds 20s --warm-up 5s:20s --lag-bound 500ms --threads auto "
        "--writers all --tables 2 --rows 500 --pin innodb_flush_neighbors=0 --pin sync_binlog=0 --exclude io_threads "
        "--allow relaxed-durability --host cpus=8,memory=64G --spaces . --between 22:00-06:00 --not-primary "
        "--sampler tpe --seed 7 --no-shorten --no-preflight --experience runs.jsonl "
        "--storage mysql://u@db9/tune --study march --password-file secret"
    )
    assert run(*TUNE, *options.split()).code == 0
    (request,) = requests
    assert from_data(as_data(request), "") == request
    here = str(Path().resolve())
    assert request == Request(
        f"{here}/cluster.yaml", "update_index", AUTO, ("m1", "m2"), tables=2, rows_per_table=500, seconds=20.0,
        warm_up_least=5.0, warm_up_most=20.0, lag_bound_ms=500.0, for_seconds=28800.0, soak_seconds=1800.0,
        pins={"innodb_flush_neighbors": "0", "sync_binlog": "0"}, excluded=("io_threads",), allowed=("durability",),
        host=("cpus=8,memory=64G",), folders=(here,), between="22:00-06:00", not_primary=True, sampler="tpe", seed=7,
        blocks=4, experience=f"{here}/runs.jsonl", preflight=False, storage="mysql://u@db9:3306/tune", study="march",
        password_file=f"{here}/secret",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        ("", "give --for (e.g. 8h) or --trials (e.g. 40)"),
        ("--trials 3", "--trials 3: at least 4 are needed"),
        ("--for soon", "--for soon: not a length of time"),
        ("--for 5m", "--for is too short for 4 trials"),
        ("--trials 20 --lag-bound 0s", "--lag-bound must be above 0"),
        ("--trials 20 --sampler magic", "unknown sampler 'magic'"),
        ("--trials 20 --seconds 5s", "--seconds must be at least 10s"),
        ("--trials 20 --warm-up 20s:10s", "--warm-up 20s:10s: the first value must not exceed the second"),
        ("--trials 20 --between 22-6", "--between '22-6' is not a time window"),
        ("--trials 20 --soak 1s", "--soak must be at least as long as --seconds"),
        ("--trials 20 --soak 10m --blocks 0", "--soak needs validation"),
        ("--for 2h --soak 90m", "--soak must not exceed half of --for"),
        ("--trials 20 --study march", "--study needs --storage"),
        ("--trials 20 --storage mysql://u:p@h/d", "--storage holds a password"),
        ("--trials 20 --pin innodb_io_capacity", "--pin 'innodb_io_capacity' is not NAME=VALUE"),
        ("--trials 20 --allow durability", "--allow: unknown value 'durability'"),
        ("--trials 20 --writers m9", "--writers: 'm9' is not a member"),
        ("--trials 20 --experience /nowhere/runs.jsonl", "--experience /nowhere/runs.jsonl: cannot be written"),
        ("--trials 20 --threads 0", "--threads '0': must be auto or a whole number of at least 1"),
        ("--trials 20 --threads 1.5", "--threads '1.5': must be auto or a whole number of at least 1"),
        ("--trials 20 --lab x", "name one running cluster"),
        ("--trials 20 --objective latency", "--objective latency needs --rate"),
        ("--trials 20 --rate 200", "--rate needs --objective latency"),
        ("--trials 20 --objective latency --rate 200 --threads auto", "--threads auto finds the number of clients"),
        ("--trials 20 --objective latency --rate 200 --percentile 50", "--percentile 50: must be 95 or 99"),
    ],
)
def test_what_cannot_be_done_is_refused_under_the_name_of_the_option(
    run: Runner, requests: list[Request], options: str, refusal: str
) -> None:
    done = run(*TUNE, *options.split())
    assert done.code == 2
    assert refusal in done.err
    assert requests == []


@pytest.mark.parametrize("command", ["", "join", "resume", "status", "stop", "rollback", "apply", "report"])
def test_help_fits_a_terminal_and_has_an_example(run: Runner, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = run("tune", *filter(None, [command]), "--help")
    assert f"  advisor tune {command}".rstrip() in done.out
    assert [line for line in done.out.splitlines() if len(line) > 80] == []
