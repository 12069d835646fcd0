"""The side of the program: what it hears when the second process has taken over."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest

from advisor.errors import ServerError
from advisor.tune.live import dead_man
from advisor.tune.live.dead_man import DeadMansSwitch

ENDED = "the second process, which restores the settings if this one is killed, has ended"


@pytest.fixture
def listener() -> Iterator[subprocess.Popen[str]]:
    """A process that listens and does nothing, so that the pipe stays open."""
    command = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)
    yield process
    with suppress(BrokenPipeError):
        process.communicate()


def test_after_a_long_silence_with_a_change_in_force_nothing_is_said_any_more(
    listener: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
):
    now = 1000.0
    monkeypatch.setattr(dead_man.time, "monotonic", lambda: now)
    switch = DeadMansSwitch(listener)
    switch.changed()
    now += dead_man.SILENCE_SECONDS - 0.1
    switch.alive()
    now += dead_man.SILENCE_SECONDS
    for _ in range(2):  # it stays so: what follows must not look like a change by someone else
        with pytest.raises(ServerError, match=ENDED):
            switch.alive()
    with pytest.raises(ServerError, match=ENDED):
        switch.leave("m1", "sync_binlog")


def test_a_silence_on_the_former_values_means_nothing(listener: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch):
    now = 1000.0
    monkeypatch.setattr(dead_man.time, "monotonic", lambda: now)
    switch = DeadMansSwitch(listener)
    now += 100.0
    switch.alive()
    switch.changed()
    switch.former()
    now += 100.0
    switch.alive()


def test_a_listener_that_is_gone_is_noticed(listener: subprocess.Popen[str]):
    switch = DeadMansSwitch(listener)
    listener.kill()
    listener.wait()
    with pytest.raises(ServerError, match=ENDED):
        switch.alive()
