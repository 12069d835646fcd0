"""Who brings the former values back if the program that changed them is killed, or hangs? A second process.

It has connections of its own, open before anything is changed, and listens to the first program. At the end of the pipe
(`kill -9`) every member gets its former values; so it does after some seconds of silence while a change is in force
("changed" was the last word, and "alive" does not follow every now and then). It ends quietly when it reads "done".

python -m advisor.tune.live.dead_man < task
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final

from advisor.errors import AdvisorError, ServerError
from advisor.model.lab import Address
from advisor.model.server import Role
from advisor.nodes import Node
from advisor.restorer import DONE, started
from advisor.topologies import open_node
from advisor.tune.live.live_settings import bring_back, without
from advisor.tune.space.member_values import ValuesByMember

SILENCE_SECONDS: Final = 5.0  # a program that stands still for so long watches no limit
_READY: Final = "ready"
_ALIVE: Final = "alive"
_CHANGED: Final = "changed"
_FORMER: Final = "former"
_LEAVE: Final = "leave"
_LEAVE_WORDS: Final = 3
_PROBE_SECONDS: Final = 10.0  # keeps connections open, and finds lost ones before they are needed
_ANSWER_SECONDS: Final = 5.0
_TRIES: Final = 30  # to reach a member that does not answer, once a second


class DeadMansSwitch:
    """The side of the program that changes settings. Made by `armed`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._in_force, self._has_ended, self._said = False, False, time.monotonic()

    def alive(self) -> None:
        """Say that we watch. ServerError when nobody listens: then nothing may be changed."""
        self._say(_ALIVE)

    def changed(self) -> None:
        """Say that a change will be in force: from now on silence is a hang."""
        self._say(_CHANGED)
        self._in_force = True

    def former(self) -> None:
        """Say that the former values are in force again."""
        self._say(_FORMER)
        self._in_force = False

    def leave(self, member: str, name: str) -> None:
        """Do not touch this setting of a member: someone else changed it meanwhile."""
        self._say(f"{_LEAVE} {member} {name}")

    def _say(self, line: str) -> None:
        assert self._process.stdin
        silence, self._said = time.monotonic() - self._said, time.monotonic()
        # After so long a silence it restores the values, and may still be at it, so that the pipe is open.
        self._has_ended = self._has_ended or (self._in_force and silence >= SILENCE_SECONDS)
        try:
            if self._has_ended:
                raise BrokenPipeError
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            self._has_ended = True
            raise ServerError(
                "the second process, which restores the settings if this one is killed, has ended",
                hint="was this process suspended, or were both stopped? The former values are restored",
            ) from None


@contextmanager
def armed(nodes: Sequence[Node], former: ValuesByMember) -> Iterator[DeadMansSwitch]:
    """Inside this block our death, or our silence, brings the former values back.

    ServerError when the second process does not get its connections. An error that leaves the block does not disarm
    it: the values come back once more, which changes nothing where they are back already.
    """
    task = {"former": {name: dict(own) for name, own in former.items()}, "nodes": [_row(node) for node in nodes]}
    process = started("advisor.tune.live.dead_man", task, answers=True)
    assert process.stdin
    assert process.stdout
    try:
        answer = process.stdout.readline().strip()
        if answer != _READY:
            reason = answer or "it exited immediately"
            raise ServerError(f"the second process, which guards the change, did not start: {reason}")
        yield DeadMansSwitch(process)
        process.stdin.write(DONE)
    finally:
        with suppress(OSError):  # it has ended
            process.stdin.close()
        process.wait()
        process.stdout.close()


def _row(node: Node) -> dict[str, object]:
    return {"name": node.name, "role": str(node.role), "login": dict(vars(node.replication))}


def main() -> None:
    """Guard until "done"."""
    task = json.loads(sys.stdin.readline())
    with ExitStack() as stack:
        try:
            guarded = [_open(row, stack) for row in task["nodes"]]
        except AdvisorError as error:
            print(error.message, flush=True)
            return
        print(_READY, flush=True)
        left = _listen(guarded)
        if left is not None:
            _bring_back({**task, "former": without(task["former"], left)}, guarded)


def _open(row: Mapping[str, Any], stack: ExitStack) -> Node:
    node = open_node(row["name"], Role(row["role"]), Address(**row["login"]), answer_seconds=_ANSWER_SECONDS)
    stack.callback(node.session.close)
    return node


def _listen(nodes: Sequence[Node]) -> set[tuple[str, str]] | None:
    """Until "done" and the end of the pipe: None. At its end without it, or after too long a silence: what is not ours.

    That are members and names which someone else changed meanwhile.
    """
    number = sys.stdin.fileno()
    text, changed = "", False
    last = probed = time.monotonic()
    while not changed or time.monotonic() - last < SILENCE_SECONDS:
        readable, _, _ = select.select([number], [], [], SILENCE_SECONDS / 10)
        if readable:
            said = os.read(number, 4096).decode()
            if not said:
                return None if text.endswith(DONE) else _left(text)
            text, last = (text + said).replace(f"{_ALIVE}\n", ""), time.monotonic()
            states = [word for word in text.split() if word in (_CHANGED, _FORMER)]
            changed = bool(states) and states[-1] == _CHANGED
        if time.monotonic() - probed > _PROBE_SECONDS:
            probed = time.monotonic()
            for node in nodes:
                _probe(node)
    return _left(text)


def _left(text: str) -> set[tuple[str, str]]:
    words = [line.split() for line in text.splitlines()]
    return {(line[1], line[2]) for line in words if len(line) == _LEAVE_WORDS and line[0] == _LEAVE}


def _probe(node: Node) -> None:
    """A statement, so that the server does not close an idle connection."""
    with suppress(ServerError):  # a lost connection is opened again when it is needed
        node.session.value("SELECT 1")


def _bring_back(task: Mapping[str, Any], nodes: Sequence[Node]) -> None:
    """First on the connections at hand; a member that does not answer is tried again on new ones."""
    waiting = [row for row, node in zip(task["nodes"], nodes, strict=True) if bring_back([node], task["former"])]
    for _ in range(_TRIES):
        if not waiting:
            return
        waiting = [row for row in waiting if not _again(row, task["former"])]
        time.sleep(1.0 if waiting else 0.0)


def _again(row: Mapping[str, Any], former: ValuesByMember) -> bool:
    with ExitStack() as stack:
        try:
            return not bring_back([_open(row, stack)], former)
        except AdvisorError:
            return False


if __name__ == "__main__":
    main()
