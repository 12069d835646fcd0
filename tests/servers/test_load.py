"""Load on real servers: every workload commits, rates and weights hold, and a load always ends and says why."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import contextmanager

import pytest

from advisor.bench.load.dataset import prepare, remove
from advisor.bench.load.sysbench import start_load
from advisor.bench.load.workloads import workload_names
from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.errors import LabError, ServerError
from advisor.lab import processes, state
from advisor.lab.servers.binaries import find_sysbench
from advisor.model.measurement import Load
from advisor.model.record import replace
from advisor.model.server import Family
from tests.servers.conftest import MISSING, Up

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB
SMALL = Load("update_index", 4, ("m1",), tables=2, rows_per_table=1500)


@pytest.fixture(autouse=True)
def _sysbench():
    if find_sysbench() is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no sysbench (`advisor lab install sysbench`)")
        MISSING.add("load (`advisor lab install sysbench`)")
        pytest.skip("no sysbench")


def ask(cluster, member, *statements):
    """Run statements on a member; the first value of the last."""
    with connect(addresses(cluster)[member]) as session:
        session.run(*statements[:-1])
        return session.value(statements[-1])


@contextmanager
def loaded(cluster, load, reports=1):
    """A load that has reported so often for each writer: (what runs, its reports)."""
    seconds = []
    with start_load(load, cluster, prepare(cluster, load, print), seconds.append) as running:
        until = time.monotonic() + 20
        while len(seconds) < reports * len(load.writers) and time.monotonic() < until:
            running.check()
            time.sleep(0.02)
        yield running, seconds


def sysbenches(cluster):
    """The processes that put load on a lab by its socket files."""
    return processes.naming(f"--mysql-socket={state.LabState(cluster.name).folder}/")


def until(holds, seconds=10.0):
    """Whether something becomes true in time."""
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def commits(cluster):
    """COMMIT statements so far."""
    with connect(addresses(cluster)["m1"]) as session:
        return int(session.pairs("SHOW GLOBAL STATUS LIKE 'Com_commit'")["Com_commit"])


def checksum(cluster, member):
    """That of the rows of t2."""
    with connect(addresses(cluster)[member]) as session:
        return session.rows("CHECKSUM TABLE advisor_bench.t2")[0]["Checksum"]


@pytest.mark.parametrize("family", [MYSQL, MARIADB])
def test_every_workload_commits_and_leaves_no_process(up: Up, family):
    cluster = up("standalone", family, 1, durability="relaxed")
    password = addresses(cluster)["m1"].password
    for name in workload_names():
        with loaded(cluster, replace(SMALL, workload=name)) as (running, seconds):
            (pid,) = sysbenches(cluster)
            for what in ("cmdline", "environ"):
                with open(f"/proc/{pid}/{what}", "rb") as stream:
                    assert password.encode() not in stream.read()
            assert running.cpu_seconds() > 0
        assert seconds[0].transactions_per_second > 10, name
        assert seconds[0].errors_per_second < 5 or name == "conflict", "deadlocks of four threads are rare"
        latency = running.latency_ms()
        assert 0 < latency["p50"] <= latency["p95"] <= latency["p99"] <= latency["max"]
        assert latency["p95"] == pytest.approx(seconds[0].latency_ms, rel=0.02), "sysbench says the same"
        assert running.latency_ms(after_seconds=time.monotonic()) == {}
        assert sysbenches(cluster) == {}
    rows = ask(cluster, "m1", "SELECT COUNT(*) FROM advisor_bench.t1")
    assert rows == 1500, "workloads put back what they delete"


def test_a_password_no_option_file_could_hold_logs_in_over_tcp(up: Up, tmp_path):
    cluster = up("standalone", MYSQL, 1)
    plugin = ask(cluster, "m1", "SELECT plugin FROM mysql.user WHERE user = 'root' AND host = 'localhost'")
    assert plugin == "caching_sha2_password"
    password = "p#a b,c'd\"e%s\\ é"
    with connect(addresses(cluster)["m1"]) as session:
        for host in ("127.0.0.1", "localhost"):
            session.rows(f"CREATE USER `o'dd one`@`{host}` IDENTIFIED BY %s", password)
            session.run(f"GRANT ALL ON *.* TO `o'dd one`@`{host}`")
    (tmp_path / "client.cnf").write_text(f"[client]\npassword = {password}\n", encoding="utf-8")
    member = replace(cluster.members[0], socket="", host="localhost")
    far = replace(cluster, user="o'dd one", password_file=str(tmp_path / "client.cnf"), members=(member,))
    near = replace(far, members=cluster.members)
    assert ask(near, "m1", "SELECT CURRENT_USER()") == "o'dd one@localhost"
    seconds = []
    with start_load(SMALL, far, prepare(cluster, SMALL, print), seconds.append) as running:
        assert until(lambda: running.check() or seconds)
    assert seconds[0].transactions_per_second > 10


def fills_its_queue(cluster, load) -> bool:
    """Whether a load ends because more transactions wait than its generator can keep."""
    with start_load(load, cluster, prepare(cluster, load, print), print) as running:
        full = until(lambda: running.rate_infeasible, 40.0)
        running.check()  # a full queue is a result, not a failure
    return full


def test_a_rate_is_held_and_one_that_cannot_be_is_a_result(up: Up):
    cluster = up("standalone", MARIADB, 1, durability="relaxed")
    with loaded(cluster, replace(SMALL, rate_per_second=200.0), reports=4) as (running, seconds):
        mean = sum(second.transactions_per_second for second in seconds) / len(seconds)
        assert mean == pytest.approx(200, rel=0.14), "arrivals are random: 28 of 800 is one standard deviation"
        assert not running.rate_infeasible
    with loaded(cluster, replace(SMALL, threads=1, rate_per_second=20_000.0), reports=2) as (running, seconds):
        done = [second.transactions_per_second for second in seconds]
        assert seconds[1].queued == pytest.approx(20_000 * 2 - sum(done), rel=0.1)
        service_ms = 1000 * len(done) / sum(done)  # of the one client, which is always at work
        assert running.latency_ms()["p50"] > 20 * service_ms, "waiting counts"
    endless = replace(SMALL, threads=1, rate_per_second=400_000.0)
    # With more to do than CPUs sysbench was seen to start at this rate and then neither report nor queue anything.
    assert any(fills_its_queue(cluster, endless) for _ in range(3)), "100,000 that wait"


def test_a_transaction_has_as_many_rows_as_asked(up: Up):
    cluster = up("standalone", MYSQL, 1, durability="relaxed")
    load = replace(SMALL, workload="insert", settings={"rows_per_transaction": "7"})
    dataset = prepare(cluster, load, print)
    before = commits(cluster)
    seconds = []
    with start_load(load, cluster, dataset, seconds.append):
        assert until(lambda: seconds)
    assert until(lambda: ask(cluster, "m1", "SELECT COUNT(*) FROM information_schema.innodb_trx") == 0)
    count = " + ".join(f"(SELECT COUNT(*) FROM advisor_bench.inserted_t{number})" for number in (1, 2))
    rows = ask(cluster, "m1", f"SELECT {count}")
    assert rows == 7 * (commits(cluster) - before) > 0
    assert prepare(cluster, load, print).made_seconds == 0.0
    assert ask(cluster, "m1", f"SELECT {count}") == 0, "what grew is emptied"


def test_the_weights_of_a_mix_are_honoured(up: Up, tmp_path):
    cluster = up("standalone", MARIADB, 1, durability="relaxed")
    kinds = {"a": 6, "b": 3, "c": 1}
    lines = [
        f"  - name: {kind}\n    weight: {weight}\n    values: {{text: '{{string:4}}'}}\n    statements:\n"
        f"      - INSERT INTO log (kind, number, one, two) VALUES ('ä{kind}', {{int:5:7}}, {{text}}, {{text}})\n"
        "      - SELECT body FROM t{table} WHERE id = {id:x}\n".replace("{id:x}", "{id}")
        for kind, weight in kinds.items()
    ]
    table = "CREATE TABLE log (kind VARCHAR(9) CHARACTER SET utf8mb4, number INT, one CHAR(4), two CHAR(4))"
    (tmp_path / "log.yaml").write_text(
        f"format: 1\nprepare:\n  - {table}\ntransactions:\n{''.join(lines)}", encoding="utf-8"
    )
    with loaded(cluster, replace(SMALL, workload=str(tmp_path / "log.yaml")), reports=2):
        pass
    with connect(addresses(cluster)["m1"]) as session:
        rows = session.rows("SELECT kind, number, one, two FROM advisor_bench.log")
    assert all(row["one"] == row["two"] and len(str(row["one"])) == 4 for row in rows), "named: drawn once"
    assert {row["number"] for row in rows} == {5, 6, 7}
    seen = Counter(str(row["kind"])[1:] for row in rows)
    for kind, weight in kinds.items():
        share = weight / 10
        deviation = (len(rows) * share * (1 - share)) ** 0.5
        assert abs(seen[kind] - len(rows) * share) < 5 * deviation


def test_the_example_runs_in_our_schema_or_one_of_the_users(up: Up, checkout, tmp_path):
    cluster = up("standalone", MYSQL, 1, durability="relaxed")
    load = replace(SMALL, workload=str(checkout / "examples/shop.yaml"))
    with loaded(cluster, load) as (_, seconds):
        assert seconds[0].transactions_per_second > 10
    count = "SELECT COUNT(*) FROM advisor_bench.voucher"
    assert ask(cluster, "m1", count) > 0
    assert prepare(cluster, load, print).made_seconds == 0
    assert ask(cluster, "m1", count) == 0, "reset before every run"
    own = (checkout / "examples/shop.yaml").read_text(encoding="utf-8").replace("FROM t1", "FROM advisor_bench.t1")
    (tmp_path / "own.yaml").write_text(own.replace("format: 1", "format: 1\ndatabase: shop"), encoding="utf-8")
    own_load = replace(load, workload=str(tmp_path / "own.yaml"))
    with pytest.raises(ServerError, match="Unknown database 'shop'"):
        prepare(cluster, own_load, print)
    ask(cluster, "m1", "CREATE DATABASE shop", "SELECT 1")
    with loaded(cluster, own_load) as (_, seconds):
        assert seconds[0].transactions_per_second > 10
    assert ask(cluster, "m1", "SELECT COUNT(*) FROM shop.account") == 1500
    assert prepare(cluster, load, print).made_seconds == 0, "one does not undo the other"


def test_a_data_set_is_made_once_on_every_member_and_never_over_what_is_not_ours(up: Up):
    cluster = up("asynchronous", MARIADB, 2, durability="relaxed")
    ask(cluster, "m1", "CREATE DATABASE advisor_bench", "CREATE TABLE advisor_bench.mine (a INT)", "SELECT 1")
    with pytest.raises(LabError, match="was not created by advisor"):
        prepare(cluster, SMALL, print)
    with pytest.raises(LabError, match="was not created by advisor"):
        remove(cluster, "m1")
    ask(cluster, "m1", "DROP DATABASE advisor_bench", "SELECT 1")
    assert prepare(cluster, SMALL, print).made_seconds > 0
    assert prepare(cluster, SMALL, print).made_seconds == 0
    grown = replace(SMALL, rows_per_table=2001)
    assert prepare(cluster, grown, print).made_seconds > 0
    digest = checksum(cluster, "m1")
    assert checksum(cluster, "m2") == digest
    ask(cluster, "m1", "DELETE FROM advisor_bench.t2 WHERE id = 77", "SELECT 1")
    assert prepare(cluster, grown, print).made_seconds > 0, "it was no longer complete"
    assert checksum(cluster, "m1") == digest, "the same rows again"
    ask(cluster, "m2", "STOP SLAVE SQL_THREAD", "SELECT 1")
    with pytest.raises(LabError, match="m2 has not received the data set after 1 s"):
        prepare(cluster, SMALL, print, patience_seconds=1)
    remove(cluster, "m1")
    assert ask(cluster, "m1", "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name LIKE 'advisor%'") == 0


def test_conflicts_of_several_writers_are_counted_and_disjoint_ones_have_none(up: Up):
    cluster = up("galera", MARIADB, 2, durability="relaxed")
    both = replace(SMALL, threads=8, writers=("m1", "m2"))
    with loaded(cluster, replace(both, workload="conflict"), reports=2) as (_, seconds):
        assert {second.member for second in seconds} == {"m1", "m2"}
        assert sum(second.errors_per_second for second in seconds) > 0
    with loaded(cluster, both, reports=2) as (_, seconds):
        assert min(second.transactions_per_second for second in seconds) > 10
        assert sum(second.errors_per_second for second in seconds) < 10


def test_a_member_that_is_lost_or_refuses_is_told_and_what_was_seen_is_kept(up: Up):
    cluster = up("standalone", MYSQL, 1, durability="relaxed")
    dataset = prepare(cluster, SMALL, print)
    ask(cluster, "m1", "SET GLOBAL super_read_only = 1", "SELECT 1")
    with pytest.raises(ServerError, match="super-read-only") as caught:
        prepare(cluster, SMALL, print)
    assert caught.value.number == 1290
    with (
        start_load(SMALL, cluster, dataset, print) as running,
        pytest.raises(ServerError, match=r"load on m1 ended: .*1290"),
    ):
        until(running.check)
    ask(cluster, "m1", "SET GLOBAL read_only = 0", "SELECT 1")
    with loaded(cluster, SMALL) as (running, seconds):
        ask(cluster, "m1", "SET GLOBAL super_read_only = 1", "SELECT 1")
        with pytest.raises(ServerError, match=r"the load on m1 ended: .*1290") as caught:
            until(running.check)
        assert "failover" in caught.value.hint
    ask(cluster, "m1", "SET GLOBAL read_only = 0", "SELECT 1")
    with loaded(cluster, SMALL) as (running, seconds):
        processes.end(processes.using(state.LabState(cluster.name).folder))
        with pytest.raises(ServerError, match="the load on m1 ended: ") as caught:
            until(running.check)
        assert caught.value.number in (2006, 2013)
        assert seconds[0].transactions_per_second > 10
        assert running.latency_ms()["p50"] > 0
    assert sysbenches(cluster) == {}


@pytest.mark.parametrize("how", ["KILL", "TERM", "INT"])
def test_a_load_ends_with_whoever_started_it(up: Up, how):
    cluster = up("standalone", MARIADB, 1, durability="relaxed")
    program = f"""
import time
from advisor.bench.load.dataset import prepare
from advisor.bench.load.sysbench import start_load
from advisor.cluster_file import read_cluster
from advisor.model.measurement import Load
cluster = read_cluster({cluster.path!r})
load = Load("update_index", 2, ("m1",), tables=1, rows_per_table=100)
with start_load(load, cluster, prepare(cluster, load, lambda text: None), lambda second: None):
    print("up", flush=True)
    time.sleep(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert parent.stdout
    with parent.stdout:
        assert parent.stdout.readline() == b"up\n"
        assert len(sysbenches(cluster)) == 1
        parent.send_signal(signal.Signals[f"SIG{how}"])
        parent.wait(timeout=600)
    assert until(lambda: sysbenches(cluster) == {})
