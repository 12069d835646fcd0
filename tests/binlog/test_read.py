"""Logs of real servers are read event by event as these list them, and what is wrong with a file is one line."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import settings as how_often
from hypothesis import strategies as some

from advisor.binlog.changed_rows import Wanted
from advisor.binlog.events.types import name_of
from advisor.binlog.events.walk import HEADER, walk
from advisor.binlog.read import LogReading, Period
from advisor.binlog.source.log_file import FIRST_POSITION
from advisor.errors import InputError
from advisor.model.server import Family
from advisor.model.workload.transaction import Kind, Transaction

SAMPLES = Path(__file__).parent / "samples"
MYSQL, MARIADB = SAMPLES / "mysql-9.7.4", SAMPLES / "mariadb-10.11.19"


def read(*paths: Path, **more: object) -> tuple[list[Transaction], LogReading]:
    """All transactions, and the reading with its notes."""
    reading = LogReading([str(path) for path in paths], Wanted(keys=True), **more)  # type: ignore[arg-type]
    return list(reading.transactions()), reading


def fail(position: int, reason: str) -> None:
    pytest.fail(f"{position}: {reason}")


@pytest.mark.parametrize(("folder", "family"), [(MYSQL, Family.MYSQL), (MARIADB, Family.MARIADB)])
def test_every_event_is_the_one_that_the_server_lists(folder: Path, family: Family) -> None:
    ours = []
    for path in sorted(folder.glob("*.0*")):
        stream = io.BytesIO(path.read_bytes())
        stream.seek(FIRST_POSITION)
        for code, _, server_id, position, _, data, offset in walk(stream, FIRST_POSITION, fail):
            end = HEADER.unpack_from(data, offset)[4]
            ours.append("\t".join(map(str, (path.name, position, name_of(code, family), server_id, end))))
    assert ours == (folder / "events.tsv").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("folder", [MYSQL, MARIADB])
def test_a_folder_or_its_index_names_all_files_and_every_gtid_begins_a_transaction(folder: Path) -> None:
    by_folder, reading = read(folder)
    by_index, _ = read(next(folder.glob("*.index")))
    assert by_folder == by_index
    assert reading.notes == []
    assert [file.name for file in reading.files] == [path.name for path in sorted(folder.glob("*.0*"))]
    listed = [line.split("\t") for line in (folder / "events.tsv").read_text(encoding="utf-8").splitlines()]
    begins = [(name, int(position)) for name, position, kind, *_ in listed if kind in ("Gtid", "Gtid_tagged_log_event")]
    assert [(each.file, each.position) for each in by_folder] == begins


def test_mysql_transactions_have_their_ids_dependencies_rows_and_keys() -> None:
    transactions, reading = read(MYSQL)
    by_gtid = {str(each.gtid).partition(":")[2]: each for each in transactions}
    assert [each.sequence_number for each in transactions[:34]] == list(range(1, 35))
    order = by_gtid["9"]
    assert (order.kind, order.statements, order.rows) == (Kind.ROWS, 4, 6)
    assert [change[:4] for change in order.changes] == [("shop.orders", 1, 2, 0), ("shop.lines_of", 2, 0, 1)]
    assert [len(change.key_hashes or ()) for change in order.changes] == [2, 2]
    assert by_gtid["mytag:1"].changes[0].inserted == 1
    assert by_gtid["mytag:1"].immediate_us == by_gtid["mytag:1"].original_us
    assert by_gtid["1"].kind is Kind.DDL
    assert by_gtid["16"].kind is Kind.STATEMENTS
    assert by_gtid["16"].rows is None
    packed = by_gtid["20"]
    assert packed.packed_bytes is not None
    assert packed.packed_bytes < packed.size_bytes
    assert packed.rows == 35
    assert reading.has_key["shop.orders"] is True
    assert reading.has_key["shop.nokey"] is False


def test_mariadb_transactions_have_their_domains_flags_and_compressed_rows() -> None:
    transactions, reading = read(MARIADB)
    assert {each.gtid[0] for each in transactions if each.gtid} == {0, 5}
    packed = next(each for each in transactions if each.file == "bin.000002" and each.statements == 2)
    assert packed.changes[0][:4] == ("shop.orders", 54, 0, 0)
    assert sum(each.kind is Kind.DDL for each in transactions) == 10
    assert reading.has_key["shop.nokey"] is False


def test_only_transactions_of_the_period_are_given() -> None:
    everything, _ = read(MYSQL)
    begin, end = everything[5].at_seconds, everything[9].at_seconds
    part, _ = read(MYSQL, period=Period(begin, end))
    assert part == everything[5:10]


def test_a_cut_file_is_read_up_to_the_cut(tmp_path: Path) -> None:
    whole = (MYSQL / "binlog.000001").read_bytes()
    everything, _ = read(MYSQL / "binlog.000001")
    for length in range(200, len(whole), 977):
        (tmp_path / "binlog.000001").write_bytes(whole[:length])
        transactions, reading = read(tmp_path / "binlog.000001")
        assert transactions == [each for each in everything if each.end <= length]
        assert all(each.end == length for each in transactions[-1:]) or reading.notes


@given(
    file=some.sampled_from([MARIADB / "bin.000001", MARIADB / "bin.000002", MYSQL / "binlog.000001"]),
    at=some.integers(120, 14_000),
    new=some.binary(min_size=1, max_size=8),
)
@example(file=MYSQL / "binlog.000001", at=8_700, new=b"damaged")  # inside a compressed transaction
@how_often(max_examples=60)
def test_damaged_bytes_never_end_in_a_traceback(file: Path, at: int, new: bytes) -> None:
    whole = file.read_bytes()
    damaged = whole[:at] + new + whole[at + len(new) :]
    path = SAMPLES.parent / ".damaged"
    path.write_bytes(damaged)
    try:
        read(path)
    except InputError as error:
        assert error.file  # noqa: PT017 – either is right, a traceback is not
    finally:
        path.unlink()


def test_a_wrong_checksum_is_noted_with_its_position(tmp_path: Path) -> None:
    damaged = bytearray((MYSQL / "binlog.000001").read_bytes())
    damaged[11_940] ^= 1  # a letter of a table's name
    (tmp_path / "binlog.000001").write_bytes(damaged)
    _, reading = read(tmp_path / "binlog.000001", check_sums=True)
    assert [note.text for note in reading.notes] == ["the checksum of an event is wrong"]
    assert reading.notes[0].position == 11_902
    assert read(MYSQL, check_sums=True)[1].notes == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file is empty"),
        (b"\xfdbin\x01" + bytes(600), "encrypted by MySQL"),
        (gzip.compress(b"\xfebin"), "compressed with gzip"),
        (b"[mysqld]\nlog_bin\n", "not a binary log"),
        (b"/*!50530 SET @@SESSION.PSEUDO_SLAVE_MODE=1*/;", "the text that mysqlbinlog prints"),
        (b"\xfebin" + bytes(100), "does not begin like a binary log"),
    ],
)
def test_what_is_not_a_binary_log_is_refused_in_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "binlog.000001").write_bytes(content)
    with pytest.raises(InputError, match=said):
        read(tmp_path / "binlog.000001")


def test_a_missing_file_and_one_of_another_server_are_noted_and_the_rest_is_read(
    tmp_path: Path, copied: Callable[[Path], Path]
) -> None:
    folder = copied(MYSQL)
    (folder / "binlog.000002").unlink()
    (folder / "binlog.000003").write_bytes((MARIADB / "bin.000002").read_bytes())
    transactions, reading = read(folder)
    assert {each.file for each in transactions} == {"binlog.000001", "binlog.000003"}
    said = " · ".join(note.text for note in reading.notes)
    assert "the index lists this file, but the file does not exist" in said
    assert "binlog.000002 should come next" in said


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[Path], Path]:
    """Copies a folder of samples."""

    def copy(folder: Path) -> Path:
        for path in folder.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        return tmp_path

    return copy


def test_a_name_that_is_nothing_and_a_folder_without_index_are_usage_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read(tmp_path / "binlog.000001")
    with pytest.raises(InputError, match="no index of a binary log"):
        read(tmp_path)
