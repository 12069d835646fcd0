"""How does `--observe throughput_per_second=4000 clients=64` become evidence?"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from advisor.check.lint import HOST, OBSERVED
from advisor.errors import UsageError
from advisor.evidence.formats.observations import read_observations
from advisor.model.evidence import Cluster
from advisor.model.record import replace

_PAIR: Final = re.compile(r"[a-z_]+(?:\.[^=]+)?=")


def split_observations(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """(paths, observations): a word like clients=64 among the paths is meant as an observation."""
    told = [word for word in words if _PAIR.match(word)]
    return [word for word in words if word not in told], told


def observe(cluster: Cluster, told: Sequence[str]) -> Cluster:
    """The cluster with what the user observed, said of every member; it counts more than what files say.

    UsageError for what is not NAME=VALUE, or a name nobody asks for.
    """
    if not told:
        return cluster
    data: dict[str, Any] = {}
    for text in told:
        for part in text.split() if text.count("=") > 1 else [text]:
            _take(data, part)
    pieces, _ = read_observations(json.dumps(data), "--observe")
    members = tuple(
        replace(member, observed={**member.observed, **pieces.observed}, host={**member.host, **pieces.host})
        for member in cluster.members
    )
    return replace(cluster, members=members)


def _take(data: dict[str, Any], part: str) -> None:
    name, equals, value = part.partition("=")
    head, dot, rest = name.partition(".")
    if not equals or not value.strip():
        raise UsageError(
            f"--observe {part!r} is not NAME=VALUE", hint="--observe throughput_per_second=4000 clients=64"
        )
    if head not in OBSERVED and not (head == "host" and rest in HOST):
        known = ", ".join(sorted(name for name in OBSERVED if "." not in name))
        raise UsageError(f"--observe: nothing is called {head!r}", hint=f"there is {known}")
    if head == "scaling":
        data["scaling"] = [_point(text) for text in value.split(",")]
    elif head == "tried":
        data.setdefault("tried", []).append(_trial(value))
    elif dot:
        data.setdefault(head, {})[rest] = value
    else:
        data[head] = value


def _point(text: str) -> dict[str, str]:
    clients, colon, throughput = text.partition(":")
    if not colon:
        raise UsageError(f"--observe scaling: {text!r} is not CLIENTS:THROUGHPUT", hint="scaling=1:600,16:610,64:605")
    _refuse_words("scaling", clients, throughput)
    return {"clients": clients.strip(), "throughput": throughput.strip()}


def _trial(text: str) -> dict[str, str]:
    parts = [part.strip() for part in text.split(":")]
    if len(parts) != 5:
        hint = "tried=sync_binlog:1:0:1000:1020, throughput before and after last"
        raise UsageError(f"--observe tried: {text!r} is not NAME:FROM:TO:BEFORE:AFTER", hint=hint)
    _refuse_words("tried", *parts[3:])
    return dict(zip(("what", "from", "to", "throughput_before", "throughput_after"), parts, strict=True))


def _refuse_words(name: str, *figures: str) -> None:
    for text in figures:
        try:
            float(text)
        except ValueError:
            raise UsageError(f"--observe {name}: {text.strip()!r} is not a number") from None
