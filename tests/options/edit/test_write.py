"""Putting edited files in place: with backups, whole or not at all."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.options.edit.edited_file import FileEdit
from advisor.options.edit.write import write_edits

BEFORE, AFTER = b"[mysqld]\nsync_binlog=0\n", b"[mysqld]\nsync_binlog=1\n"


def edit_of(path: Path) -> FileEdit:
    """A file on disk and the edit that changes it."""
    path.write_bytes(BEFORE)
    return FileEdit(str(path), BEFORE, AFTER)


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(os.listdir(folder))


def test_the_file_is_replaced_and_the_old_one_kept_beside_it(tmp_path: Path) -> None:
    backups = write_edits([edit_of(tmp_path / "my.cnf")])
    assert (tmp_path / "my.cnf").read_bytes() == AFTER
    assert [Path(path).read_bytes() for path in backups] == [BEFORE]
    assert names(tmp_path) == ["my.cnf", "my.cnf.advisor-backup"]


def test_an_older_backup_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "my.cnf.bak").write_bytes(b"precious")
    backups = write_edits([edit_of(tmp_path / "my.cnf")], backup_suffix=".bak")
    assert backups == [str(tmp_path / "my.cnf.bak.1")]
    assert (tmp_path / "my.cnf.bak").read_bytes() == b"precious"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644])
def test_file_and_backup_have_the_mode_of_the_old_file(tmp_path: Path, mode: int) -> None:
    edit = edit_of(tmp_path / "my.cnf")
    os.chmod(edit.path, mode)
    (backup,) = write_edits([edit])
    assert {stat.S_IMODE(os.stat(path).st_mode) for path in (edit.path, backup)} == {mode}


def test_a_symbolic_link_stays_and_its_file_is_changed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "etc").mkdir()
    edit_of(tmp_path / "real" / "my.cnf")
    (tmp_path / "etc" / "my.cnf").symlink_to("../real/my.cnf")
    write_edits([FileEdit(str(tmp_path / "etc" / "my.cnf"), BEFORE, AFTER)])
    assert (tmp_path / "etc" / "my.cnf").is_symlink()
    assert (tmp_path / "real" / "my.cnf").read_bytes() == AFTER
    assert names(tmp_path / "etc") == ["my.cnf"]


def test_a_backup_in_an_included_folder_is_not_read_by_the_server(tmp_path: Path) -> None:
    write_edits([edit_of(tmp_path / "50-server.cnf")])
    assert [name for name in names(tmp_path) if name.endswith(".cnf")] == ["50-server.cnf"]


def test_nothing_is_written_when_one_file_changed_since_it_was_read(tmp_path: Path) -> None:
    edits = [edit_of(tmp_path / "a.cnf"), edit_of(tmp_path / "b.cnf")]
    (tmp_path / "b.cnf").write_bytes(b"[mysqld]\n")
    with pytest.raises(InputError, match="changed since it was read") as caught:
        write_edits(edits)
    assert caught.value.file.endswith("b.cnf")
    assert (tmp_path / "a.cnf").read_bytes() == BEFORE
    assert names(tmp_path) == ["a.cnf", "b.cnf"]


def test_a_file_that_vanished_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        write_edits([FileEdit(str(tmp_path / "my.cnf"), BEFORE, AFTER)])


def test_a_folder_without_room_for_the_new_file_stops_before_anything_changes(tmp_path: Path) -> None:
    # A name so long that no suffix fits: fails for root too, as a read-only folder would not.
    edits = [edit_of(tmp_path / "a.cnf"), edit_of(tmp_path / ("b" * 251 + ".cnf"))]
    with pytest.raises(InputError, match="nothing was changed"):
        write_edits(edits)
    assert (tmp_path / "a.cnf").read_bytes() == BEFORE
    assert len(names(tmp_path)) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_stops_before_anything_changes(tmp_path: Path) -> None:
    edit = edit_of(tmp_path / "my.cnf")
    os.chmod(tmp_path, 0o500)
    try:
        with pytest.raises(InputError, match="nothing was changed"):
            write_edits([edit])
    finally:
        os.chmod(tmp_path, 0o700)
    assert names(tmp_path) == ["my.cnf"]


def test_files_already_replaced_are_put_back_when_a_later_one_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edits = [edit_of(tmp_path / "a.cnf"), edit_of(tmp_path / "b.cnf")]
    replace = os.replace

    def full_for_b(source: str, target: str) -> None:
        if target.endswith("b.cnf"):
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", full_for_b)
    with pytest.raises(InputError, match="No space left on device; no file was changed"):
        write_edits(edits)
    assert [(tmp_path / name).read_bytes() for name in ("a.cnf", "b.cnf")] == [BEFORE, BEFORE]
    assert names(tmp_path) == ["a.cnf", "b.cnf"]


@pytest.mark.parametrize("call", range(1, 9))
def test_killed_at_any_step_each_file_is_old_or_new_and_the_old_one_is_there(tmp_path: Path, call: int) -> None:
    """The process is killed at the n-th flush or replacement; `call` beyond the last lets it finish."""
    for name in ("a.cnf", "b.cnf"):
        edit_of(tmp_path / name)
    script = f"""
import os, signal
from advisor.options.edit.edited_file import FileEdit
from advisor.options.edit.write import write_edits
calls = 0
def counted(function):
    def step(*arguments):
        global calls
        calls += 1
        if calls == {call}:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments)
    return step
os.fsync, os.replace = counted(os.fsync), counted(os.replace)
write_edits([FileEdit(os.path.join({str(tmp_path)!r}, name), {BEFORE!r}, {AFTER!r}) for name in ("a.cnf", "b.cnf")])
"""
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -signal.SIGKILL
    for name in ("a.cnf", "b.cnf"):
        content = (tmp_path / name).read_bytes()
        assert content in (BEFORE, AFTER)
        if content == AFTER:
            assert (tmp_path / f"{name}.advisor-backup").read_bytes() == BEFORE
