"""Tests for `advisor.history.export`: pmm-dump archives and JSON lines are read, broken ones cost a line."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.history.export import read_export
from tests.history.readings import BEGIN, line, reading, write_lines

QUESTIONS = reading("mysql_global_status_questions", [1, 2, 3])
VARIABLE = reading("mysql_global_variables_sync_binlog", [1, 1])


def archive(path: Path, chunks: dict[str, bytes]) -> str:
    """A pmm-dump archive in its documented form: meta.json, vm/, ch/, log.json."""
    with tarfile.open(path, "w:gz") as packed:
        others = {"meta.json": b'{"version":{}}', "ch/0.tsv": b"1\t2\n", "log.json": b"{}"}
        for name, content in {**chunks, **others}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            packed.addfile(entry, io.BytesIO(content))
    return str(path)


def test_an_archive_of_pmm_dump_is_read_chunk_by_chunk(tmp_path: Path) -> None:
    later = reading("mysql_global_status_questions", [4, 5], begin=BEGIN + 300)
    chunks = {
        "vm/1795000000-1795000300.bin": gzip.compress((line(QUESTIONS) + line(VARIABLE)).encode()),
        "vm/1795000300-1795000600.bin": gzip.compress((line(later) + "\n").encode()),
    }
    readings, problems = read_export(archive(tmp_path / "pmm-dump.tar.gz", chunks), lambda labels: True)
    assert problems == []
    assert [list(one.values) for one in readings] == [[1, 2, 3], [1, 1], [4, 5]]
    assert list(readings[0].at_seconds) == [BEGIN, BEGIN + 1, BEGIN + 2]


def test_only_what_is_asked_for_is_kept(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "export.jsonl", [QUESTIONS, VARIABLE])
    readings, _ = read_export(path, lambda labels: labels["__name__"].endswith("sync_binlog"))
    assert [one.labels["__name__"] for one in readings] == ["mysql_global_variables_sync_binlog"]


def test_a_packed_file_of_lines_is_read(tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl.gz"
    path.write_bytes(gzip.compress((line(QUESTIONS) + "\n").encode()))
    assert len(read_export(str(path), lambda labels: True)[0]) == 1


def test_chunks_in_native_form_or_cut_off_cost_a_line_each(tmp_path: Path) -> None:
    whole = gzip.compress((line(QUESTIONS) + "\n").encode())
    chunks = {
        "vm/1.bin": whole,
        "vm/2.bin": gzip.compress(b"\x00\x01native"),
        "vm/3.bin": gzip.compress(line(VARIABLE).encode()[:-20]),
        "vm/4.bin": b"not gzip",
    }
    readings, problems = read_export(archive(tmp_path / "dump.tar.gz", chunks), lambda labels: True)
    assert len(readings) == 1
    assert [problem.partition(": ")[0] for problem in problems] == [f"dump.tar.gz:vm/{n}.bin" for n in (2, 3, 4)]
    assert "native form" in problems[0]
    assert "cut off" in problems[1]


def test_an_archive_that_is_cut_gives_what_comes_before(tmp_path: Path) -> None:
    noise = gzip.compress(bytes(range(256)) * 400, compresslevel=0)
    whole = archive(tmp_path / "dump.tar.gz", {"vm/1.bin": gzip.compress(line(QUESTIONS).encode()), "vm/2.bin": noise})
    cut = tmp_path / "cut.tar.gz"
    cut.write_bytes(Path(whole).read_bytes()[:900])
    readings, problems = read_export(str(cut), lambda labels: True)
    assert len(readings) == 1
    assert any("ends early" in problem or "cut" in problem for problem in problems)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"Salted__12345678abcdef", "the archive is encrypted"),
        (b"[client]\nuser=x\n", "not an export of monitoring"),
        (b'{"metric": {"__name__": "up"}, "values": [1], "timesta', "cannot be read: a series is cut off"),
        (b'{"metric": {"__name__": "up"}, "values": [1], "timestamps": []}', "malformed"),
        (gzip.compress(b"x" * 40, mtime=0)[:-4], "cannot be read"),
    ],
)
def test_what_is_no_export_is_one_line_with_the_place(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_export(str(path), lambda labels: True)
    assert says in str(caught.value)
    assert str(path) in str(caught.value)
    assert "\n" not in caught.value.message


def test_an_archive_without_metrics_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no metrics"):
        read_export(archive(tmp_path / "dump.tar.gz", {}), lambda labels: True)
