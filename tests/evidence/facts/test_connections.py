"""File limits come out as the servers warn about them."""

from advisor.catalog import parse_release
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.options import read_text, resolve


def server(lines, running=None, **host):
    reading, release = read_text(f"[mysqld]\n{lines}\n", "my.cnf"), parse_release("mysql 8.0.36")[0]
    facts = {name: Fact(name, value, "", "host") for name, value in host.items()}
    variables = {name: Fact(name, value, "", "variables.txt") for name, value in (running or {}).items()}
    return MemberFacts(
        Member("s", options=reading, variables=variables, host=facts), release, resolve(reading, release), None
    )


def test_a_login_shells_limit_leaves_431_tables_as_the_error_log_says():
    view = server("table_open_cache = 2000", open_files_limit=1024)
    assert view["fact.open_files_wanted"] == 10 + 151 + 2 * 2000
    assert view["fact.table_open_cache_left"] == 431


def test_connections_are_cut_before_the_cache_falls_below_400():
    view = server("table_open_cache = 2000\nmax_connections = 4096", open_files_limit=1024)
    assert view["fact.table_open_cache_left"] == 400


def test_the_file_says_what_was_asked_for_and_the_server_what_it_got():
    running = {"open_files_limit": "5000", "table_open_cache": "2419", "max_connections": "151"}
    view = server("table_open_cache = 8000", running)
    assert view["fact.open_files_wanted"] == 16161
    assert view["fact.open_files_allowed"] == 5000
    assert view["fact.table_open_cache_left"] == 2419


def test_a_wide_limit_changes_nothing():
    assert server("table_open_cache = 2000", open_files_limit=65536)["fact.table_open_cache_left"] == 2000
