"""Passwords never get into the evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.evidence import read_path
from advisor.evidence.member.redaction import redact, redact_text

SAMPLES = Path(__file__).parents[1] / "samples"


@pytest.mark.parametrize("path", sorted(SAMPLES.iterdir()), ids=lambda path: path.name)
def test_no_sample_s_password_is_kept(path: Path) -> None:
    assert "hunter2" not in repr(read_path(str(path)))


def test_the_samples_do_hold_passwords() -> None:
    with_password = [path for path in SAMPLES.rglob("*") if path.is_file() and "hunter2" in path.read_text()]
    assert len(with_password) >= 5


@pytest.mark.parametrize(
    "text",
    [
        "CREATE USER a@b IDENTIFIED BY 'hunter2'",
        "alter user a identified with caching_sha2_password by 'hunter2'",
        'GRANT ALL ON *.* TO a IDENTIFIED BY PASSWORD "hunter2"',
        "CHANGE MASTER TO MASTER_HOST='a', MASTER_PASSWORD = 'hunter2'",
        "CHANGE REPLICATION SOURCE TO SOURCE_PASSWORD='hunter2'",
        "SET PASSWORD FOR 'a'@'b' = PASSWORD('hunter2')",
        "SET PASSWORD='hunter2",
        "http://admin:hunter2@10.0.0.1:8200/v1",
        "root:hunter2@localhost",
    ],
)
def test_passwords_in_statements_and_addresses_are_masked(text: str) -> None:
    assert "hunter2" not in redact_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "gcomm://10.0.0.1:4567,10.0.0.2:4567",
        "Codership Oy <info@codership.com>",
        "aaaa-bbbb:1-77",
        "repl@10.0.0.1:3306",
    ],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert redact_text(text) == text


def test_an_empty_secret_stays_empty_and_missing_stays_missing() -> None:
    assert redact("report_password", "") == ""
    assert redact("report_password", None) is None
    assert redact("report_password", "x") == "********"
    assert redact("default_password_lifetime", "0") == "0"
