"""Planning edits: the wanted setting is in effect, everything else as it was. A case is a file before and after."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.errors import InputError
from advisor.model.rules import Change, TakesEffect
from advisor.model.server import Release
from advisor.options.edit.edits import plan_edits, write_edits
from advisor.options.files import read_file


def release(text: str) -> Release:
    """The newest release a text means."""
    return parse_release(text)[-1]


def change(name: str, value: str | None, path: Path | str = "", line: int = 0) -> Change:
    """A change of a setting, on a line or wherever it stands."""
    return Change(name, value, TakesEffect.AT_ONCE, file=str(path), line=line)


def edited(
    folder: Path, before: str, server: str, *wanted: tuple[str, str | None] | tuple[str, str | None, int]
) -> str:
    """The file after the changes; each change is (name, value) or (name, value, line)."""
    path = folder / "my.cnf"
    path.write_bytes(before.encode("utf-8", "surrogateescape"))
    changes = [change(w[0], w[1], path, w[2]) if len(w) == 3 else change(*w) for w in wanted]
    for edit in plan_edits(read_file(str(path)), changes, release(server)):
        assert edit.path == str(path)
        return edit.after.decode("utf-8", "surrogateescape")
    return before


CHANGED = [
    # (server, before, name, value, after)
    ("mysql-8.0.36", "[mysqld]\nsync_binlog=0\n", "sync_binlog", "1", "[mysqld]\nsync_binlog=1\n"),
    ("mysql-8.0.36", "[mysqld]\nsync_binlog=1\n", "sync_binlog", "1", "[mysqld]\nsync_binlog=1\n"),
    (
        "mysql-8.0.36",
        "# é\udcff\r\n[mysqld]\r\n\t sync-binlog\t=  0   # slow disk\r\nport = 1",
        "sync_binlog",
        "1",
        "# é\udcff\r\n[mysqld]\r\n\t sync-binlog\t=  1   # slow disk\r\nport = 1",
    ),
    ("mysql-8.0.36", "[mysqld]\nsync_binlog=0#x", "sync_binlog", "1", "[mysqld]\nsync_binlog=1#x"),
    ("mysql-8.0.36", "[mysqld]\nsync_binlog='0'\n", "sync_binlog", "1", "[mysqld]\nsync_binlog='1'\n"),
    # where it is in effect: the last of several, in whichever group
    (
        "mysql-8.0.36",
        "[mysqld]\nsync_binlog=1\nsync-binlog=0\n[mysqld-5.7]\nsync_binlog=5\n[client]\nsync_binlog=6\n",
        "sync_binlog",
        "1",
        "[mysqld]\nsync_binlog=1\nsync-binlog=1\n[mysqld-5.7]\nsync_binlog=5\n[client]\nsync_binlog=6\n",
    ),
    (
        "mysql-8.0.36",
        "[mysqld-8.0]\nsync_binlog=0\n[mysqld]\nport=1\n",
        "sync_binlog",
        "1",
        "[mysqld-8.0]\nsync_binlog=1\n[mysqld]\nport=1\n",
    ),
    # a maximum- line bounds SET and is not the setting
    (
        "mysql-8.0.36",
        "[mysqld]\nsort_buffer_size=1M\nmaximum-sort_buffer_size=8M\n",
        "sort_buffer_size",
        "2M",
        "[mysqld]\nsort_buffer_size=2M\nmaximum-sort_buffer_size=8M\n",
    ),
    # prefixes and bare switches
    (
        "mysql-8.0.36",
        "[mysqld]\nslow-query-log # yes\n",
        "slow_query_log",
        "OFF",
        "[mysqld]\nslow-query-log = OFF # yes\n",
    ),
    (
        "mysql-8.0.36",
        "[mysqld]\nport = 1\nskip-slow-query-log\n",
        "slow_query_log",
        "ON",
        "[mysqld]\nport = 1\nslow-query-log = ON\n",
    ),
    ("mysql-8.0.36", "[mysqld]\ndisable-slow_query_log=0\n", "slow_query_log", "0", "[mysqld]\nslow_query_log=0\n"),
    ("mysql-8.0.36", "[mysqld]\nloose-sync_binlog=0\n", "sync_binlog", "1", "[mysqld]\nloose-sync_binlog=1\n"),
    (
        "mysql-8.0.36",
        "[mysqld]\nloose_skip_slow_query_log\n",
        "slow_query_log",
        "ON",
        "[mysqld]\nloose_slow_query_log = ON\n",
    ),
    ("mysql-8.0.36", "[mysqld]\nskip-name-resolve\n", "skip_name_resolve", "0", "[mysqld]\nskip-name-resolve = OFF\n"),
    ("mysql-5.7.40", "[mysqld]\nskip-name-resolve\nport=1\n", "skip_name_resolve", "OFF", "[mysqld]\nport=1\n"),
    ("mariadb-10.11.6", "[mysqld]\nskip-name-resolve\n", "skip_name_resolve", "0", "[mysqld]\nskip-name-resolve = 0\n"),
    # log_bin takes a file name: a switch is bare, or skip-
    ("mysql-8.0.36", "[mysqld]\nlog-bin = bin # c\n", "log_bin", "OFF", "[mysqld]\nskip-log-bin # c\n"),
    ("mysql-8.0.36", "[mysqld]\nskip-log-bin # c\n", "log_bin", "ON", "[mysqld]\nlog-bin # c\n"),
    ("mysql-8.0.36", "[mysqld]\nskip_log_bin\n", "log_bin", "/var/b", "[mysqld]\nlog_bin = /var/b\n"),
    ("mysql-8.0.36", "[mysqld]\nlog-bin = bin\n", "log_bin", "ON", "[mysqld]\nlog-bin = bin\n"),
    ("mariadb-10.11.6", "[mysqld]\nport=1\n", "log_bin", "ON", "[mysqld]\nport=1\nlog_bin\n"),
    # aliases stay, whichever name is asked for; names that are gone do not
    (
        "mysql-8.0.36",
        "[mysqld]\nslave-parallel-workers=2\n",
        "replica_parallel_workers",
        "8",
        "[mysqld]\nslave-parallel-workers=8\n",
    ),
    (
        "mysql-8.0.36",
        "[mysqld]\nreplica_parallel_workers=1\nslave-parallel-workers=2\n",
        "slave_parallel_workers",
        "8",
        "[mysqld]\nreplica_parallel_workers=1\nslave-parallel-workers=8\n",
    ),
    (
        "mysql-8.0.36",
        "[mysqld]\ntx-isolation = 'READ-COMMITTED' # x\n",
        "transaction_isolation",
        "READ-COMMITTED",
        "[mysqld]\ntransaction-isolation = 'READ-COMMITTED' # x\n",
    ),
    ("mariadb-10.11.6", "[mysqld]\nSync-Binlo=0\n", "sync_binlog", "1", "[mysqld]\nsync-binlog=1\n"),
    ("mariadb-10.11.6", "[mariadb]\nSYNC-BINLOG=0\n", "sync_binlog", "1", "[mariadb]\nSYNC-BINLOG=1\n"),
    # switch lists add up
    (
        "mysql-8.0.36",
        "[mysqld]\noptimizer_switch=mrr=on,batched_key_access=on\noptimizer_switch=mrr_cost_based=on\n",
        "optimizer_switch",
        "mrr=off,mrr_cost_based=off",
        "[mysqld]\noptimizer_switch=mrr=on,batched_key_access=on\noptimizer_switch=mrr_cost_based=off,mrr=off\n",
    ),
]


@pytest.mark.parametrize(("server", "before", "name", "value", "after"), CHANGED)
def test_a_setting_is_changed_where_it_is_in_effect(
    tmp_path: Path, server: str, before: str, name: str, value: str, after: str
) -> None:
    assert edited(tmp_path, before, server, (name, value)) == after


@pytest.mark.parametrize(
    "line", ["init_connect=x", "init_connect = 'x' # c", 'init_connect="x"', "init_connect", "port=1"]
)
@pytest.mark.parametrize("value", [" a#b\\n ", "SET @a='ä', @b=\"\\t\"", "it's \\", "", "x\ty\nz", "à", "[x]", "!x"])
def test_any_value_is_read_back_exactly(tmp_path: Path, line: str, value: str) -> None:
    after = edited(tmp_path, f"[mysqld]\n{line}\n", "mysql-8.0.36", ("init_connect", value))
    (tmp_path / "my.cnf").write_text(after)
    last = read_file(str(tmp_path / "my.cnf")).arguments[-1]
    assert (last.name, last.value) == ("init_connect", value)


ADDED = [
    ("mysql-8.0.36", "", "sync_binlog", "[mysqld]\nsync_binlog = 1\n"),
    ("mysql-8.0.36", "[client]\nport=1", "sync_binlog", "[client]\nport=1\n\n[mysqld]\nsync_binlog=1"),
    ("mysql-8.0.36", "[client]\r\n", "sync_binlog", "[client]\r\n\r\n[mysqld]\r\nsync_binlog = 1\r\n"),
    (
        "mysql-8.0.36",
        "[mysqld]\r\nserver-id=1\r\n# end\r\n\r\n[client]\r\nport=1\r\n",
        "sync_binlog",
        "[mysqld]\r\nserver-id=1\r\nsync-binlog=1\r\n# end\r\n\r\n[client]\r\nport=1\r\n",
    ),
    ("mysql-8.0.36", "[mysqld]\nport=1", "sync_binlog", "[mysqld]\nport=1\nsync_binlog=1"),
    ("mariadb-11.4.5", "[mysqld]\n[mariadb]\nport=1", "sync_binlog", "[mysqld]\n[mariadb]\nport=1\nsync_binlog=1"),
    # a plugin that these files do not load: loose, or the server may not start
    (
        "mysql-8.0.36",
        "[mysqld]\nserver-id=1\n",
        "rpl_semi_sync_source_enabled",
        "[mysqld]\nserver-id=1\nloose-rpl-semi-sync-source-enabled=1\n",
    ),
    (
        "mysql-8.0.36",
        "[mysqld]\nplugin_load_add=semisync_source.so\n",
        "rpl_semi_sync_source_enabled",
        "[mysqld]\nplugin_load_add=semisync_source.so\nrpl_semi_sync_source_enabled=1\n",
    ),
]


@pytest.mark.parametrize(("server", "before", "name", "after"), ADDED)
def test_a_new_setting_is_added_to_the_server_group(
    tmp_path: Path, server: str, before: str, name: str, after: str
) -> None:
    assert edited(tmp_path, before, server, (name, "1")) == after


def test_several_new_settings_share_a_new_group(tmp_path: Path) -> None:
    after = edited(tmp_path, "[client]\n", "mysql-8.4.4", ("sync_binlog", "1"), ("max_connections", "9"))
    assert after == "[client]\n\n[mysqld]\nsync_binlog = 1\nmax_connections = 9\n"


@pytest.mark.parametrize(
    ("wanted", "after"),
    [
        # no line, or the one that decides: the default comes back, so earlier lines must not come back to life
        (("sync_binlog", None), "[mysqld]\nport=1\n"),
        (("sync_binlog", None, 4), "[mysqld]\nport=1\n"),
        # a shadowed line: that one only
        (("sync_binlog", None, 2), "[mysqld]\nport=1\nloose-sync_binlog=3\n"),
        (("max_connections", None), "[mysqld]\nsync-binlog=0\nport=1\nloose-sync_binlog=3\n"),
    ],
)
def test_taking_out_deletes_the_lines_that_set_it(tmp_path: Path, wanted: tuple[str, str | None], after: str) -> None:
    before = "[mysqld]\nsync-binlog=0\nport=1\nloose-sync_binlog=3\n"
    assert edited(tmp_path, before, "mysql-8.0.36", wanted) == after


def test_options_the_release_does_not_know_are_taken_out_line_by_line(tmp_path: Path) -> None:
    before = "[mysqld]\nquery_cache_size=0\nquery_cache_type=0\nquery_cache_size=1\n"
    assert edited(tmp_path, before, "mysql-8.0.36", ("query_cache_size", None, 2)) == (
        "[mysqld]\nquery_cache_type=0\nquery_cache_size=1\n"
    )
    assert edited(tmp_path, before, "mysql-8.0.36", ("query_cache_size", None)) == "[mysqld]\nquery_cache_type=0\n"


def test_a_removed_name_is_replaced_in_place_even_when_its_removal_is_asked_for_too(tmp_path: Path) -> None:
    before = "[mysqld]\ntx_isolation=SERIALIZABLE\nport=1\n"
    after = edited(
        tmp_path, before, "mysql-8.0.36", ("tx_isolation", None, 2), ("transaction_isolation", "READ-COMMITTED")
    )
    assert after == "[mysqld]\ntransaction_isolation=READ-COMMITTED\nport=1\n"


def test_options_that_add_up_get_one_more_line(tmp_path: Path) -> None:
    before = "[mysqld]\nplugin_load_add=a.so\nport=1\n"
    added = "[mysqld]\nplugin_load_add=a.so\nport=1\nplugin_load_add=b.so\n"
    assert edited(tmp_path, before, "mysql-8.0.36", ("plugin_load_add", "b.so")) == added
    assert edited(tmp_path, added, "mysql-8.0.36", ("plugin_load_add", "b.so")) == added
    assert edited(tmp_path, added, "mysql-8.0.36", ("plugin_load_add", "c.so", 2)) == added.replace("a.so", "c.so")
    assert edited(tmp_path, added, "mysql-8.0.36", ("plugin_load_add", None, 2)) == (
        "[mysqld]\nport=1\nplugin_load_add=b.so\n"
    )


PROVIDER = [
    (
        'wsrep_provider_options="gcs.fc_limit=16; gcache.size=1G" # c',
        'wsrep_provider_options="gcs.fc_limit=99; gcache.size=1G" # c',
    ),
    ("wsrep-provider-options = gcache.size=1G", 'wsrep-provider-options = "gcache.size=1G; gcs.fc_limit=99"'),
    ("wsrep_on=ON", 'wsrep_on=ON\nwsrep_provider_options="gcs.fc_limit=99"'),
]


@pytest.mark.parametrize(("before", "after"), PROVIDER)
def test_one_provider_option_changes_and_the_others_stay(tmp_path: Path, before: str, after: str) -> None:
    wanted = ("galera.gcs.fc_limit", "99")
    after = after.replace('"gcs.fc_limit=99"', "gcs.fc_limit=99")
    assert edited(tmp_path, f"[galera]\n{before}\n", "mariadb-10.11.6", wanted) == f"[galera]\n{after}\n"


def test_a_provider_option_taken_out_last_takes_the_line_with_it(tmp_path: Path) -> None:
    before = "[galera]\nwsrep_on=ON\nwsrep_provider_options=gcs.fc_limit=16\n"
    assert edited(tmp_path, before, "mariadb-10.11.6", ("galera.gcs.fc_limit", None)) == "[galera]\nwsrep_on=ON\n"


def test_a_later_line_of_an_included_file_is_the_one_to_change(tmp_path: Path) -> None:
    (tmp_path / "conf.d").mkdir()
    main, included = tmp_path / "my.cnf", tmp_path / "conf.d" / "10.cnf"
    main.write_text(f"[mysqld]\nsync_binlog=0\nmax_connections=5\n!includedir {tmp_path / 'conf.d'}\n")
    included.write_text("[mysqld]\nsync_binlog = 2\n")
    changes = [change("sync_binlog", "1", main, 2), change("max_connections", "7"), change("port", "3307")]
    edits = plan_edits(read_file(str(main)), changes, release("mysql-8.4.4"))
    write_edits(edits)
    assert included.read_text() == "[mysqld]\nsync_binlog = 1\n"
    assert main.read_text().startswith("[mysqld]\nsync_binlog=0\nmax_connections=7\nport=3307\n!includedir")


def test_a_file_reached_by_two_names_is_edited_once(tmp_path: Path) -> None:
    main, real, link = (tmp_path / name for name in ("my.cnf", "real.cnf", "link.cnf"))
    main.write_text(f"!include {real}\n!include {link}\n")
    real.write_text("[mysqld]\nsync_binlog=0\nmax_connections=5\n")
    link.symlink_to(real)
    changes = [change("sync_binlog", "1"), change("max_connections", "6", real, 3)]
    (edit,) = plan_edits(read_file(str(main)), changes, release("mysql-8.4.4"))
    assert edit.after == b"[mysqld]\nsync_binlog=1\nmax_connections=6\n"


REFUSED = [
    ("[mysqld]\nport=1\n", [("nonsense_option", "1")], "unknown option"),
    ("[mysqld]\nsync_binlog=1\n", [("sync_binlog", "2MB")], "ignored"),
    ("[mysqld]\nport=1\n", [("binlog_format", "ROWS")], "not one of the allowed values"),
    ("[mysqld]\nport=1\n", [("sync_binlog", "1"), ("sync_binlog", "2")], "different values"),
    ("[mysqld]\nport=1\n", [("galera.a", "1"), ("galera.a", "2")], "different values"),
    ("port=1\n[mysqld]\n", [("sync_binlog", "1")], "before the first group"),
    ("[mysqld]\ninit_connect=" + "x" * 5000 + "\n", [("init_connect", "y")], "reads this long line in pieces"),
    ("[mysqld]\nport=1\n", [("init_connect", "y" * 5000)], "would not"),
]


@pytest.mark.parametrize(("before", "wanted", "message"), REFUSED)
def test_what_cannot_be_done_exactly_is_refused(
    tmp_path: Path, before: str, wanted: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        edited(tmp_path, before, "mysql-8.4.4", *wanted)
    assert caught.value.hint


def test_mysql_9_reads_long_lines_whole_so_they_can_be_changed(tmp_path: Path) -> None:
    after = edited(tmp_path, "[mysqld]\ninit_connect=" + "x" * 5000 + "\n", "mysql-9.7.4", ("init_connect", "y" * 6000))
    assert after == "[mysqld]\ninit_connect=" + "y" * 6000 + "\n"


def test_a_file_that_changed_since_it_was_read_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "my.cnf"
    path.write_text("[mysqld]\nsync_binlog=0\n")
    reading = read_file(str(path))
    path.write_text("[mysqld]\nport=1\nsync_binlog=0\n")
    with pytest.raises(InputError, match="changed since it was read"):
        plan_edits(reading, [change("sync_binlog", "1")], release("mysql-8.4.4"))


def test_a_world_writable_file_is_not_added_to_because_the_server_ignores_it(tmp_path: Path) -> None:
    path = tmp_path / "my.cnf"
    path.write_text("[mysqld]\nport=1\n")
    path.chmod(0o666)
    with pytest.raises(InputError, match="world-writable"):
        plan_edits(read_file(str(path)), [change("sync_binlog", "1")], release("mysql-8.4.4"))


def test_an_error_never_shows_a_password(tmp_path: Path) -> None:
    before = "[mysqld]\nreport_password=s3cret\nwsrep_sst_auth=sst:s3cret\n[client]\npassword=s3cret\n"
    for wanted in (("nonsense", "1"), ("sync_binlog", "x"), ("binlog_format", "y")):
        with pytest.raises(InputError) as caught:
            edited(tmp_path, before, "mysql-8.4.4", wanted)
        assert "s3cret" not in str(caught.value)
