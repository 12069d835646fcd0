"""Two clusters and a third server that keeps their study: what one leaves the other takes up, and the trials add up."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.client import connect
from advisor.cluster_file import addresses, read_password
from advisor.lab import folders
from advisor.model.lab import ClusterFile
from advisor.model.server import Family
from advisor.model.tuning import TrialKind
from advisor.tune.search.optuna_ledger import OptunaLedger, open_ledger
from advisor.tune.space.encoding import identity
from advisor.tune.space.member_values import running_settings
from advisor.tune.state import study_folder
from advisor.tune.state.database import open_storage
from advisor.tune.state.journal import read_journal
from tests.servers.conftest import Up
from tests.servers.killed_session import request, variables
from tests.servers.test_tune import _own_folder, advisor, option_files  # noqa: F401 – a fixture used by its name

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB
CHECKOUT = Path(__file__).resolve().parents[2]
STUDY = "shared"
SHORT = ("--trials", "4", "--blocks", "0", "--seconds", "10s", "--warm-up", "1s", "--workload", "update_index")


@pytest.fixture(autouse=True)
def _nobodys() -> None:
    """A lab gets the address of one that is gone; what a test that was killed left in its journal is nobody's."""
    home = folders.home() / "tune"
    for folder in home.iterdir() if home.is_dir() else ():
        account = read_journal(study_folder.journal_path(folder))
        if account.originals and not Path(account.originals.cluster).exists():
            shutil.rmtree(folder)


def part(cluster: ClusterFile, storage: str, secret: str, what: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.servers.shared_session", cluster.path, storage, secret, STUDY, what],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=CHECKOUT,
    )  # fmt: skip


def address_of(cluster: ClusterFile, database: str) -> str:
    """A database on a lab's first member, made there."""
    to = addresses(cluster)["m1"]
    with connect(to) as session:
        session.run(f"CREATE DATABASE {database}")
    return f"mysql://{to.user}@{to.host}:{to.port}/{database}"


def ledger_of(cluster: ClusterFile, storage: str, secret: str) -> Iterator[OptunaLedger]:
    from advisor.tune.trial.survey import survey

    target = survey(cluster, request(cluster.path), print)
    running = running_settings(target.space, cluster.members, target.originals.values)
    opened = open_storage(storage, secret)
    yield open_ledger(opened, STUDY, target.space, running, 60_000.0, "watching")
    opened.close()


@pytest.mark.parametrize(("family", "keeper"), [(MARIADB, MYSQL), (MYSQL, None)], ids=["mariadb", "file"])
def test_a_killed_controllers_trial_is_taken_up_once_by_the_other_and_the_trials_add_up(
    up: Up, family: Family, keeper: Family | None, tmp_path: Path
):
    first, second = (up("standalone", family, 1, durability="relaxed") for _ in range(2))
    storage, secret = f"sqlite:///{tmp_path}/shared.db", first.password_file
    if keeper:
        kept_on = up("standalone", keeper, 1, durability="relaxed")
        storage, secret = address_of(kept_on, "advisor"), kept_on.password_file
    before, files = variables(second.path), option_files(second)
    begins, dies = part(first, storage, secret, "begin"), part(second, storage, secret, "measuring")
    dead, _ = dies.communicate(timeout=600)
    if dies.returncode != -signal.SIGKILL:
        begins.terminate()
    told, _ = begins.communicate(timeout=600)
    assert dies.returncode == -signal.SIGKILL, f"{dead}\nand who began said\n{told}"
    assert begins.returncode == 0, told
    for ledger in ledger_of(first, storage, secret):
        trials, rows = ledger.trials(), ledger.study.get_trials()
        kept = json.dumps(ledger.study.user_attrs)
    counted = [trial for trial in trials if not trial.outcome.fault]
    assert len(counted) == 6
    assert [row.number for row in rows] == list(range(len(rows)))
    assert len(rows) == len(trials) + 1, "one was begun and never ended: the killed one"
    lost = [row for row in rows if "outcome" not in row.user_attrs]
    assert [row.state.name for row in lost] == ["FAIL"]
    again = [trial for trial in trials if trial.task.retry_of == lost[0].number]
    assert len(again) == 1
    assert identity(again[0].task.settings) == identity(json.loads(lost[0].user_attrs["task"])["settings"])
    numbered = {"1": first, "2": second}
    clones = {name: study_folder.clone_of(study_folder.folder_of(cluster), "") for name, cluster in numbered.items()}
    assert lost[0].user_attrs["clone"] == clones["2"]
    assert again[0].clone == clones["1"]
    by_clone = Counter(trial.clone for trial in trials)
    assert set(by_clone) == set(clones.values())
    for clone in by_clone:
        assert next(one for one in trials if one.clone == clone).task.kind is TrialKind.BASELINE
    secret_text = read_password(secret)
    asked = study_folder.request_of(study_folder.last_study(study_folder.folder_of(second)))
    assert secret_text not in json.dumps(asked) + kept + dead + told
    assert read_journal(study_folder.journal_path(study_folder.folder_of(second))).open
    resumed = advisor("resume", "--cluster", second.path)
    assert resumed.returncode == 1, resumed.stderr
    assert "its report has the recommendation" in " ".join(resumed.stdout.split()), "and that is the other one"
    assert variables(second.path) == before
    assert option_files(second) == files
    folders = [study_folder.last_study(study_folder.folder_of(cluster)) for cluster in (first, second)]
    proofs = [folder / "finalists.jsonl" for folder in folders]
    assert [file.exists() for file in proofs] == ["with a restart before each run" in told, False], "one of them proves"
    for ledger in ledger_of(first, storage, secret):
        assert [trial.number for trial in ledger.trials()] == [trial.number for trial in trials], (
            "nothing more is tried"
        )


def test_a_storage_that_is_a_member_is_refused_before_a_table_is_made_there(up: Up):
    keeper, first = up("standalone", MYSQL, 1), up("standalone", MARIADB, 1)
    own, there = address_of(first, "advisor"), address_of(keeper, "advisor")
    word = ("--password-file", keeper.password_file)
    for address in (own, f"mysql://root@localhost/advisor?socket={first.members[0].socket}"):
        refused = advisor("--cluster", first.path, "--storage", address, "--password-file", first.password_file, *SHORT)
        assert (refused.returncode, "a member of the cluster under test" in refused.stderr) == (2, True), refused.stderr
    with connect(addresses(first)["m1"]) as session:
        assert session.rows("SHOW TABLES FROM advisor") == []
    unknown = advisor("join", "nosuch", "--storage", there, "--cluster", first.path, *word)
    assert (unknown.returncode, "has no studies" in unknown.stderr) == (2, True), unknown.stderr
    wrong = advisor("join", STUDY, "--storage", there, "--cluster", first.path, "--password-file", first.password_file)
    assert (wrong.returncode, "the password: ADVISOR_PASSWORD" in wrong.stderr) == (4, True), wrong.stderr
    missing = advisor("join", STUDY, "--storage", f"{there}x", "--cluster", first.path, *word)
    assert (missing.returncode, "CREATE DATABASE" in missing.stderr) == (4, True), missing.stderr
    for done in (refused, unknown, wrong, missing):
        assert "Traceback" not in done.stderr
