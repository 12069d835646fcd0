"""Texts the servers look into at start, as MySQL 5.7.22, 8.0.15, 9.7.4 and MariaDB 10.11.18, 11.8.9 took them."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.model.options import NoteKind, Setting
from advisor.options import read_text, resolve

M57, M80, M97 = "mysql-5.7.44", "mysql-8.0.36", "mysql-9.7.4"
OLD, NEW = "mariadb-10.11.19", "mariadb-11.8.6"
ALL = (M57, M80, M97, OLD, NEW)


def setting(line: str, release: str) -> Setting:
    return resolve(read_text(f"[mysqld]\n{line}\n"), parse_release(release)[0], bare=True).all[-1]


def refused(line: str, release: str) -> bool:
    return any(note.kind is NoteKind.REFUSED_VALUE for note in setting(line, release).notes)


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("name", ["do_table", "ignore_table", "wild_do_table", "wild_ignore_table"])
def test_a_filter_of_tables_wants_the_database_too(name: str, release: str) -> None:
    assert refused(f"replicate_{name}=orders", release)
    assert refused(f"replicate_{name}=", release)
    assert not refused(f"replicate_{name}=shop.orders", release)
    assert not refused(f"replicate_{name}=a.b,c.d", release)


@pytest.mark.parametrize("release", ALL)
def test_filters_of_databases_take_any_text(release: str) -> None:
    assert not refused("replicate_do_db=a,b", release)


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("text", ["a", "->b", "a->", "a > b"])
def test_a_database_is_renamed_from_something_to_something(text: str, release: str) -> None:
    assert refused(f"replicate_rewrite_db={text}", release)
    assert not refused("replicate_rewrite_db=a -> b", release)


@pytest.mark.parametrize("release", ALL)
@pytest.mark.parametrize("text", ["utf8mb4", "", "nonsense", "uca1400_ai_ci"])
def test_a_collation_begins_with_its_character_set(text: str, release: str) -> None:
    assert refused(f"collation_server={text}", release)


@pytest.mark.parametrize(("release", "known"), [(M57, False), (M80, True), (OLD, False), (NEW, True)])
def test_collations_that_mysql_8_brought(release: str, known: bool) -> None:
    assert refused("character_set_server=utf8mb4\ncollation_server=utf8mb4_0900_ai_ci", release) is not known


def test_9_7_takes_utf8_neither_as_character_set_nor_in_a_collation() -> None:
    assert setting("character_set_server=utf8", M97).notes[0].instead == "utf8mb4"
    assert setting("collation_server=utf8_general_ci", M97).notes[0].instead == "utf8mb4_general_ci"
    assert not refused("character_set_server=utf8", M80)


@pytest.mark.parametrize("release", [M57, M80, M97])
@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("enforce_gtid_consistency", "ON"),
        ("enforce-gtid-consistency=true", "ON"),
        ("enforce_gtid_consistency=1", "ON"),
        ("enforce_gtid_consistency=0", "OFF"),
        ("skip-enforce_gtid_consistency", "OFF"),
        ("enforce_gtid_consistency=2", "WARN"),
        ("enforce_gtid_consistency=warn", "WARN"),
    ],
)
def test_consistency_of_gtids_is_one_of_three_words(line: str, word: str, release: str) -> None:
    assert setting(line, release).value == word


@pytest.mark.parametrize("release", [M57, M80, M97])
@pytest.mark.parametrize("text", ["YES", "w", "3", ""])
def test_any_other_word_is_passed_over_in_silence(text: str, release: str) -> None:
    found = setting(f"enforce_gtid_consistency={text}", release)
    assert not found.effective
    assert [note.kind for note in found.notes] == [NoteKind.MISREAD]


@pytest.mark.parametrize("text", ["TLSv1.1", "TLSv1,TLSv1.1,TLSv1.2", "TLSv1.2, TLSv1.3", "foo", ","])
def test_9_7_takes_the_two_newest_versions_of_tls_only(text: str) -> None:
    assert refused(f"tls_version={text}", M97)
    assert refused(f"admin_tls_version={text}", M97)
    assert not refused(f"tls_version={text}", M57)


@pytest.mark.parametrize("text", ["TLSv1.2", "tlsv1.3", "TLSv1.2,TLSv1.3", "TLSv1.2,", ""])
def test_versions_of_tls_it_takes(text: str) -> None:
    assert not refused(f"tls_version={text}", M97)


@pytest.mark.parametrize("text", ["DHE-RSA-AES256-SHA", "AES128-SHA", "HIGH", "ECDHE-RSA-AES128-GCM-SHA256:foo"])
def test_9_7_takes_a_short_list_of_ciphers_only(text: str) -> None:
    assert refused(f"ssl_cipher={text}", M97)
    assert not refused(f"ssl_cipher={text}", M57)


@pytest.mark.parametrize(
    "text", ["ECDHE-RSA-AES128-GCM-SHA256:", "AES256-CCM", "DHE-RSA-CHACHA20-POLY1305", "!aNULL", ""]
)
def test_ciphers_it_takes(text: str) -> None:
    assert not refused(f"ssl_cipher={text}", M97)


def test_suites_of_tls_1_3_have_a_list_of_their_own() -> None:
    assert not refused("tls_ciphersuites=TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256", M97)
    assert refused("tls_ciphersuites=AES256-CCM", M97)


@pytest.mark.parametrize("release", ALL)
def test_endless_numbers_are_refused(release: str) -> None:
    assert refused("long_query_time=1e400", release)


@pytest.mark.parametrize("release", [M57, M80, M97])
def test_the_smallest_number_of_64_bits_is_a_number(release: str) -> None:
    assert setting("optimizer_trace_offset=-9223372036854775808", release).value == -(1 << 63)


@pytest.mark.parametrize("release", ALL)
def test_a_set_takes_a_number_with_a_sign(release: str) -> None:
    assert setting("sql_mode=+1", release).value == "REAL_AS_FLOAT"


def test_collations_of_character_sets_are_no_character_set() -> None:
    assert not refused("character_set_collations = utf8mb4=uca1400_ai_ci", NEW), "11.8.9 starts with it"
