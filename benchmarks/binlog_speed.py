"""How fast are binary logs read? Events per second of CPU time and the most memory, next to mysqlbinlog.

    python -m benchmarks.binlog_speed FILE [--than PROGRAM…]

Each pass runs in a process of its own. A program is named with all its words, such as `mysqlbinlog`.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.events.walk import walk
from advisor.binlog.read import LogReading
from advisor.binlog.source.log_file import FIRST_POSITION, open_log


def headers(path: str) -> int:
    """Every event's header."""
    with open_log(path) as stream:
        return sum(1 for _ in walk(stream, FIRST_POSITION, lambda at, reason: None))


def transactions(path: str, wanted: Wanted) -> int:
    """Events gathered into transactions."""
    return sum(each.events for each in LogReading([path], wanted).transactions())


PASSES: dict[str, Callable[[str], int]] = {
    "headers": headers,
    "header pass: transactions and GTIDs": lambda path: transactions(path, Wanted(rows=False)),
    "with rows counted": lambda path: transactions(path, Wanted()),
    "with keys": lambda path: transactions(path, Wanted(keys=True)),
}


def measured(name: str, path: str) -> None:
    """Run one pass in a child and print its figures."""
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    begun = time.process_time()
    events = PASSES[name](path)
    seconds = time.process_time() - begun
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:38} {events:>10,} events  {seconds:7.2f} s  {events / seconds:>10,.0f}/s  {peak_mib:5.0f} MiB",
        flush=True,
    )
    os._exit(0)


def other(words: list[str], path: str) -> None:
    """The program's CPU time for the same file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*words, path], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{os.path.basename(words[-1]):38} {'':17}  {seconds:7.2f} s")


def main(path: str, program: list[str]) -> None:
    """Every pass, then the program."""
    print(f"{path}: {os.path.getsize(path) / 2**20:.0f} MiB")
    for name in PASSES:
        measured(name, path)
    if program:
        other(program, path)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[3:])
