"""Values, places, releases and missing evidence in few words."""

from __future__ import annotations

import pytest

from advisor.masking import is_secret, mask_line
from advisor.model.evidence import Fact
from advisor.model.rules import Risk, TakesEffect
from advisor.model.server import join_labels
from advisor.report.check.missing_evidence import way_to
from advisor.report.words.labels import EFFECTS, RISKS, holds_for, would_start
from advisor.report.words.layout import Page
from advisor.report.words.values import show_fact, show_source


@pytest.mark.parametrize(
    ("fact", "text"),
    [
        (Fact("innodb_buffer_pool_size", 512 << 20, "bytes"), "innodb_buffer_pool_size = 512 MiB"),
        (Fact("sync_binlog", 0), "sync_binlog = 0"),
        (Fact("super_read_only", True), "super_read_only = ON"),
        (Fact("fact.is_group_member", True), "is_group_member = yes"),
        (Fact("innodb_flush_method", ""), "innodb_flush_method = ''"),
        (Fact("wsrep_sst_auth", "sst:secret"), "wsrep_sst_auth = ********"),
        (Fact("report_host", "db\x1b[1m"), "report_host = db\\x1b[1m"),
    ],
)
def test_a_fact_is_written_for_people(fact: Fact, text: str) -> None:
    assert show_fact(fact) == text


def test_a_source_in_the_file_the_report_is_about_is_a_line() -> None:
    assert show_source("my.cnf:14", "my.cnf") == "line 14"
    assert show_source("conf.d/a.cnf:3", "my.cnf") == "conf.d/a.cnf:3"
    assert show_source("default of mysql 8.4", "my.cnf") == "default of mysql 8.4"


@pytest.mark.parametrize(
    "name",
    ["report_password", "--loose-report-password", "report_pasword", "wsrep_sst_auth", "ssl_passphrase",
     "loose-hashicorp-key-management-token", "authentication_ldap_simple_bind_root_pwd", "keyring_hashicorp_secret_id"],
)  # fmt: skip
def test_a_password_is_recognised_in_any_spelling(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize(
    "name",
    ["validate_password.length", "loose-validate_password_policy", "default_password_lifetime", "old_passwords",
     "mysql_native_password", "disconnect_on_expired_password", "sync_binlog", "bind_address"],
)  # fmt: skip
def test_a_policy_about_passwords_is_no_secret(name: str) -> None:
    assert not is_secret(name)


def test_a_line_keeps_everything_but_the_secret() -> None:
    assert mask_line("+report-password =  hunter2\n") == "+report-password =  ********\n"
    assert mask_line(" sync_binlog = 1") == " sync_binlog = 1"
    assert mask_line("-# password = old") == "-# password = ********"
    assert mask_line("+password old\n") == "+password ********\n"
    assert mask_line(" report_password:old") == " report_password:********"
    assert mask_line("  password  =  old\r\n") == "  password  =  ********\r\n"
    assert mask_line("[client password]\n") == "[client password]\n"
    assert mask_line("validate_password.length = 8") == "validate_password.length = 8"


def test_releases_name_their_server_once() -> None:
    assert join_labels(["mysql 5.7.9–5.7.44", "mysql 8.0.11–8.0.25", "mariadb 10.6"]) == (
        "mysql 5.7.9–5.7.44, 8.0.11–8.0.25; mariadb 10.6"
    )


def test_where_something_holds_is_said_from_the_shorter_side() -> None:
    everything = ["mysql 5.7", "mysql 8.0", "mysql 8.4"]
    assert holds_for(["mysql 5.7"], everything) == "mysql 5.7"
    assert holds_for(["mysql 8.0", "mysql 8.4"], everything) == "every possible release except mysql 5.7"


def test_a_server_that_starts_is_not_worth_a_word() -> None:
    assert would_start({"mysql 8.4": True}) == ""
    assert would_start({"mysql 8.4": None}) == ""
    assert would_start({"mysql 8.4": False}) == "the server does not start with these options"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("host.cpus", "--host cpus=16"),
        ("host.iowait", "--host iowait="),
        ("role", "--role"),
        (
            "rate.Com_commit",
            "mysqladmin -i 60 -c 2 extended-status > status.txt; then also give status.txt, with --together",
        ),
        ("status.Uptime", "status.txt"),
        ("replica.Seconds_Behind_Source", "SHOW REPLICA STATUS"),
        ("observed.clients", "observations.yaml: clients"),
        ("version", "--server"),
        ("sync_binlog", "SHOW GLOBAL VARIABLES"),
    ],
)
def test_missing_evidence_says_how_to_come_by_it(name: str, word: str) -> None:
    assert word in way_to(name)


def test_every_risk_and_every_moment_has_words() -> None:
    assert set(RISKS) == set(Risk)
    assert set(EFFECTS) == set(TakesEffect)


def test_columns_give_way_when_a_row_is_too_long() -> None:
    page = Page(60)
    rows = [("a = 1", "line 3"), ("x" * 70 + " = 2", "line 4")]
    lines = page.columns("because", rows)
    assert lines[0] == "  because       a = 1  line 3"
    assert lines[-1].strip() == "line 4"
