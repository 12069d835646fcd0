"""`observations.yaml` as text: what cannot be read is refused in one line that names the place."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.errors import InputError
from advisor.evidence import read_path, read_together
from advisor.evidence.formats.observations import read_observations


def test_bytes_that_are_not_utf8_are_refused_with_their_line(tmp_path: Path) -> None:
    (tmp_path / "my.cnf").write_text("[mysqld]\nsync_binlog = 1\n")
    (tmp_path / "observations.yaml").write_bytes(b"clients: 4\nthroughput_per_second: 5 \xf9\n")
    with pytest.raises(InputError) as caught:
        read_together([str(tmp_path / "my.cnf"), str(tmp_path / "observations.yaml")])
    assert str(caught.value) == f"{tmp_path / 'observations.yaml'}:2: not UTF-8"


def test_in_a_bundle_they_are_refused_the_same_way(tmp_path: Path) -> None:
    (tmp_path / "bundle.json").write_text('{"format": 1, "members": [{"name": "a"}]}')
    (tmp_path / "observations.yaml").write_bytes(b"throughput_per_second: 5 \xf9\n")
    with pytest.raises(InputError, match=r"observations\.yaml:1: not UTF-8"):
        read_path(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("- 5\n", 1, "observations are not a mapping"),
        ("clients: 4\nclients: 5\n", 2, "given twice"),
        ("clients: 4\nfsync_ms: fast\n", 2, "not a number"),
        ("members: [a, b]\n", 1, "not a mapping"),
    ],
)
def test_what_is_not_an_observation_is_refused_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_observations(text, "observations.yaml")
    assert caught.value.line == line


def test_numbers_get_the_unit_of_their_name_and_words_stay_words() -> None:
    everyone, members = read_observations("fsync_ms: 2.2\nstorage: nvme\nmembers: {db2: {fsync_ms: 9}}\n", "o.yaml")
    assert (everyone.observed["fsync_ms"].value, everyone.observed["fsync_ms"].unit) == (2.2, "ms")
    assert everyone.observed["storage"].value == "nvme"
    assert members["db2"].observed["fsync_ms"].value == 9
