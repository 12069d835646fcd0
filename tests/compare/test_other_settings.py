"""Variables that differ and belong to no quantity are listed, with the reason where one is known."""

from __future__ import annotations

from advisor.compare.other_settings import without_effect
from tests.compare.sides import compared, side


def others(one: str, two: str, server: str = "mysql-8.4.8") -> dict[str, tuple[tuple[str | None, ...], str]]:
    comparison = compared(side(server, cnf=one), side(server, label="B", cnf=two))
    return {other.name: (other.values, other.why) for other in comparison.others}


def test_a_port_does_not_matter_and_a_buffer_of_sorts_is_not_judged() -> None:
    found = others("port = 3306\nsort_buffer_size = 1M", "port = 3307\nsort_buffer_size = 2M")
    assert found == {
        "port": (("3306", "3307"), "the server's identity, and where it listens"),
        "sort_buffer_size": (("1 MiB", "2 MiB"), ""),
    }


def test_what_a_quantity_reads_is_not_listed_again() -> None:
    assert others("innodb_log_file_size = 1G", "innodb_log_file_size = 2G", "mysql-8.0.28") == {}


def test_secrets_are_masked() -> None:
    found = others("report_password = hunter2", "report_password = hunter3")
    assert list(found) == ["report_password"]
    assert "hunter" not in str(found)


def test_of_several_possible_releases_nothing_is_listed() -> None:
    comparison = compared(side(cnf="port = 1"), side(label="B", cnf="port = 2"))
    assert comparison.others == ()


def test_every_pattern_has_a_reason() -> None:
    assert all(why for _, why in without_effect())
