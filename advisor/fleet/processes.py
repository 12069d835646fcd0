"""How are many tasks done on all CPUs, with results in the order of the tasks?

Processes are forked, so they share what the parent has loaded: rules and catalogues are read once. A task that ends in
an exception gives that exception as its result; the others go on.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")
_TASKS_AT_ONCE = 16
_TASKS_OF_A_PROCESS = 4000  # then a fresh one takes its place, so that what its caches hold does not grow
_work: Callable[[Any], Any] | None = None


def usable_cpus() -> int:
    """The CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def in_processes(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Iterator[Result]:
    """`work` on each task, by at most `jobs` processes, in the order of the tasks."""
    if jobs <= 1 or len(tasks) <= _TASKS_AT_ONCE:
        yield from map(work, tasks)
        return
    global _work  # noqa: PLW0603 – forked processes find the function here: closures cannot be sent to them
    _work = work
    gc.freeze()  # what is there by now is shared, and stays so while nobody looks through it for garbage
    context = multiprocessing.get_context("fork")
    chunk = max(1, min(_TASKS_AT_ONCE, len(tasks) // (jobs * 4)))
    with context.Pool(jobs, maxtasksperchild=_TASKS_OF_A_PROCESS // chunk) as pool:
        yield from pool.imap(_do, tasks, chunk)


def _do(task: object) -> Any:
    if _work is None:
        raise RuntimeError("in_processes was not called")
    return _work(task)
