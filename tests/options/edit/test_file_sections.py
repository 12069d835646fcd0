"""Choosing the section for a new setting."""

from __future__ import annotations

import pytest

from advisor.model.server import Family
from advisor.options.edit.file_sections import choose_section, sections

MYSQL, MARIADB = Family.MYSQL, Family.MARIADB


def chosen(text: str, family: Family, name: str = "sync_binlog") -> tuple[str, int] | None:
    """Group and index of the line below which the setting goes."""
    section = choose_section(sections(text.split("\n")), family, name)
    return (section.group, section.last) if section else None


@pytest.mark.parametrize(
    ("text", "family", "expected"),
    [
        ("[mysqld]\na=1\nb=2\n\n# end", MYSQL, ("mysqld", 2)),
        ("[client]\nx=1\n[MYSQLD ] # mine\n\n[mysqld_safe]\ny=1", MYSQL, ("mysqld", 2)),
        ("[mysqld]\na=1\n[client]\nx=1\n[mysqld]\nb=2", MYSQL, ("mysqld", 5)),
        ("[mysqld]\na=1\n[client]\nx=1\n[mysqld]\n# empty", MYSQL, ("mysqld", 1)),
        ("[server]\na=1", MYSQL, ("server", 1)),
        ("[mysqld-5.7]\na=1\n[mysqld_safe]\nb=1\n[client]\nc=1", MYSQL, None),
        ("[mariadb]\na=1", MYSQL, None),
        ("[ mysqld]\na=1", MYSQL, None),
        ("", MYSQL, None),
        ("[mariadb]\na=1", MARIADB, ("mariadb", 1)),
        ("[server]\n[mysqld]\na=1\nb=1\n[mariadb]\n[mariadb-10.11]\nc=1", MARIADB, ("mysqld", 3)),
        ("[mysqld]\n[mariadb]", MARIADB, ("mariadb", 1)),
        ("[galera]\nwsrep_on=ON\n[mysqld]\na=1", MARIADB, ("mysqld", 3)),
        ("[client-server]\nport=3306\n!includedir /etc/mysql/conf.d", MARIADB, None),
    ],
)
def test_a_new_setting_goes_below_the_last_of_the_server_group(
    text: str, family: Family, expected: tuple[str, int] | None
) -> None:
    assert chosen(text, family) == expected


@pytest.mark.parametrize(
    ("text", "family", "expected"),
    [
        ("[galera]\nwsrep_on=ON\n[mysqld]\na=1", MARIADB, ("galera", 1)),
        ("[galera]\n[mysqld]\nwsrep-on=ON", MARIADB, ("mysqld", 2)),
        ("[galera]\n[mysqld]\na=1", MARIADB, ("galera", 0)),
        ("[galera]\nwsrep_on=ON\n[mysqld]\na=1", MYSQL, ("mysqld", 3)),
    ],
)
def test_a_galera_setting_goes_where_galera_settings_stand(
    text: str, family: Family, expected: tuple[str, int]
) -> None:
    assert chosen(text, family, "wsrep_slave_threads") == expected
