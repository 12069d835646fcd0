"""The shipped JSON Schemas are what the reports' dataclasses say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_schemas_are_up_to_date(checkout: Path) -> None:
    command = [sys.executable, "scripts/build_schemas.py", "--check"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
