"""Why a server did not start, from lines that real servers wrote."""

from __future__ import annotations

from advisor.lab.error_log import reasons, tail

MYSQL_9_7 = """\
2026-11-21T12:19:24.101205Z 0 [System] [MY-015015] [Server] MySQL Server - start.
2026-11-21T12:19:24.514303Z 1 [System] [MY-013576] [InnoDB] InnoDB initialization has started.
2026-11-21T12:19:25.917001Z 0 [ERROR] [MY-000067] [Server] unknown variable 'sync_binlogg=1'.
2026-11-21T12:19:25.917432Z 0 [ERROR] [MY-010119] [Server] Aborting
"""
MARIADB_10_11 = """\
2026-11-21 12:19:27 0 [Note] Starting MariaDB 10.11.19-MariaDB-0+deb12u1 source revision  as process 7514
2026-11-21 12:19:27 0 [ERROR] mariadbd: unknown variable 'foo=1'
2026-11-21 12:19:27 0 [ERROR] Aborting
"""
BOOTSTRAP = "ERROR: 1396  Operation CREATE USER failed for 'root'@'127.0.0.1'\n2026-11-21 12:01:54 0 [ERROR] Aborting\n"


def test_the_cause_is_named_and_not_what_follows_from_it():
    assert reasons(MYSQL_9_7) == ["unknown variable 'sync_binlogg=1'."]
    assert reasons(MARIADB_10_11) == ["mariadbd: unknown variable 'foo=1'"]
    assert reasons(BOOTSTRAP) == ["Operation CREATE USER failed for 'root'@'127.0.0.1'"]


def test_aborting_is_better_than_nothing():
    assert reasons("2026-11-21 12:01:54 0 [ERROR] Aborting\n") == ["Aborting"]


def test_without_errors_the_last_lines_stand_for_the_reason():
    assert reasons("one\n\ntwo\nthree\nfour\n") == ["two", "three", "four"]
    assert reasons("") == []


def test_the_end_of_a_long_log(tmp_path):
    path = tmp_path / "error.log"
    path.write_bytes(b"".join(b"line %d \xff\n" % n for n in range(10_000)))
    assert tail(path, 2).splitlines() == ["line 9998 \ufffd", "line 9999 \ufffd"]
    assert tail(tmp_path / "absent", 2) == ""
