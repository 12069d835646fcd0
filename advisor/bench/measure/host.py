"""How busy is this machine, and which processes keep it busy? Shares of its CPUs from /proc.

Without /proc there are no figures; they are never reported as zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from advisor.errors import ServerError
from advisor.nodes import Node

_PROC: Final = Path("/proc")
_SERVER_WORDS: Final = (b"mysqld", b"mariadbd")
HERE: Final = ("127.0.0.1", "localhost", "::1")

Processes = Mapping[str, Iterable[int]]


class HostMeter:
    """Shares of all CPUs together, 0 to 1, since the last reading.

    "cpu_share" is everything on the machine; each name of `processes` has its own share, or none while one of its
    processes cannot be seen. `processes` is called each time: load generators come and go.
    """

    def __init__(self, processes: Callable[[], Processes]) -> None:
        self._processes = processes
        self._machine = _machine_ticks()
        self._ticks = self._each()

    def read(self) -> dict[str, float]:
        """The shares since the last reading; a process that is new has none yet."""
        machine, earlier, before = _machine_ticks(), self._ticks, self._machine
        self._machine, self._ticks = machine, self._each()
        if machine is None or before is None or machine[1] <= before[1]:
            return {}
        total = machine[1] - before[1]
        shares = {"cpu_share": (machine[0] - before[0]) / total}
        for name, ticks in self._ticks.items():
            if ticks and ticks.keys() <= earlier.get(name, {}).keys():
                shares[name] = sum(ticks[pid] - earlier[name][pid] for pid in ticks) / total
        return shares

    def _each(self) -> dict[str, dict[int, int]]:
        """The clock ticks every process has used, by name; {} where one cannot be seen."""
        ticks_by_name = {}
        for name, pids in self._processes().items():
            ticks = {pid: _ticks(pid) for pid in pids}
            known = {pid: used for pid, used in ticks.items() if used is not None}
            ticks_by_name[name] = known if len(known) == len(ticks) else {}
        return ticks_by_name


def server_processes(nodes: Iterable[Node]) -> dict[str, list[int]]:
    """The processes of the members that run on this machine, by "cpu_share:member"; others are left out."""
    processes = {}
    for node in nodes:
        if not node.replication.socket and node.replication.host not in HERE:
            continue
        try:
            pid = _server_at(str(node.session.value("SELECT @@pid_file")))
        except ServerError:
            continue
        if pid:
            processes[f"cpu_share:{node.name}"] = [pid]
    return processes


def _server_at(path: str) -> int | None:
    try:
        pid = int(Path(path).read_text(encoding="ascii"))
        words = (_PROC / str(pid) / "cmdline").read_bytes()
    except (OSError, ValueError):
        return None
    return pid if any(word in words for word in _SERVER_WORDS) else None


def _machine_ticks() -> tuple[int, int] | None:
    """Busy and total clock ticks of all CPUs since the machine started; waiting for the disk is not busy."""
    try:
        words = (_PROC / "stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]
    except OSError:
        return None
    ticks = [int(word) for word in words]  # user nice system idle iowait irq softirq steal; guests are in user
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


def _ticks(pid: int) -> int | None:
    try:
        words = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return int(words[11]) + int(words[12])
