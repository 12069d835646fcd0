"""Which groups a release reads."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.options import read_text, select

MARIADB_118 = ("mariadb", "mariadb-11", "mariadb-11.8", "mariadbd", "mariadbd-11", "mariadbd-11.8")


def chosen(text: str, release: str, suffix: str = "") -> list[str]:
    return [a.text for a in select(read_text(text), parse_release(release)[0], suffix)]


@pytest.mark.parametrize(
    ("release", "groups"),
    [
        ("mysql-5.7.44", "mysqld server mysqld-5.7"),
        ("mysql-8.0.36", "mysqld server mysqld-8.0"),
        ("mysql-8.4.4", "mysql_cluster mysqld server mysqld-8.4"),
        ("mysql-9.7.4", "mysql_cluster mysqld server mysqld-9.7"),
        (
            "mariadb-10.6.23",
            "mysqld server mysqld-10.6 mariadb mariadb-10.6 mariadbd mariadbd-10.6 client-server galera",
        ),
        (
            "mariadb-11.8.9",
            f"mysqld server galera client-server mysqld-11.8 {' '.join(MARIADB_118)}",
        ),
    ],
)
def test_each_server_reads_its_groups_and_no_others(release: str, groups: str) -> None:
    names = (
        "client mysqld_safe mysql mysqld server mysql_cluster mysqld-5.7 mysqld-8.0 mysqld-8.4 mysqld-9.7 mysqld-10.6"
        " mysqld-11.8 mariadb mariadb-10.6 mariadb-11.8 mariadb-11 mariadbd mariadbd-10.6 mariadbd-11.8 mariadbd-11"
        " client-server galera client-mariadb"
    ).split()
    text = "".join(f"[{name}]\ng={name}\n" for name in names)
    assert sorted(chosen(text, release)) == sorted(f"--g={name}" for name in groups.split())


def test_the_case_of_a_group_does_not_matter() -> None:
    assert chosen("[MYSQLD]\na=1\n[MyDumper]\nb=1\n", "mysql-8.0.36") == ["--a=1"]


def test_a_blank_before_the_name_makes_it_another_group() -> None:
    assert chosen("[ mysqld]\na=1\n[mysqld ]\nb=1\n[mysqld] rest\nc=1\n", "mysql-8.0.36") == ["--b=1", "--c=1"]


def test_settings_count_in_file_order_not_in_the_order_of_groups() -> None:
    text = "[mysqld]\na=1\n[mysqld-9.7]\na=2\n[server]\na=3\n[mysqld]\na=4\n"
    assert chosen(text, "mysql-9.7.4") == ["--a=1", "--a=2", "--a=3", "--a=4"]


def test_a_suffix_adds_groups() -> None:
    text = "[mysqld]\na=1\n[mysqld2]\na=2\n[mysqld1]\na=3\n"
    assert chosen(text, "mysql-8.0.36", "2") == ["--a=1", "--a=2"]


def test_a_feature_release_reads_the_group_of_its_own_version() -> None:
    assert chosen("[mysqld-9.1]\na=1\n[mysqld-9.7]\nb=1\n", "mysql-9.1.0") == ["--a=1"]
