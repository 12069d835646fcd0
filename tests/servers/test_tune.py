"""`advisor tune` on real clusters: whatever ends it, the settings are as they were; what is relied on never changes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses
from advisor.errors import AdvisorError
from advisor.lab import members as lab_members
from advisor.lab.fault_injection import inject
from advisor.lab.limits import disks
from advisor.model.lab import ClusterFile
from advisor.model.recommendation import Recommendation, TunedSetting
from advisor.model.server import Family, Topology
from advisor.model.tuning import Outcome, Task, Trial, TrialKind
from advisor.tune import session
from advisor.tune.request.request import as_data, bench_plan
from advisor.tune.search.optuna_ledger import open_ledger
from advisor.tune.space.member_values import running_settings
from advisor.tune.state import study_folder
from advisor.tune.state.journal import Journal, read_journal
from advisor.tune.trial.guards import DiskGuard
from advisor.tune.trial.restore import restore
from advisor.tune.trial.run_trial import ClusterTrials, State, TrialListener
from advisor.tune.trial.survey import survey
from tests.servers.conftest import Up
from tests.servers.killed_session import request, variables

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB
CHECKOUT = Path(__file__).resolve().parents[2]
STATES = [State.PLANNED, State.APPLYING, State.STARTED, State.WARMING, State.MEASURING, State.DRAINING, State.SCORED]


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Studies of clusters that are gone are nobody's."""
    import shutil

    from advisor.lab import folders

    before = set(_studies(folders.home()))
    yield
    for place in set(_studies(folders.home())) - before:
        shutil.rmtree(place)


def _studies(home: Path) -> list[Path]:
    return list((home / "tune").iterdir()) if (home / "tune").is_dir() else []


def advisor(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "advisor", "tune", *words], capture_output=True, text=True, check=False, timeout=280
    )


def option_files(cluster: ClusterFile) -> dict[str, bytes]:
    return {member.name: Path(member.option_file).read_bytes() for member in cluster.members}


def trials_of(cluster: ClusterFile) -> list[Trial]:
    study = study_folder.last_study(study_folder.folder_of(cluster))
    target = survey(cluster, request(cluster.path), print)
    running = running_settings(target.space, cluster.members, target.originals.values)
    return open_ledger(f"sqlite:///{study / 'study.db'}", study.name, target.space, running, 60_000.0).trials()


def test_after_a_kill_in_any_state_the_settings_are_the_original_ones_and_no_trial_is_lost_or_counted_twice(
    up: Up, tmp_path: Path
):
    cluster = up("asynchronous", MARIADB, 2, durability="relaxed")
    before, files, seen = variables(cluster.path), option_files(cluster), tmp_path / "variables.json"
    for number, state in enumerate(STATES):
        killed = subprocess.run(
            [sys.executable, "-m", "tests.servers.killed_session", cluster.path, state, str(seen)],
            capture_output=True, text=True, check=False, timeout=600, cwd=CHECKOUT,
        )  # fmt: skip
        assert killed.returncode == -signal.SIGKILL, (state, killed.stdout, killed.stderr)
        assert json.loads(seen.read_text(encoding="utf-8")) == before, f"resumed, to be killed when {state}"
        assert read_journal(study_folder.journal_path(study_folder.folder_of(cluster))).open
        if number % 2:
            continue  # the next run puts it back before it goes on
        done = advisor("rollback", "--cluster", cluster.path)
        assert done.returncode == 0, done.stderr
        assert variables(cluster.path) == before, state
        assert option_files(cluster) == files, state
    subprocess.run(
        [sys.executable, "-m", "tests.servers.killed_session", cluster.path, "", str(seen)],
        capture_output=True, text=True, check=True, timeout=600, cwd=CHECKOUT,
    )  # fmt: skip
    assert variables(cluster.path) == before
    assert option_files(cluster) == files
    all_counted_once(cluster)


def all_counted_once(cluster: ClusterFile) -> None:
    """The four trials that were asked for, none of the advised ones twice."""
    counted = [trial for trial in trials_of(cluster) if not trial.outcome.fault]
    assert len(counted) == 4
    advised = [trial.task.settings for trial in counted if trial.task.kind is TrialKind.SEED]
    assert advised, "what was interrupted"
    assert len(advised) == len({tuple(sorted(one.items())) for one in advised})


@pytest.mark.skipif(bool(disks.why_not()), reason="disks of their own are root's")
def test_a_disk_that_fills_in_mid_trial_ends_the_run_and_nothing_is_lost_when_it_has_room_again(up: Up):
    cluster = up("asynchronous", MARIADB, 2, durability="relaxed", disk_bytes=2 << 30)
    before, files = variables(cluster.path), option_files(cluster)
    asked = request(cluster.path, host=("memory=4G", "disk=600M"))
    with pytest.raises(AdvisorError, match=r"m2/data has .* free"):
        session.begin(asked, filling(cluster, "m2", "300"))
    assert variables(cluster.path) == before, "there is room enough to put it back"
    assert option_files(cluster) == files
    assert [one.fault for one in inject.clear(cluster)] == ["full_disk"]
    with pytest.raises(AdvisorError, match=r"m1/data has .* free"):
        session.resume(cluster, filling(cluster, "m1", "0"))
    assert read_journal(study_folder.journal_path(study_folder.folder_of(cluster))).open, "a start would have failed"
    assert option_files(cluster) == files
    assert [one.fault for one in inject.clear(cluster)] == ["full_disk"]
    resumed: list[dict[str, dict[str, str]]] = []
    listener = session.SessionListener(
        TrialListener(state=lambda state, task: resumed or resumed.append(variables(cluster.path)), tell=print)
    )
    assert not session.resume(cluster, listener).left
    assert [resumed[0], variables(cluster.path)] == [before, before]
    assert option_files(cluster) == files
    all_counted_once(cluster)


def filling(cluster: ClusterFile, member: str, free_megabytes: str) -> session.SessionListener:
    """Lets a member's disk run full while the first advised configuration is measured."""

    def heard(state: State, task: Task) -> None:
        if state is State.MEASURING and task.kind is not TrialKind.BASELINE and not inject.applied(cluster):
            inject.apply(cluster, "full_disk", member, {"free_megabytes": free_megabytes})

    return session.SessionListener(TrialListener(state=heard, tell=print))


def test_no_statement_and_no_option_file_of_a_run_changes_what_the_owner_relies_on(up: Up):
    """The servers' own general logs have every statement."""
    cluster = up("standalone", MARIADB, 1, durability="durable", settings=(
        ("general_log", "ON"), ("general_log_file", "every-statement.log"),
    ))  # fmt: skip
    before = variables(cluster.path)
    done = advisor(
        "--cluster", cluster.path, "--trials", "4", "--blocks", "0", "--workload", "update_index", "--threads", "1",
        "--tables", "1", "--rows", "200", "--seconds", "10s", "--warm-up", "1s", "--host", "memory=4G,disk=8G",
        "--format", "json",
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert len(told["trials"]) == 4
    assert told["chosen"] == "", "nothing was proved, so nothing is recommended"
    relied = set(told["relied"]["m1"])
    assert {"sync_binlog", "innodb_flush_log_at_trx_commit", "innodb_doublewrite"} <= relied
    member = cluster.members[0]
    log = Path(member.option_file).parent / "data/every-statement.log"
    logged = log.read_text(encoding="utf-8", errors="replace")
    changes = re.findall(r"SET\s+(?:GLOBAL|PERSIST)\s+(\w+)", logged, re.IGNORECASE)
    told_journal = [json.loads(line) for line in _journal(cluster)]
    written = {name for row in told_journal if row["event"] == "files" for name in row.get("values", {}).get("m1", {})}
    assert "max_connections" in changes, "the log has every statement"
    assert len({*changes, *written}) > 3, "something was changed, by statements or option files"
    assert not relied & {*map(str.lower, changes), *written}
    assert variables(cluster.path) == before


def _journal(cluster: ClusterFile) -> list[str]:
    return study_folder.journal_path(study_folder.folder_of(cluster)).read_text(encoding="utf-8").splitlines()


def environment(
    cluster: ClusterFile, listener: TrialListener, *guards: DiskGuard
) -> tuple[ClusterTrials, dict[str, str]]:
    asked = request(cluster.path)
    target = survey(cluster, asked, print)
    journal = Journal(study_folder.journal_path(study_folder.folder_of(cluster)))
    journal.begin(target.originals)
    running = running_settings(target.space, target.cluster.members, target.originals.values)
    return ClusterTrials(target, bench_plan(asked), journal, guards, listener), running


def run(env: ClusterTrials, settings: dict[str, str]) -> Outcome:
    return env.run(Task(TrialKind.SEARCH, settings), lambda windows: False)


def test_a_failover_and_a_killed_member_are_faults_and_the_next_trial_finds_the_group_as_it_was(up: Up):
    cluster = up("group_replication", MYSQL, 3, durability="relaxed")  # of two, the one that is left has no majority
    before, files = variables(cluster.path), option_files(cluster)
    disturb: list[str] = []
    env, running = environment(cluster, TrialListener(state=disturbing(cluster, disturb)))
    wanted = {**running, "innodb_io_capacity": "777"}
    disturb.append("failover")
    failed = run(env, wanted)
    assert failed.fault, failed
    assert not failed.infeasible
    disturb.append("kill")
    died = run(env, wanted)
    assert "m2" in died.fault, died
    good = run(env, wanted)
    assert good.windows, good
    assert restore(cluster, study_folder.journal_path(study_folder.folder_of(cluster)), print) == []
    assert variables(cluster.path) == before
    assert option_files(cluster) == files


def test_a_server_killed_while_its_option_file_is_ours_is_a_fault_and_everything_is_put_back(up: Up):
    cluster = up("asynchronous", MARIADB, 2, durability="relaxed")
    before, files = variables(cluster.path), option_files(cluster)
    disturb = ["kill"]
    env, running = environment(cluster, TrialListener(state=disturbing(cluster, disturb)))
    wanted = {**running, "innodb_io_capacity": "777", "innodb_log_buffer_size": str(32 << 20)}
    died = run(env, wanted)
    assert "m2" in died.fault, died
    assert not disturb
    assert option_files(cluster) == files, "before the next trial it starts as it was"
    good = run(env, wanted)
    assert good.windows, good
    assert good.restarted
    assert option_files(cluster) != files
    assert restore(cluster, study_folder.journal_path(study_folder.folder_of(cluster)), print) == []
    assert variables(cluster.path) == before
    assert option_files(cluster) == files


def disturbing(cluster: ClusterFile, what: list[str]) -> Callable[[State, Task], None]:
    """Does what is last in the list, once, while a trial is measured."""

    def heard(state: State, task: Task) -> None:
        if state is State.MEASURING and what:
            threading.Timer(0.5, _disturb, (cluster, what.pop())).start()

    return heard


def _disturb(cluster: ClusterFile, what: str) -> None:
    with connect(addresses(cluster)["m2"]) as session:
        if what == "kill":
            os.kill(int(Path(str(session.value("SELECT @@pid_file"))).read_text()), signal.SIGKILL)
        else:
            session.value("SELECT group_replication_set_as_primary(@@server_uuid)")


def test_a_configuration_the_server_refuses_or_dies_of_is_told_and_the_next_one_runs(up: Up):
    cluster = up("standalone", MYSQL, 1, durability="relaxed")
    before, files = variables(cluster.path), option_files(cluster)
    env, running = environment(cluster, TrialListener())
    does_not_start = run(env, {**running, "innodb_purge_threads": "2\nno_such_option = 1"})
    assert "no_such_option" in does_not_start.infeasible, does_not_start
    cut = run(env, {**running, "innodb_flush_neighbors": "7"})
    assert "innodb_flush_neighbors is 2, not 7" in cut.infeasible, "the server cuts it, with a warning only"
    refused = run(env, {**running, "innodb_log_writer_threads": "perhaps"})
    assert "innodb_log_writer_threads" in refused.infeasible.replace("-", "_"), "the server's own check says so"
    forbidden = run(env, {**running, "innodb_buffer_pool_size": str(1 << 40)})
    assert "memory_bytes" in forbidden.infeasible, "not even tried"
    assert run(env, running).windows
    full, _ = environment(cluster, TrialListener(), DiskGuard([str(Path(cluster.path).parent)], 1 << 60))
    with pytest.raises(AdvisorError, match=r"MiB free"):
        run(full, {**running, "innodb_purge_threads": "2"})
    assert restore(cluster, study_folder.journal_path(study_folder.folder_of(cluster)), print) == []
    assert variables(cluster.path) == before
    assert option_files(cluster) == files


def test_a_value_that_a_server_takes_only_when_it_starts_is_run_and_put_back_with_a_restart(up: Up):
    cluster = up("standalone", MARIADB, 1, durability="relaxed", settings=(("innodb_log_file_size", "8M"),))
    before, files = variables(cluster.path), option_files(cluster)
    env, running = environment(cluster, TrialListener())
    larger = run(env, {**running, "innodb_log_file_size": str(96 << 20)})
    assert larger.windows, larger
    assert not larger.restarted
    as_found = run(env, running)
    assert as_found.windows, as_found
    assert as_found.restarted, "SET GLOBAL refuses a log that is smaller than innodb_log_buffer_size"
    assert run(env, {**running, "innodb_log_file_size": str(96 << 20)}).windows
    assert restore(cluster, study_folder.journal_path(study_folder.folder_of(cluster)), print) == []
    assert variables(cluster.path) == before
    assert option_files(cluster) == files


def test_wrong_words_are_refused_before_anything_is_touched(up: Up):
    cluster = up("standalone", MARIADB, 1)
    for more, said in (
        ([], "give --for"),
        (["--trials", "8", "--pin", "nonsense=1"], "'nonsense' is not a knob"),
        (["--trials", "8", "--pin", "sync_binlog=0"], "--allow relaxed-durability"),
        (["--trials", "8", "--allow", "everything"], "unknown value 'everything'"),
        (["--trials", "8", "--between", "night"], "is not a time window"),
        (["--trials", "1"], "at least"),
        (["--for", "1m"], "--for is too short"),
        (["--trials", "8", "--workload", "nonsense"], "there is no workload"),
        (["resume"], "was never tuned"),
        (["apply"], "was never tuned"),
    ):
        words = [*more, "--cluster", cluster.path]
        done = advisor(*words)
        assert done.returncode == 2, (more, done.stderr)
        assert said in done.stderr
        assert "Traceback" not in done.stderr
    shown = advisor("--cluster", cluster.path, "--trials", "8", "--dry-run")
    assert shown.returncode == 0, shown.stderr
    assert "never changed: innodb_flush_log_at_trx_commit" in " ".join(shown.stdout.split())
    assert not _studies_of(cluster)


def _studies_of(cluster: ClusterFile) -> list[str]:
    return [place.name for place in study_folder.folder_of(cluster).iterdir() if place.is_dir()]


def test_what_was_proved_is_applied_to_stay_also_over_a_restart_and_rollback_takes_it_back(up: Up):
    cluster = up("asynchronous", MARIADB, 2)
    before, files = variables(cluster.path), option_files(cluster)
    study_folder.new_study(study_folder.folder_of(cluster), as_data(request(cluster.path)))
    session.apply(cluster, proved({"innodb_io_capacity": "777", "slave_parallel_threads": "3"}), print)
    lab_members.restart(cluster)
    after = variables(cluster.path)
    assert {found["innodb_io_capacity"] for found in after.values()} == {"777"}
    assert after["m2"]["slave_parallel_threads"] == "3"
    assert "advisor tune: applied" in Path(cluster.members[1].option_file).read_text(encoding="utf-8")
    assert advisor("apply", "--cluster", cluster.path).returncode == 2, "there is no report"
    done = advisor("rollback", "--cluster", cluster.path)
    assert done.returncode == 0, done.stderr
    assert variables(cluster.path) == before
    assert option_files(cluster) == files
    with pytest.raises(AdvisorError, match=r"innodb.flush.neighbors"):
        session.apply(cluster, proved({"innodb_flush_neighbors": "nonsense"}), print)
    assert variables(cluster.path) == before
    assert option_files(cluster) == files
    assert not read_journal(study_folder.journal_path(study_folder.folder_of(cluster))).open


def proved(values: dict[str, str]) -> Recommendation:
    changes = tuple(TunedSetting(name, (), (), value, "", (), "") for name, value in values.items())
    load = bench_plan(request("")).load
    return Recommendation(
        "lab", Topology.ASYNC_MARIADB, "", "", 0.0, load, 1000.0, "tuned", "", changes, contenders=(), trials=()
    )
