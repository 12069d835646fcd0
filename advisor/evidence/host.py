"""How large is the machine, and how busy? host.json and what pt-stalk collects of /proc, df and sysctl."""

from __future__ import annotations

import re
from collections.abc import Mapping

from advisor.evidence.pieces import Pieces

_UNITS = (("_bytes", "bytes"), ("_seconds", "seconds"), ("_ms", "ms"), ("_per_second", "per_second"))
_MEMINFO = re.compile(r"^(MemTotal|SwapTotal|SwapFree|MemAvailable):\s+(\d+) kB", re.MULTILINE)
_NAMES = {
    "MemTotal": "memory_bytes",
    "MemAvailable": "memory_available_bytes",
    "SwapTotal": "swap_bytes",
    "SwapFree": "swap_free_bytes",
}


def add_host_json(pieces: Pieces, data: Mapping[str, object], label: str) -> None:
    """Facts of host.json as they stand; nested mappings are flattened with dots."""
    for name, value in data.items():
        if isinstance(value, Mapping):
            add_host_json(pieces, {f"{name}.{key}": inner for key, inner in value.items()}, label)
        elif isinstance(value, (bool, int, float, str)):
            pieces.add_host(name, value, _unit(name), label)
        elif isinstance(value, list):
            pieces.add_host(name, tuple(value), _unit(name), label)


def _unit(name: str) -> str:
    return next((unit for ending, unit in _UNITS if name.endswith(ending)), "")


def add_meminfo(pieces: Pieces, text: str, label: str) -> None:
    """The last reading of /proc/meminfo in the text."""
    for name, kilobytes in reversed(_MEMINFO.findall(text)):
        pieces.add_host(_NAMES[name], int(kilobytes) * 1024, "bytes", label)


def add_procstat(pieces: Pieces, text: str, label: str) -> None:
    """Processors of the first reading of /proc/stat (lines cpu0, cpu1, …) or /proc/cpuinfo."""
    first = text.split("\ncpu ", 2)
    block = first[1] if len(first) > 2 else text
    cpus = len(set(re.findall(r"^cpu(\d+)\s", block, re.MULTILINE))) or len(
        re.findall(r"^processor\s*:\s*\d+", text, re.MULTILINE)
    )
    if cpus:
        pieces.add_host("cpus", cpus, "", label)


def add_vmstat_swap(pieces: Pieces, text: str, label: str) -> None:
    """Pages swapped in and out a second between the first and the last dated reading of /proc/vmstat."""
    stamps = [float(at) for at in re.findall(r"^TS (\d+(?:\.\d+)?)", text, re.MULTILINE)]
    for counter, name in (("pswpin", "swap_in_per_second"), ("pswpout", "swap_out_per_second")):
        values = [int(value) for value in re.findall(rf"^{counter} (\d+)", text, re.MULTILINE)]
        if len(values) > 1 and len(values) == len(stamps) and stamps[-1] > stamps[0]:
            rate = (values[-1] - values[0]) / (stamps[-1] - stamps[0])
            if rate >= 0:
                pieces.add_host(name, rate, "pages per second", label)
