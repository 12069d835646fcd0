"""What do people know that no counter shows? `observations.yaml` → typed facts, flattened with dots.

The words are those of the bundle format: numbers stay numbers, lists of mappings (`tried`, `scaling`) tuples of dicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from advisor.errors import InputError
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.plausibility import NO_NUMBER, flaw_of, is_figure
from advisor.model.evidence import Scalar

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\Z")
_WORDS: Mapping[str, Scalar] = {"true": True, "false": False, "null": None, "~": None, "": None}
_FREE_WORDS = frozenset({"notes", "storage", "workload", "log", "stack", "symptoms"})
_UNITS = (
    ("_per_second", "per_second"), ("_seconds", "seconds"), ("_bytes", "bytes"), ("_ms", "ms"), ("_mbit", "mbit"),
    ("_util", "fraction"), ("iowait", "fraction"),
)  # fmt: skip
_NUMBERS = frozenset(
    "throughput_per_second clients rows_per_transaction transaction_bytes latency_ms fsync_ms rtt_ms link_mbit cpus"
    " memory_bytes data_bytes dips_every_seconds lag_seconds states".split()
)
# In the lists `tried` and `scaling`: what begins like this, and is a number, is a rate, a time or a count.
_OF_LISTS = ("throughput", "lag_seconds", "seconds", "clients")
# Facts of the machine; they stand among the observations and are read as host facts too.
_HOST = ("cpus", "memory_bytes")


def read_observations(text: str, label: str) -> tuple[MemberBuilder, dict[str, MemberBuilder]]:
    """What holds for all members, and what is said of single ones under `members:`.

    Raises InputError with the line when it is no YAML, or not a mapping.
    """
    from advisor.data import parse_documents

    data = next(parse_documents(text, label), None)
    if data is None:
        return MemberBuilder(), {}
    if not isinstance(data, dict):
        raise InputError("observations are not a mapping of names to values", file=label, line=1)
    lines = _key_lines(text)
    members = data.pop("members", None) or {}
    if not isinstance(members, dict) or not all(isinstance(said, dict) for said in members.values()):
        raise InputError(
            "`members` is not a mapping of member names to values", file=label, line=lines.get("members", 0)
        )
    everyone = _pieces(data, label, lines, "")
    return everyone, {name: _pieces(said, label, lines, f"members.{name}.") for name, said in members.items()}


def _pieces(data: Mapping[str, Any], label: str, lines: Mapping[str, int], path: str) -> MemberBuilder:
    builder = MemberBuilder()
    for key, value in data.items():
        line = lines.get(path + key) or lines.get(key, 0)
        source = f"{label}:{line}" if line else label
        for name, typed in _flat(key, value):
            is_number = name.split(".")[0] in _NUMBERS or (name.startswith("host.") and is_figure(name))
            if is_number and typed is None:
                continue  # the key without a value says nothing
            if is_number and (flaw := flaw_of(name, typed)):
                hint = "each name contains its unit; do not add K, M or G" if flaw == NO_NUMBER else ""
                raise InputError(f"{name} is {typed!r}: {flaw}", file=label, line=line, hint=hint)
            if wrong := _wrong_in_list(typed):
                raise InputError(f"{name}: {wrong}", file=label, line=line)
            builder.add_observed(name, typed, _unit(name), source)
            plain = name.removeprefix("host.")
            if plain in _HOST:
                builder.add_host(plain, typed, _unit(plain), source)
    return builder


def _wrong_in_list(typed: object) -> str:
    """What is wrong with a number in a list of mappings; "" for nothing."""
    told = [entry for entry in typed if isinstance(entry, dict)] if isinstance(typed, tuple) else []
    figures = [pair for entry in told for pair in entry.items() if str(pair[0]).startswith(_OF_LISTS)]
    flaws = ((name, n, flaw_of(name, n)) for name, n in figures if isinstance(n, int | float))
    return next((f"{name} is {number}: {flaw}" for name, number, flaw in flaws if flaw), "")


def _flat(name: str, value: Any) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}", inner)
    elif name in _FREE_WORDS:
        yield name, tuple(map(str, value)) if isinstance(value, list) else value
    else:
        yield name, _typed(value)


def _typed(value: Any) -> object:
    """Numbers, true/false/null and words; lists become tuples, mappings inside lists stay mappings."""
    if isinstance(value, list):
        return tuple(_typed(item) for item in value)
    if isinstance(value, dict):
        return {key: _typed(inner) for key, inner in value.items()}
    if value is None:
        return None
    text = str(value)
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if not _NUMBER.match(text):
        return text
    return int(text) if re.fullmatch(r"[-+]?\d+", text) else float(text)


def _unit(name: str) -> str:
    return next((unit for ending, unit in _UNITS if name.split(".")[0].endswith(ending) or name.endswith(ending)), "")


def _key_lines(text: str) -> dict[str, int]:
    """Line of each key by its dotted path, from the indentation; enough to point a reader to the place."""
    lines: dict[str, int] = {}
    above: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        found = re.match(r"( *)([\w.-]+):(?:\s|\Z)", line)
        if found:
            depth = len(found[1])
            above = [(at, key) for at, key in above if at < depth]
            above.append((depth, found[2]))
            lines.setdefault(".".join(key for _, key in above), number)
    return lines
