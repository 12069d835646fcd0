"""Options of plugins whose options no reading has are neither called unknown nor removed."""

from __future__ import annotations

import pytest

from advisor.catalog import parse_release
from advisor.model.options import REFUSED_ALONE, NoteKind
from advisor.options import read_text, resolve
from advisor.options.infer import infer


def kinds_of(release, *lines):
    """The kinds of notes on the last line."""
    (exact,) = parse_release(release)
    setting = resolve(read_text("[mysqld]\n" + "\n".join(lines) + "\n", "my.cnf"), exact).all[-1]
    return {note.kind for note in setting.notes}


@pytest.mark.parametrize("release", ["mysql-5.7.44", "mysql-8.0.19", "mysql-8.0.36"])
def test_the_file_of_the_keyring_is_an_option_where_its_plugin_is_loaded(release):
    kinds = kinds_of(
        release, "early-plugin-load = keyring_file.so", "keyring_file_data = /var/lib/mysql-keyring/keyring"
    )
    assert not kinds & (REFUSED_ALONE | {NoteKind.UNDECIDED})


def test_it_went_in_8_4():
    assert NoteKind.REMOVED in kinds_of("mysql-8.4.3", "keyring_file_data = /k")


@pytest.mark.parametrize(
    ("release", "line"),
    [
        ("mariadb-10.11.14", "aws_key_management_region = eu-west-1"),
        ("mariadb-10.6.23", "gssapi_keytab_path = /k"),
        ("mariadb-10.5.23", "tokudb_cache_size = 1G"),
        ("mariadb-11.4.7", "handlersocket_port = 9998"),
        ("mariadb-11.8.3", "provider_lz4 = FORCE_PLUS_PERMANENT"),
        ("mysql-8.0.36", "keyring_okv = FORCE_PLUS_PERMANENT"),
        ("mysql-8.0.36", "skip-mysql-firewall"),
        ("mysql-5.7.44", "thread_pool = ON"),
    ],
)
def test_of_a_plugin_that_no_reading_has_nothing_is_known(release, line):
    assert kinds_of(release, line) == {NoteKind.UNDECIDED}


@pytest.mark.parametrize(
    ("release", "line"),
    [("mariadb-10.6.23", "tokudb_cache_size = 1G"), ("mysql-8.0.36", "tokudb_cache_size = 1G")],
)
def test_a_plugin_that_did_not_come_with_the_release_brings_no_option(release, line):
    assert kinds_of(release, line) == {NoteKind.UNKNOWN}


def test_a_plugin_that_the_files_load_may_bring_any_option_of_its_name():
    lines = ("plugin-load-add = audit_of_acme.so", "audit_of_acme_target = syslog")
    assert kinds_of("mysql-8.0.36", *lines) == {NoteKind.UNDECIDED}
    assert kinds_of("mysql-8.0.36", lines[1]) == {NoteKind.UNKNOWN}


def test_a_misspelt_option_of_a_plugin_that_was_read_is_unknown():
    lines = ("plugin-load = group_replication.so", "group_replication_peer_addresses = 10.0.0.1:33061")
    assert kinds_of("mysql-8.0.36", *lines) == {NoteKind.UNKNOWN}


def test_such_an_option_does_not_speak_against_a_release():
    releases, _ = infer(
        read_text("[mariadb]\naws_key_management_region = eu-west-1\ntokudb_cache_size = 1G\n", "my.cnf")
    )
    assert {release.series for release in releases} == {"10.5"}
