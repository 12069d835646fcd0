"""Who restores what we changed if we are killed? A process that waits for our end, unless it reads "done" first.

The module that changes something is run as `python -m MODULE < task` and restores what the task says. It reads the
task, and the logins in it, from its input, never from its command line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

DONE: Final = "done\n"


@contextmanager
def restored_by(module: str, task: Mapping[str, Any]) -> Iterator[None]:
    """Inside this block, our death or an error runs the module with the task."""
    process = started(module, task)
    assert process.stdin
    try:
        yield
        process.stdin.write(DONE)
    finally:
        process.stdin.close()
        process.wait()


def started(module: str, task: Mapping[str, Any], *, answers: bool = False) -> subprocess.Popen[str]:
    """The process that waits, with its task; `answers`: what it prints can be read."""
    process = subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE if answers else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,  # a signal that ends us does not end it
    )
    assert process.stdin
    process.stdin.write(json.dumps(task) + "\n")
    process.stdin.flush()
    return process


def task_left() -> dict[str, Any] | None:
    """In the process that waits: the task when it has to be done, None when all went well."""
    first, rest = sys.stdin.readline(), sys.stdin.read()
    return json.loads(first) if first and rest != DONE else None
