"""One program at a time tunes a cluster."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.errors import UsageError
from advisor.tune.state.lock import lock_holder, locked


def test_a_second_controller_is_told_who_holds_the_cluster(tmp_path: Path):
    assert lock_holder(tmp_path) == ""
    with locked(tmp_path, "shop"):
        assert lock_holder(tmp_path).startswith("process ")
        with pytest.raises(UsageError, match="shop is being tuned by process"), locked(tmp_path, "shop"):
            pass
    assert lock_holder(tmp_path) == ""
