"""Where the lab keeps its files."""

from __future__ import annotations

import pytest

from advisor.errors import LabError
from advisor.lab import folders


def test_a_home_that_cannot_be_created_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/dev/null/x")
    with pytest.raises(LabError, match=r"cannot create /dev/null/x/advisor: Not a directory"):
        folders.labs()
