"""How large is the machine, and how busy? host.json, and what pt-stalk collects of /proc and df."""

from __future__ import annotations

import re
from collections.abc import Mapping

from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.plausibility import flaw_of, is_figure

_UNITS = (("_bytes", "bytes"), ("_seconds", "seconds"), ("_ms", "ms"), ("_per_second", "per_second"))
_MEMINFO = re.compile(r"^(MemTotal|SwapTotal|SwapFree|MemAvailable):\s+(\d+) kB", re.MULTILINE)
_NAMES = {
    "MemTotal": "memory_bytes",
    "MemAvailable": "memory_available_bytes",
    "SwapTotal": "swap_bytes",
    "SwapFree": "swap_free_bytes",
}


def add_host_json(builder: MemberBuilder, data: Mapping[str, object], label: str) -> None:
    """Facts of host.json as they stand; nested mappings are flattened with dots. A figure that cannot be is told."""
    for name, value in data.items():
        if isinstance(value, Mapping):
            add_host_json(builder, {f"{name}.{key}": inner for key, inner in value.items()}, label)
        elif value is not None and is_figure(name) and (flaw := flaw_of(name, value)):
            builder.problems.append(f"{label}: {name} is {value!r}: {flaw}; ignored")
        elif isinstance(value, (bool, int, float, str)):
            builder.add_host(name, value, _unit(name), label)
        elif isinstance(value, list):
            builder.add_host(name, tuple(value), _unit(name), label)


def _unit(name: str) -> str:
    return next((unit for ending, unit in _UNITS if name.endswith(ending)), "")


def add_meminfo(builder: MemberBuilder, text: str, label: str) -> None:
    """The last reading of /proc/meminfo in the text."""
    for name, kilobytes in reversed(_MEMINFO.findall(text)):
        builder.add_host(_NAMES[name], int(kilobytes) * 1024, "bytes", label)


def add_procstat(builder: MemberBuilder, text: str, label: str) -> None:
    """Processors of the first reading of /proc/stat (lines cpu0, cpu1, …) or /proc/cpuinfo."""
    first = text.split("\ncpu ", 2)
    block = first[1] if len(first) > 2 else text
    cpus = len(set(re.findall(r"^cpu(\d+)\s", block, re.MULTILINE))) or len(
        re.findall(r"^processor\s*:\s*\d+", text, re.MULTILINE)
    )
    if cpus:
        builder.add_host("cpus", cpus, "", label)


def add_vmstat_swap(builder: MemberBuilder, text: str, label: str) -> None:
    """Pages swapped in and out a second between the first and the last dated reading of /proc/vmstat."""
    stamps = [float(at) for at in re.findall(r"^TS (\d+(?:\.\d+)?)", text, re.MULTILINE)]
    for counter, name in (("pswpin", "swap_in_per_second"), ("pswpout", "swap_out_per_second")):
        values = [int(value) for value in re.findall(rf"^{counter} (\d+)", text, re.MULTILINE)]
        if len(values) > 1 and len(values) == len(stamps) and stamps[-1] > stamps[0]:
            rate = (values[-1] - values[0]) / (stamps[-1] - stamps[0])
            if rate >= 0:
                builder.add_host(name, rate, "pages per second", label)


def add_processor_load(builder: MemberBuilder, text: str, label: str) -> None:
    """Shares of the processors' time that was work, and waiting for disks, between the first and the last /proc/stat.

    Also how many processors worked for nice processes, which give way. The columns are user, nice, system, idle,
    iowait, irq, softirq, steal, in ticks of all processors (man 5 proc).
    """
    lines = [list(map(int, found.split()[:8])) for found in re.findall(r"^cpu +((?:\d+ ?){8,})", text, re.MULTILINE)]
    if len(lines) < 2:
        return
    grown = [now - before for before, now in zip(lines[0], lines[-1], strict=True)]
    passed, idle, waiting = sum(grown), grown[3], grown[4]
    if passed > 0 and min(grown) >= 0:
        builder.add_host("cpu_util", round((passed - idle - waiting) / passed, 4), "fraction", label)
        builder.add_host("iowait", round(waiting / passed, 4), "fraction", label)
        cpus = builder.host.get("cpus")
        if cpus is not None:
            builder.add_host("nice_cpus", round(grown[1] / passed * float(str(cpus.value)), 4), "", label)


def add_disk_load(builder: MemberBuilder, text: str, label: str, disk_of_data: str) -> None:
    """Share of the time the disk with the data had requests under way, from dated readings of /proc/diskstats.

    `disk_of_data` is the device's name as df tells it, "" for not known: then the only disk that did anything counts,
    and of several none. The tenth figure behind the name is milliseconds with requests (iostats.txt of the kernel).
    """
    stamps = [float(at) for at in re.findall(r"^TS (\d+(?:\.\d+)?)", text, re.MULTILINE)]
    busy: dict[str, list[int]] = {}
    for name, figures in re.findall(r"^ *\d+ +\d+ (\S+) ((?:\d+ ?){11,})", text, re.MULTILINE):
        busy.setdefault(name, []).append(int(figures.split()[9]))
    seconds = stamps[-1] - stamps[0] if len(stamps) > 1 else 0.0
    grown = {name: ms[-1] - ms[0] for name, ms in busy.items() if len(ms) == len(stamps)}
    disks = [name for name, ms in grown.items() if ms > 0 and not _NO_DISK.match(name) and not _is_part(name, grown)]
    wanted = disk_of_data if disk_of_data in grown else disks[0] if len(disks) == 1 and not disk_of_data else ""
    if wanted and seconds > 0 and grown[wanted] >= 0:
        util = min(1.0, grown[wanted] / 1000 / seconds)
        builder.add_host("disk_util", round(util, 4), "fraction", f"{label}, {wanted}")


def device_of(folder: str, df: str) -> str:
    """The device that holds a folder, by the output of df; "" when it is not told."""
    mounts = dict(re.findall(r"^/dev/(?:mapper/)?(\S+)(?: +\S+){4} +(/\S*)$", df, re.MULTILINE))
    holding = [(mount, device) for device, mount in mounts.items() if f"{folder}/".startswith(f"{mount.rstrip('/')}/")]
    return max(holding, key=lambda pair: len(pair[0]))[1] if holding else ""


_NO_DISK = re.compile(r"loop|ram|zram|sr\d|fd\d|dm-|md\d")


def _is_part(name: str, names: Mapping[str, int]) -> bool:
    """Whether it is a partition of a disk that is listed as well (sda1, nvme0n1p2)."""
    return any(re.fullmatch(rf"{re.escape(disk)}p?\d+", name) for disk in names if disk != name)
