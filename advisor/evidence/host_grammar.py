"""What does `--host cpus=16,memory=64G` say of a machine? One grammar for every command that has the option."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from math import isfinite
from typing import Final

from advisor.errors import UsageError
from advisor.evidence.member.plausibility import flaw_of, is_figure
from advisor.model.record import record
from advisor.units import SHIFTS

_SHORT: Final = {"memory": "memory_bytes", "disk": "disk_free_bytes", "cpu": "cpus"}
_EXAMPLE: Final = "--host cpus=16,memory=64G,disk=500G"


@record
class Stated:
    """One NAME=VALUE: the value, a number where it is one and sizes in bytes; and both as written."""

    value: int | float | str
    written: str


def stated_host(texts: Sequence[str], names: Collection[str]) -> dict[str, Stated]:
    """Host fact → what was stated of it.

    UsageError for what is not NAME=VALUE, for a name that is not one of `names`, and for what no machine can have.
    """
    values: dict[str, Stated] = {}
    for part in ",".join(texts).split(","):
        written, equals, text = (word.strip() for word in part.partition("="))
        if not part.strip():
            continue
        if not equals or not written or not text:
            raise UsageError(f"--host {part.strip()!r} is not NAME=VALUE", hint=_EXAMPLE)
        name = _SHORT.get(written, written)
        if name not in names:
            shown = sorted({*(short for short, long in _SHORT.items() if long in names and short != "cpu"), *names})
            raise UsageError(f"--host: unknown name {written!r}", hint=f"known: {', '.join(shown)}")
        values[name] = Stated(_value(name, written, text), part.strip())
    return values


def _value(name: str, written: str, text: str) -> int | float | str:
    """A number where it is one; sizes take K, M, G, T (also Ki, KiB, …), all of them powers of 1024."""
    value: int | float | str = text
    with suppress(ValueError, KeyError):
        digits = text.rstrip("KMGTkmgtiBb") if name.endswith("_bytes") else text
        suffix = text[len(digits) :].upper().removesuffix("B").removesuffix("I")
        value = float(digits) * (1 << SHIFTS[suffix])
        value = int(value) if isfinite(value) and (value.is_integer()) else value
    if is_figure(name) and (flaw := flaw_of(name, value)):
        hint = "e.g. 64G or 68719476736" if name.endswith("_bytes") else ""
        raise UsageError(f"--host {written}={text}: {flaw}", hint=hint)
    return value
