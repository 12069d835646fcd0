"""Spaces of real releases on a machine of middling size, and the surfaces of the benchmark."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.model.tuning import SearchSpace
from advisor.tune.space.resolve import load_space

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # benchmarks/ is beside advisor/, not in it

MACHINE = {"cpus": 8.0, "memory_bytes": 32.0 * 2**30, "disk_free_bytes": 500.0 * 2**30, "connections": 64.0}


@pytest.fixture
def space_of() -> Callable[[str, str], SearchSpace]:
    """Topology and release → its space on `MACHINE`."""
    return lambda topology, release: load_space(topology, parse_release(release)[-1], MACHINE)
