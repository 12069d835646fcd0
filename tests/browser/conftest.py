"""A real browser: found on this machine or not used, with a loud line; under CI=true its absence is a failure."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.driving import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
MISSING: set[str] = set()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder starts a browser."""
    for item in items:
        if "tests/browser" in item.nodeid:
            item.add_marker(pytest.mark.browser)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was not tried."""
    for what in sorted(MISSING):
        terminalreporter.write_line(f"NOT TESTED IN A BROWSER: {what}", yellow=True, bold=True)


def works(program: str) -> bool:
    """Whether it is a browser, and no stub that wants to fetch one."""
    return subprocess.run([program, "--version"], capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests, with a profile of its own, that ends with them."""
    program = next((path for name in NAMES if (path := shutil.which(name)) and works(path)), None)
    if program is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium; scripts/get_browser.sh gets one")
        MISSING.add("HTML reports (no Chromium; scripts/get_browser.sh gets one)")
        pytest.skip("no Chromium")
    with Browser(Path(program), tmp_path_factory.mktemp("profile")) as started:
        yield started
