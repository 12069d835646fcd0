"""Files, includes, and what stops a server from reading them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.model.options import Reading
from advisor.options import read_default_files, read_file, read_text
from advisor.options.reader import MAX_FILES


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is also the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    path.chmod(0o644)
    return str(path)


def texts(reading: Reading) -> list[str]:
    return [argument.text for argument in reading.arguments]


def test_arguments_carry_group_file_and_line(here: Path) -> None:
    file = put(here / "my.cnf", "# first\n[mysqld]\n\nport = 3307\n[client]\nport=3308\n")
    first, second = read_file(file).arguments
    assert (first.text, first.name, first.value, first.group, first.line) == (
        "--port=3307",
        "port",
        "3307",
        "mysqld",
        4,
    )
    assert (first.file, second.group, second.line) == (file, "client", 6)


def test_included_lines_stand_at_that_very_place(here: Path) -> None:
    put(here / "b.cnf", "[mysqld]\nb=1\n[client]\nc=1\n")
    reading = read_file(put(here / "a.cnf", "[mysqld]\na=1\n!include b.cnf\na=2\n"))
    assert texts(reading) == ["--a=1", "--b=1", "--c=1", "--a=2"]
    assert [a.group for a in reading.arguments] == ["mysqld", "mysqld", "client", "mysqld"]
    assert [Path(f).name for f in reading.files] == ["a.cnf", "b.cnf"]


def test_an_included_file_needs_its_own_group(here: Path) -> None:
    put(here / "b.cnf", "b=1\n")
    reading = read_file(put(here / "a.cnf", "[mysqld]\n!include b.cnf\na=1\n"))
    assert texts(reading) == ["--a=1"]
    assert "before the first group" in reading.problems[0].message
    assert not reading.problems[0].fatal


def test_an_includedir_takes_cnf_files_in_byte_order_and_no_others(here: Path) -> None:
    for name in ("9.cnf", "10.cnf", "Z.cnf", "a.b.cnf", ".hidden.cnf", ".cnf", "x.CNF", "x.ini", "x.cnf.bak"):
        put(here / "d" / name, f"[mysqld]\nf={name}\n")
    put(here / "d" / "sub.cnf" / "in.cnf", "[mysqld]\nf=sub\n")
    reading = read_file(put(here / "a.cnf", "[mysqld]\n!includedir d\n"))
    assert texts(reading) == [f"--f={n}" for n in (".cnf", ".hidden.cnf", "10.cnf", "9.cnf", "Z.cnf", "a.b.cnf")]


def test_a_missing_include_is_passed_over_with_a_word(here: Path) -> None:
    reading = read_file(put(here / "a.cnf", "[mysqld]\n!include none.cnf\na=1\n"))
    assert texts(reading) == ["--a=1"]
    assert not reading.problems[0].fatal
    assert (reading.problems[0].line, "none.cnf" in reading.problems[0].message) == (2, True)


def test_a_missing_includedir_stops_the_server(here: Path) -> None:
    reading = read_file(put(here / "a.cnf", "[mysqld]\na=1\n!includedir none\nb=1\n"), same_host=True)
    assert texts(reading) == ["--a=1"]
    assert reading.problems[0].fatal


def test_a_missing_includedir_of_a_copied_file_says_nothing_about_its_server(here: Path) -> None:
    reading = read_file(put(here / "a.cnf", "[mysqld]\n!includedir /none/conf.d\nb=1\n"))
    assert texts(reading) == ["--b=1"]
    assert not reading.problems[0].fatal
    assert reading.problems[0].hint


def test_a_missing_includedir_inside_an_included_file_ends_only_that_file(here: Path) -> None:
    put(here / "b.cnf", "[mysqld]\nb=1\n!includedir none\nb=2\n")
    reading = read_file(put(here / "a.cnf", "[mysqld]\n!include b.cnf\na=1\n"), same_host=True)
    assert texts(reading) == ["--b=1", "--a=1"]
    assert not any(problem.fatal for problem in reading.problems)


def test_a_faulty_included_file_is_left_at_the_fault(here: Path) -> None:
    put(here / "b.cnf", "[mysqld]\nb=1\n[oops\nb=2\n")
    reading = read_file(put(here / "a.cnf", "[mysqld]\n!include b.cnf\na=1\n"))
    assert texts(reading) == ["--b=1", "--a=1"]
    assert not reading.problems[0].fatal


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a=1\n", "before the first group"),
        ("[mysqld\na=1\n", "without ']'"),
        ("[mysqld]\n!include\n", "without a path"),
        ("\ufeff[mysqld]\na=1\n", "byte order mark"),
        ("\ufeff# c\n[mysqld]\na=1\n", "byte order mark"),
    ],
)
def test_a_fault_in_the_file_itself_stops_the_server(here: Path, text: str, message: str) -> None:
    reading = read_file(put(here / "a.cnf", text))
    assert reading.problems[0].fatal
    assert message in reading.problems[0].message


def test_includes_go_ten_levels_deep(here: Path) -> None:
    file = put(here / "a.cnf", "[mysqld]\na=1\n!include a.cnf\n")
    reading = read_file(file)
    assert texts(reading) == ["--a=1"] * 11
    assert ["levels" in problem.message for problem in reading.problems] == [True]


def test_an_include_below_another_root_is_found_there(here: Path) -> None:
    put(here / "etc/mysql/conf.d/x.cnf", "[mysqld]\nx=1\n")
    file = put(here / "etc/my.cnf", "[mysqld]\n!includedir /etc/mysql/conf.d/\n")
    assert texts(read_file(file, root=str(here))) == ["--x=1"]


def test_a_world_writable_file_is_ignored_with_a_warning(here: Path) -> None:
    put(here / "b.cnf", "[mysqld]\nb=1\n")
    file = put(here / "a.cnf", "[mysqld]\n!include b.cnf\na=1\n")
    (here / "b.cnf").chmod(0o666)
    reading = read_file(file)
    assert texts(reading) == ["--a=1"]
    assert "world-writable" in reading.problems[0].message
    assert not reading.problems[0].fatal
    os.chmod(file, 0o646)
    assert texts(read_file(file)) == []


def test_files_of_a_plain_start_are_read_in_the_servers_order(here: Path) -> None:
    places = ["etc/my.cnf", "etc/mysql/my.cnf", "usr/local/mysql/etc/my.cnf", "srv/my.cnf"]
    for at, place in enumerate(places):
        put(here / place, f"[mysqld]\na={at}\n")
    put(here / "home/.my.cnf", "[mysqld]\na=home\n")
    extra = put(here / "extra.cnf", "[mysqld]\na=extra\n")
    reading = read_default_files(str(here), home=str(here / "home"), mysql_home="/srv", extra_file=extra)
    assert texts(reading) == ["--a=0", "--a=1", "--a=2", "--a=3", "--a=extra", "--a=home"]


def test_missing_default_files_are_no_error_but_a_missing_extra_file_is(here: Path) -> None:
    assert read_default_files(str(here)) == Reading(())
    with pytest.raises(InputError, match="no such file"):
        read_default_files(str(here), extra_file=str(here / "none.cnf"))


def test_a_fault_in_one_default_file_ends_the_reading(here: Path) -> None:
    put(here / "etc/my.cnf", "a=1\n")
    put(here / "etc/mysql/my.cnf", "[mysqld]\na=1\n")
    reading = read_default_files(str(here))
    assert texts(reading) == []
    assert reading.problems[0].fatal


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[mysqld]\na=\0\n", "zero byte"),
        ("[mysqld]\na=1\n".encode("utf-16"), "UTF-16"),
        (b"x" * (16 * 1024 * 1024 + 1), "larger than"),
    ],
)
def test_what_is_no_option_file_is_an_error_with_its_place(here: Path, data: bytes, message: str) -> None:
    (here / "a.cnf").write_bytes(data)
    with pytest.raises(InputError, match=message) as error:
        read_file(str(here / "a.cnf"))
    assert error.value.file == str(here / "a.cnf")


def test_a_missing_file_and_a_folder_are_errors(here: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_file(str(here / "none.cnf"))
    with pytest.raises(InputError, match="folder"):
        read_file(str(here))


def test_bytes_that_are_no_utf8_are_kept(here: Path) -> None:
    (here / "a.cnf").write_bytes(b"[mysqld]\ninit_connect=\xff\xfe'x'\n")
    argument = read_file(str(here / "a.cnf")).arguments[0]
    assert argument.text.encode("utf-8", "surrogateescape") == b"--init_connect=\xff\xfe'x'"


def test_the_other_reading_is_there_only_where_it_differs(here: Path) -> None:
    plain = read_text("[mysqld]\na=1\n")
    assert plain.cut is None
    long = read_text("[mysqld]\na=" + "x" * 5000 + "\n")
    assert long.cut is not None
    assert (len(long.arguments), len(long.cut.arguments)) == (1, 2)
    put(here / "b.cnf", "[mysqld]\nb=1\n")
    commented = read_text("[mysqld]\n!include b.cnf # c\n")
    assert commented.cut is not None
    assert (texts(commented), texts(commented.cut)) == (["--b=1"], [])


def test_every_group_is_listed_even_an_empty_one() -> None:
    assert read_text("[mysqld]\na=1\n[mariadb-10.6]\n[mysqld]\n").groups == ("mysqld", "mariadb-10.6")


def test_folders_that_include_each_other_are_read_up_to_a_limit(here: Path) -> None:
    for name in ("a.cnf", "b.cnf"):
        put(here / name, f"[mysqld]\nport = 1\n!includedir {here}\n!includedir {here}\n")
    reading = read_file(str(here / "a.cnf"))
    assert len(reading.files) == MAX_FILES
    assert [problem for problem in reading.problems if f"more than {MAX_FILES} files" in problem.message]


def test_an_include_of_a_folder_reads_nothing(tmp_path):
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "a.cnf").write_text("[mysqld]\nport = 1\n", encoding="utf-8")
    file = tmp_path / "my.cnf"
    file.write_text(f"[mysqld]\n!include {tmp_path}/conf.d/\n!include /somewhere/else.d\nuser = a\n", encoding="utf-8")
    reading = read_file(str(file))
    assert [a.name for a in reading.arguments] == ["user"]
    assert [(p.line, p.fatal, p.elsewhere, p.hint) for p in reading.problems] == [
        (2, False, False, "for a folder write !includedir"),
        (3, False, False, "for a folder write !includedir"),
    ]
