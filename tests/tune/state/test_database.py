"""Where shared studies are kept: addresses without passwords, turns, a storage that is away."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.errors import InputError, ServerError, UsageError
from advisor.tune.distributed.turn_lock import hold_turn
from advisor.tune.state.database import (
    Storage,
    connect,
    open_storage,
    parse_storage,
    storage_time,
    url_of,
    with_retries,
)
from tests.tune.sharing import STUDY


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    opened = open_storage(f"sqlite:///{tmp_path / 'shared.db'}", environment={})
    yield opened
    opened.close()


def test_only_one_at_a_time_has_the_turn(storage: Storage, monkeypatch):
    monkeypatch.setattr("advisor.tune.distributed.turn_lock.LOCK_SECONDS", 0.3)
    with hold_turn(storage, STUDY) as still:
        assert still()
        with pytest.raises(ServerError, match="another participant has held the lock"), hold_turn(storage, STUDY):
            pass
    with hold_turn(storage, STUDY):
        pass


def test_a_storage_that_is_away_for_a_while_is_waited_for(monkeypatch):
    monkeypatch.setattr("advisor.tune.state.database._AGAIN_SECONDS", 0.01)
    answers = iter((ServerError("away"), ServerError("away")))

    def ask() -> str:
        for error in answers:
            raise error
        return "here"

    assert with_retries("x", ask) == "here"
    with pytest.raises(ServerError, match="gone"):
        with_retries("x", lambda: (_ for _ in ()).throw(ServerError("gone")), seconds=0.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mysql://u:secret@host/db", "holds a password"),
        ("mysql://host/", "does not name a database"),
        ("oracle://host/db", "does not name a database"),
        ("mysql://host:99999/db", "the port is not a number"),
        ("mysql://host/db?password=secret", "does not name a database"),
        ("sqlite://", "does not name a database"),
        ("night.db", "does not name a database"),
    ],
)
def test_an_address_that_cannot_be_is_refused_without_repeating_a_password(text: str, said: str):
    with pytest.raises(UsageError, match=said) as told:
        parse_storage(text)
    assert "secret" not in str(told.value)


def test_addresses_are_shown_as_they_can_be_given_again():
    for text in (
        "mysql://root@db9.example:3307/advisor",
        "mysql://root@localhost:3306/advisor?socket=/run/m.sock",
        "postgresql://tuner@db9.example:5432/advisor",
        "sqlite:////var/lib/advisor/night.db",
    ):
        place = parse_storage(text)
        assert url_of(place) == text
        assert parse_storage(url_of(place)) == place


def test_a_storage_in_a_folder_that_is_not_there_is_refused(tmp_path: Path):
    with pytest.raises(InputError, match="no such folder"):
        open_storage(f"sqlite:///{tmp_path}/nowhere/x.db", environment={})


def test_looking_for_a_study_makes_no_file(tmp_path: Path):
    with pytest.raises(UsageError, match="has no studies"):
        open_storage(f"sqlite:///{tmp_path / 'march.db'}", environment={}, make=False)
    assert not list(tmp_path.iterdir())


def test_the_time_of_a_file_is_this_machines(storage: Storage):
    assert storage_time(storage) == pytest.approx(time.time(), abs=5.0)


def test_a_storage_that_does_not_answer_is_said_without_the_statement():
    with pytest.raises(ServerError, match=r"the storage mysql://u@127\.0\.0\.1:1/db") as told:
        connect("mysql://u@127.0.0.1:1/db", environment={"ADVISOR_PASSWORD": "secret"})
    assert "secret" not in str(told.value)
    assert "\n" not in told.value.message


def test_a_driver_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match="the driver is not installed") as told:
        connect("postgresql://u@127.0.0.1/db", environment={})
    assert told.value.hint == "pip install 'advisor[postgresql]'"


def test_programs_that_open_a_new_storage_at_once_all_get_it(tmp_path: Path) -> None:
    """Optuna makes its tables without a lock: before, five of six were refused because another made them meanwhile."""
    address, programs = f"sqlite:///{tmp_path}/studies.db", 6
    together, failures = threading.Barrier(programs), []

    def open_and_close() -> None:
        together.wait()
        try:
            open_storage(address).close()
        except ServerError as error:
            failures.append(str(error))

    threads = [threading.Thread(target=open_and_close) for _ in range(programs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
