"""The one YAML reader: text stays text, and every fault has a place."""

import os

import pytest

from advisor.data import folder, parse_documents, read_yaml
from advisor.errors import InputError


def test_scalars_stay_as_written():
    text = "gtid_mode: ON\nmariadb: 10.10\nsize: 1_000\ntime: 12:30:45\nserver: NO\nnothing:\n"
    (data,) = parse_documents(text, "x.yaml")
    words = {"gtid_mode": "ON", "mariadb": "10.10", "size": "1_000", "time": "12:30:45", "server": "NO"}
    assert data == {**words, "nothing": ""}


def test_documents_come_one_by_one_and_later_ones_are_not_parsed_before():
    documents = parse_documents("a: 1\n---\nb: [\n", "x.yaml")
    assert next(documents) == {"a": "1"}
    with pytest.raises(InputError):
        next(documents)


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "twice"),
        ("a:\n  c: 1\n  c: 2\n", 3, "twice"),
        ("a: [1\nb: 2\n", 2, "expected"),
        ("? [a, b]\n: 1\n", 1, "not a word"),
        ("a: &x [1]\nb: *x\n", 0, "alias"),
        ("a: " + "[" * 60 + "]" * 60, 0, "levels deep"),
        ("a: \x00", 0, "not YAML"),
    ],
)
def test_what_is_no_data_of_ours_is_refused_with_its_place(text, line, word):
    with pytest.raises(InputError) as caught:
        list(parse_documents(text, "x.yaml"))
    assert (caught.value.file, caught.value.line) == ("x.yaml", line)
    assert word in caught.value.message


def test_a_file_that_cannot_be_read_is_one_clear_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_yaml(tmp_path / "absent.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe9\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_yaml(tmp_path / "latin.yaml")
    with pytest.raises(InputError, match="too long for a YAML file: more than 16 MiB"):
        read_yaml("/dev/zero")


def test_the_rules_are_found_in_the_checkout():
    assert os.path.isdir(folder("rules"))
