"""A study kept in a real PostgreSQL: shared by programs, one of them killed; its turns, clock and refusals."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy

from advisor.catalog import parse_release
from advisor.errors import AdvisorError, ServerError, UsageError
from advisor.model.lab import ClusterFile
from advisor.model.server import Topology
from advisor.tune.distributed import join as joining
from advisor.tune.distributed.turn_lock import hold_turn
from advisor.tune.search.optuna_ledger import open_ledger
from advisor.tune.space.resolve import load_space
from advisor.tune.state.database import Storage, connect, open_storage, storage_time
from tests.servers import postgresql
from tests.servers.conftest import no_server
from tests.servers.postgresql import Keeper
from tests.tune.conftest import MACHINE
from tests.tune.distributed.test_join import share_and_take_up
from tests.tune.sharing import STUDY, plan_for

CHECKOUT = Path(__file__).resolve().parents[2]
WORD = {"ADVISOR_PASSWORD": "of tuner"}
HOLDS = """
import sys, time
from advisor.tune.state.database import open_storage
from advisor.tune.distributed.turn_lock import hold_turn
with hold_turn(open_storage(sys.argv[1]), sys.argv[2]) as still:
    print(still(), flush=True)
    time.sleep(60)
"""


@pytest.fixture(scope="module")
def keeper() -> Iterator[Keeper]:
    programs = postgresql.find()
    if programs is None:
        no_server("studies kept in PostgreSQL (scripts/get_servers.py)")
    try:
        with postgresql.running(programs) as server:
            server.run(f"CREATE ROLE tuner LOGIN PASSWORD '{WORD['ADVISOR_PASSWORD']}'")
            yield server
    except PermissionError:
        no_server("studies kept in PostgreSQL (it does not run as root, and root cannot become `nobody` here)")


@pytest.fixture
def address(keeper: Keeper) -> str:
    """A database of its own, without tables."""
    keeper.run("DROP DATABASE IF EXISTS advisor WITH (FORCE)", "CREATE DATABASE advisor OWNER tuner")
    return f"postgresql://tuner@127.0.0.1:{keeper.port}/advisor"


@pytest.fixture
def storage(address: str) -> Iterator[Storage]:
    opened = open_storage(address, environment=WORD)
    yield opened
    opened.close()


def test_programs_share_the_trials_and_one_takes_up_what_a_killed_one_left(address: str):
    space = load_space("async_mysql", parse_release("mysql-9.7.4")[-1], MACHINE)
    share_and_take_up(plan_for(space), address, **WORD)


def test_only_one_at_a_time_has_the_turn_and_a_killed_one_holds_nobody_up(storage: Storage, monkeypatch):
    holds = subprocess.Popen(
        [sys.executable, "-c", HOLDS, storage.url, STUDY],
        stdout=subprocess.PIPE, text=True, cwd=CHECKOUT, env={**os.environ, **WORD},
    )  # fmt: skip
    assert holds.stdout is not None
    assert holds.stdout.readline() == "True\n"
    with monkeypatch.context() as patch:
        patch.setattr("advisor.tune.distributed.turn_lock.LOCK_SECONDS", 0.3)
        with pytest.raises(ServerError, match=r"another participant has held the lock for more than 0\.3 s"):
            hold_turn(storage, STUDY).__enter__()
    with hold_turn(storage, "another study") as still:
        assert still()
    holds.send_signal(signal.SIGKILL)
    with hold_turn(storage, STUDY) as still:
        assert still()
    holds.communicate()
    assert holds.returncode == -signal.SIGKILL


def test_who_lost_the_turn_is_told_and_leaves_in_peace(storage: Storage, keeper: Keeper, monkeypatch):
    ends = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE state = 'idle in transaction'"
    with hold_turn(storage, STUDY) as still:
        keeper.run(ends)
        assert not still()
    with hold_turn(storage, STUDY):
        keeper.run(ends)  # and nobody asks
    monkeypatch.setattr("advisor.tune.distributed.turn_lock._IDLE_SECONDS", 0.2)
    with hold_turn(storage, STUDY) as still:
        assert still()
        time.sleep(0.7)
        assert not still(), "its machine might be gone"


def test_the_time_is_the_servers_whatever_zone_it_is_in(storage: Storage, keeper: Keeper):
    keeper.run("ALTER ROLE tuner SET timezone = 'Asia/Tokyo'")
    with closing(open_storage(storage.url, environment=WORD)) as fresh:
        assert storage_time(fresh) == pytest.approx(time.time(), abs=5.0)


def test_a_socket_is_named_by_its_folder_or_its_file(address: str, keeper: Keeper):
    there, place = f"postgresql://tuner@localhost:{keeper.port}/advisor", str(keeper.folder)
    open_storage(f"{there}?socket={place}", environment=WORD).close()
    there = "postgresql://tuner@localhost/advisor"
    open_storage(f"{there}?socket={place}/.s.PGSQL.{keeper.port}", environment=WORD).close()


def refusal(address: str, environment: dict[str, str]) -> tuple[str, str]:
    with pytest.raises(ServerError) as told:
        open_storage(address, environment=environment)
    return told.value.message, told.value.hint


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_what_cannot_be_is_said_with_what_to_do(address: str, keeper: Keeper, tmp_path: Path):
    (tmp_path / ".my.cnf").write_text("[client]\npassword = of MySQL\n", encoding="utf-8")
    refusals = (
        (address, {"ADVISOR_PASSWORD": "secret"}, "password authentication failed", "PGPASSWORD or ~/.pgpass"),
        (address, {"HOME": str(tmp_path)}, "no password supplied", "PGPASSWORD or ~/.pgpass"),
        (f"{address}x", WORD, "does not exist", "CREATE DATABASE first"),
        (address.replace("/advisor", "/postgres"), WORD, "permission denied for schema public", "GRANT CREATE"),
    )
    for where, environment, said, hint in refusals:
        message, advice = refusal(where, environment)
        assert where in message
        assert said in message
        assert hint in advice
        assert not [word for word in ("secret", "of MySQL", "of tuner") if word in message]
    gc.collect()  # of a storage that could not be made Optuna leaves a connection; it warns here, not in another test


def test_looking_for_a_study_makes_nothing_and_an_unknown_one_is_said(address: str, monkeypatch):
    monkeypatch.setenv("ADVISOR_PASSWORD", WORD["ADVISOR_PASSWORD"])
    cluster = ClusterFile("clone.yaml", "clone", Topology.STANDALONE, "", "root", "", ())

    def join() -> AdvisorError:
        with pytest.raises(UsageError) as told:
            joining.request_to_join(address, "nosuch", "", cluster, (), ())
        return told.value

    assert "has no studies" in join().message
    with closing(connect(address)) as reached:
        assert sqlalchemy.inspect(reached.engine).get_table_names() == []
    plan = plan_for(load_space("async_mysql", parse_release("mysql-9.7.4")[-1], MACHINE))
    with closing(open_storage(address)) as storage:
        open_ledger(storage, STUDY, plan.space, plan.running, plan.lag_bound_ms)
    assert "has no study 'nosuch'" in join().message
