"""A maintenance window is open when its hours say so."""

from __future__ import annotations

import time

import pytest

from advisor.tune.request.maintenance_window import MaintenanceWindow


@pytest.mark.parametrize(
    ("window", "hour", "inside"),
    [("22:00-06:00", 23, True), ("22:00-06:00", 5, True), ("22:00-06:00", 6, False), ("08:00-17:30", 12, True),
     ("08:00-17:30", 18, False), ("", 3, True)],
)  # fmt: skip
def test_a_window_may_reach_over_midnight(window, hour, inside):
    at = time.mktime((2026, 3, 4, hour, 0, 0, 0, 0, -1))
    assert MaintenanceWindow(window, lambda: at).open_now() is inside
