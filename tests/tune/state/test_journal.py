"""The journal: whatever it was cut off at, it says what must be restored."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.atomic_write import write_file
from advisor.errors import InputError, MachineError
from advisor.lab.limits import disks
from advisor.tune.state.journal import Journal, OptionFile, Originals, read_journal

FOUND = Originals(
    "cluster.yaml",
    {"m1": {"innodb_io_capacity": "200"}, "m2": {"innodb_io_capacity": "400"}},
    {"m1": {"sync_binlog": "1"}, "m2": {"sync_binlog": "1"}},
    {"m1": OptionFile("/etc/my.cnf", "[mysqld]\n"), "m2": OptionFile("/etc/own.cnf", None)},
)


def written(path: Path, *events: str) -> Path:
    journal = Journal(path)
    journal.begin(FOUND)
    for event in events:
        journal.note(event)
    return path


def test_what_was_never_begun_needs_nothing_put_back(tmp_path: Path):
    account = read_journal(tmp_path / "journal.jsonl")
    assert account.originals is None
    assert not account.open


def test_everything_found_at_the_beginning_comes_back_as_it_was(tmp_path: Path):
    account = read_journal(written(tmp_path / "j"))
    assert account.originals == FOUND
    assert account.open
    assert not account.restart, "no option file was written"


def test_files_stay_to_be_put_back_until_everything_was(tmp_path: Path):
    assert read_journal(written(tmp_path / "j", "files", "state")).restart
    done = read_journal(written(tmp_path / "k", "files", "restoring", "restored"))
    assert not done.open
    assert not done.restart
    assert read_journal(written(tmp_path / "l", "files", "restoring")).open, "it was interrupted, too"


def test_what_was_applied_to_stay_can_be_told_from_what_was_left_behind(tmp_path: Path):
    assert read_journal(written(tmp_path / "j", "files", "applied")).applied
    assert not read_journal(written(tmp_path / "k", "files")).applied


def test_what_could_not_be_put_back_is_known_until_the_next_run_begins(tmp_path: Path):
    path = written(tmp_path / "j", "files")
    Journal(path).note("restored", differences=["m1: sync_binlog was 1, and is not so now"])
    account = read_journal(path)
    assert not account.open
    assert account.differences == ("m1: sync_binlog was 1, and is not so now",)
    Journal(path).begin(FOUND)
    assert read_journal(path).differences == ()


def test_at_whatever_byte_it_is_cut_it_can_be_read_and_written_on(tmp_path: Path):
    whole = written(tmp_path / "j", "files", "state").read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(len(whole) + 1):
        path = tmp_path / "cut"
        path.write_bytes(whole[:length])
        account = read_journal(path)
        assert account.open == (length >= first - 1), length
        Journal(path).note("restored")
        assert not read_journal(path).open, length


def test_a_line_that_is_none_of_ours_is_an_error_with_its_place(tmp_path: Path):
    path = written(tmp_path / "j")
    path.write_text("nonsense\n" + path.read_text())
    with pytest.raises(InputError) as caught:
        read_journal(path)
    assert str(caught.value).startswith(f"{path}:1: ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"[]", "not a line of a journal"),
        (b'{"at": 1}', "not a line of a journal"),
        (b'{"event": "begin", "format": "1"}', "the `begin` line of the journal is incomplete"),
        (b'{"event": "begin", "format": "1", "cluster": "c", "values": [1], "relied": {}, "files": {}}',
         "the `begin` line of the journal is incomplete"),
        (b'{"event": "begin", "format": "9"}', "format '9', but this release of advisor reads 1"),
        (b"\xff\xfe", "not text"),
    ],
)  # fmt: skip
def test_a_whole_line_that_says_nothing_is_refused_and_the_cluster_is_not_called_restored(
    tmp_path: Path, line: bytes, said: str
):
    path = tmp_path / "j"
    path.write_bytes(line + b"\n")
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        read_journal(path)
    assert caught.value.hint


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A folder whose disk is full."""
    data = tmp_path / "data"
    disks.make(data, 64 << 20)
    disks.fill(data / "ballast", 0)
    yield data
    disks.remove(tmp_path)


@pytest.mark.skipif(bool(disks.why_not()), reason=f"no disks here: {disks.why_not()}")
def test_on_a_full_disk_nothing_is_begun_and_what_is_being_put_back_is(full: Path):
    path = full / "journal.jsonl"
    with pytest.raises(MachineError, match="No space left"):
        written(path, *["state"] * 200)
    assert read_journal(path).open is bool(read_journal(path).originals)
    Journal(path, must=False).note("restored")
    account = read_journal(path)
    (full / "ballast").unlink()
    assert read_journal(path).open is account.open
    Journal(path, must=False).note("restored")
    assert not read_journal(path).open
    before = path.read_text(encoding="utf-8")
    disks.fill(full / "ballast", 0)
    with pytest.raises(MachineError, match="No space left"):
        write_file(path, "x" * 100_000)
    assert path.read_text(encoding="utf-8") == before
    assert sorted(place.name for place in full.iterdir()) == ["ballast", "journal.jsonl"]
