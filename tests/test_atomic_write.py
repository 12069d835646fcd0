"""Files are replaced as a whole: a full disk changes nothing, and the message says which file it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.atomic_write import write_files
from advisor.errors import WriteError


def test_several_files_are_changed_all_or_not_at_all(tmp_path: Path) -> None:
    one, two = tmp_path / "m1.cnf", tmp_path / "m2.cnf"
    write_files({one: "a", two: "b"})
    Path(f"{two}.new").symlink_to("/dev/full")  # writing there fails as on a full disk
    with pytest.raises(WriteError, match=r"m2\.cnf: cannot be written: No space left on device"):
        write_files({one: "c", two: "d"})
    assert (one.read_text(), two.read_text()) == ("a", "b")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m1.cnf", "m2.cnf"]
