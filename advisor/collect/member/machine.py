"""Does the member run on this machine, and if so: with which resources, and with which option files was it started?

It does if its pid file names a process of this machine whose working directory is the member's data directory. An
address proves nothing: a tunnel and a forwarded port are on loopback, too.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from advisor.collect.member.probes import storage_type
from advisor.errors import InputError
from advisor.evidence.member.redaction import redact_text
from advisor.masking import mask_line
from advisor.options.files import SYSCONFDIRS

_MEMINFO = {"MemTotal": "memory_bytes", "SwapTotal": "swap_bytes", "MemAvailable": "memory_available_bytes"}
_NO_LIMIT_BYTES = 1 << 60  # cgroups v1 write "no limit" as a huge number, rounded to pages


def machine_of(option_file: str, variables: Mapping[str, str], pid: int) -> tuple[dict[str, object], dict[str, str]]:
    """Host facts and option files (path → text, passwords masked) of a server that is process `pid` of this machine."""
    return {**_resources(pid), **_disk(variables["datadir"])}, _option_files(option_file, pid)


def pid_here(variables: Mapping[str, str]) -> int | None:
    """The server's process id, when it runs on this machine."""
    folder = variables.get("datadir", "")
    try:
        pid = int(Path(folder, variables.get("pid_file", "")).read_text(encoding="ascii"))
        return pid if os.path.samefile(os.readlink(f"/proc/{pid}/cwd"), folder) else None
    except (OSError, ValueError):
        return None


def _resources(pid: int) -> dict[str, object]:
    """CPUs and memory that the process may use: those of the machine, or fewer by affinity and cgroup."""
    facts: dict[str, object] = {}
    for line in _lines("/proc/meminfo"):
        name, _, rest = line.partition(":")
        if name in _MEMINFO:
            facts[_MEMINFO[name]] = int(rest.split()[0]) * 1024
    try:
        cpus: float = len(os.sched_getaffinity(pid))
    except OSError:  # the process has just ended
        return facts
    online = os.cpu_count()
    quota, limit = _group_limits(pid)
    memory = facts.get("memory_bytes")
    if isinstance(memory, int) and limit and limit < memory:
        facts |= {"memory_bytes": limit, "machine.memory_bytes": memory}
    if quota and quota < cpus:
        cpus = round(quota, 2)
    limits = [line.split() for line in _lines(f"/proc/{pid}/limits") if line.startswith("Max open files")]
    if limits and limits[0][3].isdecimal():
        facts["open_files_limit"] = int(limits[0][3])
    facts["cpus"] = int(cpus) if cpus == int(cpus) else cpus
    if online and online != cpus:
        facts["machine.cpus"] = online
    return facts


def _group_limits(pid: int) -> tuple[float, int]:
    """CPUs and bytes that the process's cgroups allow, the tightest of all levels; 0 for no limit."""
    quotas, limits = [], []
    for line in _lines(f"/proc/{pid}/cgroup"):
        _, controllers, path = line.split(":", 2)
        folders = [path.rstrip("/").rsplit("/", level)[0] for level in range(path.rstrip("/").count("/") + 1)]
        for folder in folders:
            if not controllers:
                top = "/sys/fs/cgroup" + folder
                words = " ".join(_lines(f"{top}/cpu.max")).split()
                quotas += [int(words[0]) / int(words[1])] if words and words[0].isdecimal() else []
                limits += [int(text) for text in _lines(f"{top}/memory.max") if text.isdecimal()]
            elif "cpu" in controllers.split(","):
                quota = _lines(f"/sys/fs/cgroup/cpu{folder}/cpu.cfs_quota_us")
                period = _lines(f"/sys/fs/cgroup/cpu{folder}/cpu.cfs_period_us")
                quotas += [int(quota[0]) / int(period[0])] if quota and period and int(quota[0]) > 0 else []
            elif controllers == "memory":
                limits += map(int, _lines(f"/sys/fs/cgroup/memory{folder}/memory.limit_in_bytes"))
    return min(quotas, default=0.0), min((limit for limit in limits if limit < _NO_LIMIT_BYTES), default=0)


def _disk(folder: str) -> dict[str, object]:
    """Size and free space of the data's file system, and whether its disk is rotational, where the system tells."""
    try:
        volume, device = os.statvfs(folder), os.stat(folder).st_dev
    except OSError:
        return {}
    facts: dict[str, object] = {
        "data_disk_bytes": volume.f_blocks * volume.f_frsize,
        "data_disk_free_bytes": volume.f_bavail * volume.f_frsize,
    }
    place = f"/sys/dev/block/{os.major(device)}:{os.minor(device)}"
    for at in (f"{place}/queue/rotational", f"{place}/../queue/rotational"):
        if (turns := _lines(at)) and turns[0] in ("0", "1"):
            facts["data_disk_rotational"] = turns[0] == "1"
            break
    if kind := storage_type(folder):
        facts["storage"] = kind
    return facts


def _option_files(named: str, pid: int) -> dict[str, str]:
    """The files the server was started with, includes among them; the first one is the main one."""
    from advisor.options import read_default_files, read_file

    words = b"".join(_bytes(f"/proc/{pid}/cmdline")).decode("utf-8", "surrogateescape").split("\0")
    if "--no-defaults" in words:
        return {}
    given = next((word.partition("=")[2] for word in words if word.startswith("--defaults-file=")), named)
    try:
        files = read_file(given).files if given else read_default_files("/").files
        texts = {path: _masked(Path(path).read_text(encoding="utf-8", errors="surrogateescape")) for path in files}
    except (InputError, OSError):
        return {}
    in_default_places = [path for path in texts if os.path.dirname(path) in ("/etc", "/etc/mysql", *SYSCONFDIRS)]
    if given or len(in_default_places) < 2:
        return texts
    return {"my.cnf": "".join(f"!include {path}\n" for path in in_default_places if path.endswith("/my.cnf")), **texts}


def _masked(text: str) -> str:
    """The text without its passwords, line by line as it was."""
    return "".join(redact_text(mask_line(line)) for line in text.splitlines(keepends=True))


def _lines(path: str) -> list[str]:
    return b"".join(_bytes(path)).decode("utf-8", "replace").splitlines()


def _bytes(path: str) -> list[bytes]:
    """A file's content as a list of one; [] when it does not exist or may not be read."""
    try:
        return [Path(path).read_bytes()]
    except OSError:
        return []
