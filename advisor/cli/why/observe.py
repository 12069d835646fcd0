"""How does `--observe throughput_per_second=4000 clients=64` become evidence?"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from advisor.check.known_names import HOST_NAMES, OBSERVED_NAMES
from advisor.cli.shared.name_value import NameValue, parse_name_value
from advisor.errors import UsageError
from advisor.evidence.formats.observations import read_observations
from advisor.model.evidence import Cluster
from advisor.model.record import replace

_NAME_VALUE: Final = re.compile(r"[a-z_]+(?:\.[^=]+)?=")
_HINT: Final = "--observe throughput_per_second=4000 clients=64"


def split_observations(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """(paths, observations): a word like clients=64 among the paths is an observation."""
    observations = [word for word in words if _NAME_VALUE.match(word)]
    return [word for word in words if word not in observations], observations


def observe(cluster: Cluster, observations: Sequence[str]) -> Cluster:
    """The cluster with what the user observed, on every member; it takes precedence over files.

    UsageError for what is not NAME=VALUE, or an unknown name.
    """
    if not observations:
        return cluster
    data: dict[str, Any] = {}
    for text in observations:
        for part in text.split() if text.count("=") > 1 else [text]:
            _add(data, parse_name_value(part, "--observe", hint=_HINT))
    pieces, _ = read_observations(json.dumps(data), "--observe")
    members = tuple(
        replace(member, observed={**member.observed, **pieces.observed}, host={**member.host, **pieces.host})
        for member in cluster.members
    )
    return replace(cluster, members=members)


def _add(data: dict[str, Any], observation: NameValue) -> None:
    name, value = observation
    head, dot, rest = name.partition(".")
    if head not in OBSERVED_NAMES and not (head == "host" and rest in HOST_NAMES):
        known = ", ".join(sorted(name for name in OBSERVED_NAMES if "." not in name))
        raise UsageError(f"--observe: {name!r} is not known", hint=f"known: {known}")
    if head == "scaling":
        data["scaling"] = [_scaling_point(text) for text in value.split(",")]
    elif head == "tried":
        data.setdefault("tried", []).append(_tried(value))
    elif dot:
        data.setdefault(head, {})[rest] = value
    else:
        data[head] = value


def _scaling_point(text: str) -> dict[str, str]:
    clients, colon, throughput = text.partition(":")
    if not colon:
        raise UsageError(f"--observe scaling: {text!r} is not CLIENTS:THROUGHPUT", hint="scaling=1:600,16:610,64:605")
    _require_numbers("scaling", clients, throughput)
    return {"clients": clients.strip(), "throughput": throughput.strip()}


def _tried(text: str) -> dict[str, str]:
    parts = [part.strip() for part in text.split(":")]
    if len(parts) != 5:
        hint = "tried=sync_binlog:1:0:1000:1020, with the throughput before and after at the end"
        raise UsageError(f"--observe tried={text}: expected NAME:FROM:TO:BEFORE:AFTER", hint=hint)
    _require_numbers("tried", *parts[3:])
    return dict(zip(("what", "from", "to", "throughput_before", "throughput_after"), parts, strict=True))


def _require_numbers(name: str, *figures: str) -> None:
    for text in figures:
        try:
            float(text)
        except ValueError:
            raise UsageError(f"--observe {name}: {text.strip()!r} is not a number") from None
