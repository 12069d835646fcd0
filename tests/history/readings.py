"""Readings as a Prometheus keeps them, made for a test: series by metric, with labels, once a second."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from advisor.history.assemble import Reading

BEGIN = 1_795_000_000.0


def reading(metric: str, values: Sequence[float], begin: float = BEGIN, step: float = 1.0, **labels: str) -> Reading:
    """A series of one server, m1 unless another instance is named."""
    named = {"__name__": metric, "instance": "m1", "job": "mysql", **labels}
    return Reading(named, [begin + step * number for number in range(len(values))], list(values))


def line(one: Reading) -> str:
    """The series as VictoriaMetrics exports it."""
    moments = [round(at * 1000) for at in one.at_seconds]
    return json.dumps({"metric": dict(one.labels), "values": list(one.values), "timestamps": moments})


def write_lines(path: Path, readings: Sequence[Reading]) -> str:
    """A file of such series; its path."""
    path.write_text("\n".join(map(line, readings)) + "\n", encoding="utf-8")
    return str(path)
