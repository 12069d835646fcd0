"""Fixtures for every test: where the checkout and the shared study material are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

CHECKOUT = Path(__file__).resolve().parents[1]
SHARED = CHECKOUT.parent / "shared"
# The user's own cache of parsed rules is left alone, and tests cannot depend on what it holds.
os.environ["XDG_CACHE_HOME"] = str(CHECKOUT / ".pytest_cache" / "cache-home")
# A deadline is a stopwatch: on a busy machine it fails for nothing. `make rest` tries six times as many examples.
settings.register_profile("advisor", deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=150)
settings.load_profile("advisor")


@pytest.fixture(scope="session")
def checkout() -> Path:
    """The root of the checkout."""
    return CHECKOUT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared study material beside the checkout; tests marked `shared` are skipped where it is absent."""
    return SHARED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use the fixture `shared`, and skip marked ones, with a word, where the material is absent."""
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.shared)
        if item.get_closest_marker("shared") and not SHARED.is_dir():
            item.add_marker(pytest.mark.skip(reason="no study material in ../shared beside the checkout"))
