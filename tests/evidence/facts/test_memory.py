"""Sizes of memory come out as the servers compute them."""

import pytest

from advisor.catalog import parse_release
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact, Member
from advisor.options import read_text, resolve

GIB, MIB = 1024**3, 1024**2


def server(lines, release="mysql 8.0.36", **host):
    reading, known = read_text(f"[mysqld]\n{lines}\n", "my.cnf"), parse_release(release)[0]
    member = Member(
        "server", options=reading, host={name: Fact(name, value, "", "host") for name, value in host.items()}
    )
    return MemberFacts(member, known, resolve(reading, known), None)


@pytest.mark.parametrize(
    ("lines", "allocated"),
    [
        # The first two are the manual's own examples.
        ("innodb_buffer_pool_size = 8G\ninnodb_buffer_pool_instances = 16", 8 * GIB),
        ("innodb_buffer_pool_size = 9G\ninnodb_buffer_pool_instances = 16", 10 * GIB),
        ("innodb_buffer_pool_size = 1100M", 2 * GIB),
        ("innodb_buffer_pool_size = 600M\ninnodb_buffer_pool_instances = 4", 640 * MIB),
        ("innodb_buffer_pool_size = 2G\ninnodb_buffer_pool_instances = 4\ninnodb_buffer_pool_chunk_size = 1G", 2 * GIB),
        ("innodb_buffer_pool_size = 100M", 100 * MIB),
    ],
)
def test_the_pool_is_rounded_up_to_whole_chunks_of_every_instance(lines, allocated):
    assert server(lines)["fact.buffer_pool_bytes"] == allocated


@pytest.mark.parametrize(("cpus", "instances"), [(2, 1), (16, 4), (512, 40)])
def test_from_8_4_on_instances_follow_chunks_and_processors(cpus, instances):
    view = server("innodb_buffer_pool_size = 10G", "mysql 8.4.3", cpus=cpus)
    assert view["fact.buffer_pool_instances"] == instances
    assert server("innodb_buffer_pool_size = 1G", "mysql 8.4.3", cpus=cpus)["fact.buffer_pool_instances"] == 1


def test_mariadb_switches_the_query_cache_on_for_a_size_alone():
    assert server("query_cache_size = 16M", "mariadb 10.11.9")["fact.query_cache_on"] is True
    assert server("query_cache_size = 1M", "mariadb 10.11.9")["fact.query_cache_on"] is False
    assert server("query_cache_size = 16M\nquery_cache_type = 0", "mariadb 10.11.9")["fact.query_cache_on"] is False
    assert server("query_cache_size = 16M", "mysql 5.7.44")["fact.query_cache_on"] is False


@pytest.mark.parametrize(("memory", "size"), [(GIB // 2, 128 * MIB), (4 * GIB, 2 * GIB), (32 * GIB, 24 * GIB)])
def test_the_pool_for_a_machine_is_that_of_a_dedicated_server(memory, size):
    assert server("", memory_bytes=memory)["fact.buffer_pool_to_set_bytes"] == size


def test_what_a_session_may_take_is_the_sum_of_one_buffer_each():
    sizes = "sort_buffer_size = 4M\njoin_buffer_size = 2M\nread_buffer_size = 1M\nread_rnd_buffer_size = 1M"
    view = server(f"{sizes}\nbinlog_cache_size = 8M\nmax_connections = 100")
    assert view["fact.session_memory_bytes"] == 16 * MIB
    assert view["fact.sessions_memory_bytes"] == 1600 * MIB
    assert server(f"{sizes}\nskip_log_bin")["fact.session_memory_bytes"] == 8 * MIB
