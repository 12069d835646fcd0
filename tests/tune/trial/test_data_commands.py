"""The user's own commands around a run: their ends, time limits, what they leave running, what the journal says."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from advisor.errors import MachineError
from advisor.lab.processes import identify
from advisor.model.lab import ClusterFile, ClusterMember
from advisor.model.server import Role, Topology
from advisor.tune.state.journal import Journal, JournalState, Originals, read_journal
from advisor.tune.trial.data_commands import PREPARE, RESTORE, end_left_running, environment_of, run_command

ENVIRONMENT = {**os.environ, "ADVISOR_TRIAL_KIND": "search", "SECRET": "hunter2"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of a run that has begun."""
    file = tmp_path / "journal.jsonl"
    Journal(file).begin(Originals("cluster.yaml", {}))
    return file


def run(path: Path, name: str, text: str, limit_seconds: float = 5.0) -> JournalState:
    run_command(name, text, limit_seconds, ENVIRONMENT, Journal(path))
    return read_journal(path)


def test_a_command_runs_in_a_shell_and_is_told_of_its_trial(path: Path, tmp_path: Path):
    run(path, PREPARE, f'echo "$ADVISOR_TRIAL_KIND" | tr a-z A-Z > {tmp_path}/told')
    assert (tmp_path / "told").read_text() == "SEARCH\n"


def test_a_failure_is_told_with_the_last_lines_that_say_why(path: Path):
    with pytest.raises(MachineError, match=r"--restore failed with exit code 3: two / three / \\x1bfour$"):
        run(path, RESTORE, "for word in one two three '\033four'; do echo $word >&2; echo; done; exit 3")
    with pytest.raises(MachineError, match="--prepare failed with exit code 1, without any output"):
        run(path, PREPARE, "false")
    with pytest.raises(MachineError, match="--prepare was ended by signal 9"):
        run(path, PREPARE, "kill -9 $$")


def test_a_command_that_takes_too_long_is_ended_with_everything_it_started(path: Path, tmp_path: Path):
    with pytest.raises(MachineError, match="--restore did not end within 0 s"):
        run(path, RESTORE, f"sleep 60 & echo $! > {tmp_path}/pid; wait", limit_seconds=0.4)
    assert identify(int((tmp_path / "pid").read_text())) is None


def test_ctrl_c_ends_the_command_and_what_it_started(path: Path, tmp_path: Path):
    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.4)
    try:
        with pytest.raises(KeyboardInterrupt):
            run(path, RESTORE, f"sleep 60 & echo $! > {tmp_path}/pid; wait")
    finally:
        signal.signal(signal.SIGALRM, before)
    assert identify(int((tmp_path / "pid").read_text())) is None
    assert read_journal(path).data, "the data is brought back before anything else"


def test_what_a_command_that_ended_well_started_goes_on(path: Path, tmp_path: Path):
    run(path, RESTORE, f"setsid sleep 60 & echo $! > {tmp_path}/pid")
    pid = int((tmp_path / "pid").read_text())
    assert identify(pid), "a server, for example"
    os.kill(pid, signal.SIGKILL)


def test_the_journal_knows_whether_the_data_is_to_be_brought_back_and_how(path: Path):
    journal = Journal(path)
    journal.note_load()
    assert read_journal(path).data is None, "there is no command for it"
    assert run(path, RESTORE, "true # snapshot").data is None, "nothing wrote since"
    journal.note_load()
    due = read_journal(path).data
    assert due is not None
    assert (due.text, due.limit_seconds) == ("true # snapshot", 5.0)
    assert due.environment == {"ADVISOR_TRIAL_KIND": "search"}, "nothing of the user's own environment"
    assert "hunter2" not in path.read_text()
    run(path, RESTORE, "true")
    assert run(path, PREPARE, "true").data, "what makes data ready changes it"
    journal.note("restored", differences=[])
    assert read_journal(path).data is None


def test_a_failed_restore_is_still_due(path: Path):
    with pytest.raises(MachineError):
        run(path, RESTORE, "exit 1")
    assert read_journal(path).data


def test_a_command_that_a_killed_program_left_running_is_ended(path: Path):
    child = os.posix_spawn("/bin/sh", ["sh", "-c", "sleep 60"], os.environ, setsid=True)
    process = identify(child)
    assert process
    Journal(path).note(
        "command", command=RESTORE, text="sleep 60", limit_seconds=5, environment={},
        process=[process.pid, process.started, process.boot],
    )  # fmt: skip
    left = read_journal(path).command
    assert left == process
    end_left_running(left)
    assert identify(child) is None
    begun = time.monotonic()
    end_left_running(left)
    assert time.monotonic() - begun < 1, "another process of that number is none of ours"


def test_a_command_is_told_where_its_writer_is_and_never_a_password(tmp_path: Path):
    member = ClusterMember(name="m1", role=Role.STANDALONE, host="db1", port=3307)
    path, secret = str(tmp_path / "c.yaml"), tmp_path / "client.cnf"
    secret.write_text("[client]\npassword=hunter2\n")
    cluster = ClusterFile(path, "c", Topology.STANDALONE, "mysql-8.4.0", "root", str(secret), (member,))
    told = environment_of(cluster, "m1", "search", {"innodb_io_capacity": "400"})
    assert {name: text for name, text in told.items() if name.startswith("ADVISOR_TRIAL_")} == {
        "ADVISOR_TRIAL_CLUSTER": path,
        "ADVISOR_TRIAL_KIND": "search",
        "ADVISOR_TRIAL_CHANGES": '{"innodb_io_capacity": "400"}',
        "ADVISOR_TRIAL_HOST": "db1",
        "ADVISOR_TRIAL_PORT": "3307",
        "ADVISOR_TRIAL_SOCKET": "",
        "ADVISOR_TRIAL_USER": "root",
    }
    assert "hunter2" not in told.values()
