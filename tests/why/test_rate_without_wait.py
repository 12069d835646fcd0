"""The rate without a wait: other waits stay, CPU time queues, and nothing is made up."""

from __future__ import annotations

import pytest

from advisor.model.diagnosis import ClassShare, Threads
from advisor.why.explained_time import ExplainedTime
from advisor.why.rate_without_wait import rates_with_less_cpu, rates_without
from tests.why.profile.sampled import host, member, row, samples, view

WAITING, WORKING = row("updating", trx="lock wait", os="S"), row("updating", os="R")


def locks(share: float) -> ExplainedTime:
    return ExplainedTime(Threads.WRITERS, share, (ClassShare("row_lock", "", share),), share, ())


def rates(share: float, cpus: int = 8) -> tuple[float, float] | None:
    machine = host(cpus=cpus, cpu_util=1 / cpus, server_cpus=1.0, threads_running=1.0, threads_starved=0.0)
    counters = samples(10, Binlog_cache_use=10_000, Questions=10_000, Uptime=10)
    moment = [WAITING] * 9 + [WORKING]
    return rates_without(view(member([moment] * 20, host=machine, samples=counters)), locks(share))


def test_ten_clients_without_nine_tenths_of_their_time_fill_the_cpus() -> None:
    found = rates(0.9)
    assert found is not None
    low, high = found
    assert 1000 < low <= high
    assert high <= 2 * 8 * 1000, "8 CPUs, 1 ms each, and twice as fast on warm CPUs at most"


def test_the_cpus_are_the_next_limit() -> None:
    few, many = rates(0.9, 1), rates(0.9, 16)
    assert few is not None
    assert many is not None
    assert few[0] == pytest.approx(1000, rel=0.1), "its CPU is busy already"
    assert many[0] > 2 * few[0]


def test_a_wait_that_takes_hardly_any_time_predicts_nothing() -> None:
    assert rates(0.05) is None


def scanning(durable: bool, left: float) -> tuple[float, float, float]:
    """Four clients on two busy CPUs, 8 ms of CPU time a transaction, most of it in scans."""
    machine = host(cpus=2, cpu_util=1.0, server_cpus=2.0, threads_running=2.0, threads_starved=1.2)
    counters = samples(10, Binlog_cache_use=2500, Questions=2500, Uptime=10)
    moment = [row("executing", os="R")] * 16 + [row("waiting for handler commit", os="D")] * 2 + [row("")] * 2
    logs = host(innodb_flush_log_at_trx_commit=1 if durable else 2, sync_binlog=1 if durable else 0)
    of = view(member([moment[number::5] for number in range(5)] * 4, host=machine, samples=counters, variables=logs))
    scan = ExplainedTime(Threads.WRITERS, 0.8, (ClassShare("on_cpu", "", 0.8),), 0.8, ())
    rates = rates_with_less_cpu(of, scan, left)
    assert rates is not None
    return rates


def test_cpu_time_that_a_scan_takes_goes_with_it() -> None:
    low, mid, high = scanning(durable=False, left=0.05)
    assert 250 < low < mid < high
    assert mid > 5 * 250, "nineteen twentieths of the CPU time go"


def test_waits_for_durable_logs_stay() -> None:
    assert scanning(durable=True, left=0.05)[1] < scanning(durable=False, left=0.05)[1]
