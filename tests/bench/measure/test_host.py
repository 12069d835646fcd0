"""Shares of this machine, of processes that are known to work or to rest."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from advisor.bench.measure.host import HostMeter


def test_a_process_that_spins_uses_up_to_one_processor_and_one_that_sleeps_none():
    spinning = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    sleeping = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        time.sleep(0.3)
        meter = HostMeter(lambda: {"busy": [spinning.pid], "idle": [sleeping.pid], "gone": [2**22 + 5]})
        meter.read()
        time.sleep(1.0)
        shares = meter.read()
    finally:
        for one in (spinning, sleeping):
            one.kill()
            one.wait()
    cpus = os.cpu_count() or 1
    assert 0.01 < shares["busy"] < 1.1 / cpus  # others may keep the machine busy
    assert shares["idle"] < 0.01
    assert shares["busy"] - 0.1 <= shares["cpu_share"] <= 1.0
    assert "gone" not in shares


def test_a_process_that_comes_later_has_no_share_before_its_second_reading():
    seen: dict[str, list[int]] = {}
    meter = HostMeter(lambda: seen)
    seen["me"] = [os.getpid()]
    time.sleep(0.1)
    assert "me" not in meter.read()
    time.sleep(0.1)
    assert "me" in meter.read()
