"""How busy was the member's machine over the interval? The difference of Linux's counters at its two ends."""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from advisor.model.record import field, record

_TICKS = os.sysconf("SC_CLK_TCK")


@record
class Counters:
    """Counters at one moment; None where the system does not have one.

    `ticks` of all CPUs: in total, idle, waiting for disks; `own_ticks` of the server. Swapping is counted in pages;
    `disk_ms` is how long the data's disk had requests under way. `threads`: how long each thread of the server ran,
    and waited for a CPU, in nanoseconds. `nice_ticks`: of all processes with a nice value above 0, None where the
    server is one of them. `reader_seconds`: CPU time of this program itself.
    """

    at_seconds: float
    ticks: tuple[int, int, int] | None
    own_ticks: int | None
    swapped_in: int | None
    swapped_out: int | None
    disk_ms: int | None
    threads: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    nice_ticks: int | None = None
    reader_seconds: float | None = None


def read_counters(pid: int, folder: str) -> Counters:
    """The counters now, for the server with this process and data directory."""
    words = _fields("/proc/stat", "cpu ")
    numbers = [int(word) for word in words[:8]]
    own = _text(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return Counters(
        time.monotonic(),
        (sum(numbers), numbers[3], numbers[4]) if len(numbers) == 8 else None,
        int(own[11]) + int(own[12]) if len(own) > 12 else None,
        _number("/proc/vmstat", "pswpin "),
        _number("/proc/vmstat", "pswpout "),
        _disk_ms(folder),
        _threads(pid),
        numbers[1] if len(numbers) == 8 and not _is_nice(pid) else None,
        time.process_time(),
    )


def load_between(
    before: Counters,
    after: Counters,
    cpus: float,
    machine_cpus: float,
    clients: Collection[str] = (),
    appliers: Collection[str] = (),
) -> dict[str, object]:
    """`cpu_util`, `iowait`, `disk_util` as fractions, pages swapped per second; what is unknown is left out.

    `threads_running` and `threads_starved` are how many of the threads that serve `clients` had a CPU, and waited for
    one, on average; `appliers_running` and `appliers_starved` the same for threads that apply replicated changes.
    `server_cpus` is how many CPUs the whole server kept busy, `reader_cpus` this program, `nice_cpus` processes with a
    nice value above 0. `cpu_util` is that of the machine if the server may use all its CPUs (other processes count
    then), else the server's own time against its limit.
    """
    seconds = after.at_seconds - before.at_seconds
    if seconds <= 0:
        return {}
    facts = _machine(before, after, machine_cpus)
    if cpus != machine_cpus:
        facts.pop("cpu_util", None)
    if before.own_ticks is not None and after.own_ticks is not None:
        own = (after.own_ticks - before.own_ticks) / _TICKS / seconds
        facts["server_cpus"] = round(own, 4)
        if cpus != machine_cpus:
            facts["cpu_util"] = round(min(1.0, own / cpus), 4)
    facts |= _threads_between(before, after, "threads", clients) | _threads_between(before, after, "appliers", appliers)
    for name, first, last, unit in (
        ("reader_cpus", before.reader_seconds, after.reader_seconds, 1.0),
        ("swap_in_per_second", before.swapped_in, after.swapped_in, 1.0),
        ("swap_out_per_second", before.swapped_out, after.swapped_out, 1.0),
        ("disk_util", before.disk_ms, after.disk_ms, 1000.0),
    ):
        if first is not None and last is not None and last >= first:
            facts[name] = round((last - first) / unit / seconds, 4)
    if "disk_util" in facts:
        facts["disk_util"] = min(1.0, facts["disk_util"])
    return dict(facts)


def _machine(before: Counters, after: Counters, machine_cpus: float) -> dict[str, float]:
    """How busy all CPUs were, and how busy with processes of a nice value above 0."""
    if not before.ticks or not after.ticks or (passed := after.ticks[0] - before.ticks[0]) <= 0:
        return {}
    idle, waiting = (after.ticks[n] - before.ticks[n] for n in (1, 2))
    facts = {"iowait": round(max(0, waiting) / passed, 4)}
    if before.nice_ticks is not None and after.nice_ticks is not None:
        facts["nice_cpus"] = round(max(0, after.nice_ticks - before.nice_ticks) / passed * machine_cpus, 4)
    facts["cpu_util"] = round(max(0, passed - idle - waiting) / passed, 4)
    return facts


def _threads_between(before: Counters, after: Counters, kind: str, wanted: Collection[str]) -> dict[str, float]:
    """How many of these threads had a CPU, and waited for one; {} where none of them is left."""
    if after.threads.keys().isdisjoint(wanted):
        return {}
    seconds = after.at_seconds - before.at_seconds
    running, starved = (sum(_grown(before, after, wanted, place)) / 1e9 / seconds for place in (0, 1))
    return {f"{kind}_running": round(running, 4), f"{kind}_starved": round(starved, 4)}


def _grown(before: Counters, after: Counters, wanted: Collection[str], kind: int) -> Iterator[int]:
    """How much each of these threads added; ended threads are left out, new ones began at 0."""
    for thread, now in after.threads.items():
        if thread in wanted:
            yield max(0, now[kind] - before.threads.get(thread, (0, 0))[kind])


def _is_nice(pid: int) -> bool:
    """Whether the server itself runs with a nice value above 0; then nice time is not that of other processes."""
    try:
        return os.getpriority(os.PRIO_PROCESS, pid) > 0
    except OSError:
        return True


def _threads(pid: int) -> dict[str, tuple[int, int]]:
    """Thread → nanoseconds it ran and waited for a CPU (schedstat); {} where the kernel does not count them."""
    times = {}
    try:
        names = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return {}
    for name in names:
        words = _text(f"/proc/{pid}/task/{name}/schedstat").split()
        if len(words) == 3:
            times[name] = int(words[0]), int(words[1])
    return times


def _disk_ms(folder: str) -> int | None:
    """Milliseconds with requests under way: the tenth figure of the block device's statistics."""
    try:
        device = os.stat(folder).st_dev
    except OSError:
        return None
    words = _text(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat").split()
    return int(words[9]) if len(words) > 9 else None


def _number(path: str, start: str) -> int | None:
    words = _fields(path, start)
    return int(words[0]) if words else None


def _fields(path: str, start: str) -> list[str]:
    return next((line.split()[1:] for line in _text(path).splitlines() if line.startswith(start)), [])


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
