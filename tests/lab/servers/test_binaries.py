"""Finding server programs: what they say of themselves, and what stands beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.errors import LabError, UsageError
from advisor.lab.servers import apt
from advisor.lab.servers.binaries import find_servers, find_sysbench, server_at
from advisor.lab.servers.install import install
from advisor.model.server import Family

# What real servers print for --version.
SAID = {
    "mysqld  Ver 5.7.22 for linux-glibc2.12 on x86_64 (MySQL Community Server (GPL))": (Family.MYSQL, (5, 7, 22)),
    "/x/mysqld  Ver 9.7.4-2 for Linux on x86_64 ((Debian))": (Family.MYSQL, (9, 7, 4)),
    "mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)": (
        Family.MARIADB,
        (10, 11, 19),
    ),
}


def program(path: Path, says: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("says", SAID)
def test_family_and_version_are_what_the_program_says(tmp_path, says):
    place = program(tmp_path / "server/bin/mysqld", says)
    found = server_at(str(place))
    assert (found.family, found.version) == SAID[says]
    assert server_at(str(tmp_path / "server")) == found, "the base directory leads to the same"


def test_what_stands_beside_a_program_is_found(tmp_path):
    base = tmp_path / "server"
    program(base / "bin/mariadbd", list(SAID)[2])
    program(base / "bin/mariadb", "client")
    for file in ("lib/plugin/x.so", "share/english/errmsg.sys", "lib/galera/libgalera_smm.so"):
        (base / file).parent.mkdir(parents=True, exist_ok=True)
        (base / file).touch()
    found = server_at(str(base))
    assert (found.plugin_dir, found.messages_dir) == (str(base / "lib/plugin"), str(base / "share"))
    assert found.galera_provider == str(base / "lib/galera/libgalera_smm.so")
    assert found.client == (str(base / "bin/mariadb"),)
    assert str(base / "bin/mariadbd") in [server.place for server in find_servers([str(base)])]


def test_a_prefix_with_a_c_library_of_its_own_is_run_by_its_own_loader(own_home):
    prefix = own_home / "prefixes/mysql"
    program(prefix / "usr/sbin/mysqld", "unused")
    loader = program(prefix / "usr/lib64/ld-linux-x86-64.so.2", list(SAID)[1])
    (prefix / "usr/lib/x86_64-linux-gnu").mkdir(parents=True)
    found = next(server for server in find_servers() if str(prefix) in server.place)
    assert found.command == (
        str(loader), "--library-path", str(prefix / "usr/lib/x86_64-linux-gnu"), str(prefix / "usr/sbin/mysqld"),
    )  # fmt: skip
    elsewhere = prefix / "lib64/ld-linux-x86-64.so.2"
    elsewhere.parent.mkdir()
    loader.rename(elsewhere)
    assert server_at(str(prefix / "usr/sbin/mysqld")).command[0] == str(elsewhere), "named by its own path, too"


def test_a_loader_that_leads_out_of_the_prefix_is_passed_over(own_home):
    prefix = own_home / "prefixes/mariadb-10.5"
    place = program(prefix / "usr/sbin/mariadbd", list(SAID)[2])
    inside = program(prefix / "lib/x86_64-linux-gnu/ld-linux-x86-64.so.2", list(SAID)[2])
    outside = prefix / "lib64/ld-linux-x86-64.so.2"
    outside.parent.mkdir()
    outside.symlink_to("/nowhere/ld-2.31.so")
    found = server_at("mariadb-10.5")
    assert (found.place, found.command[0]) == (str(place), str(inside)), (
        "an installed series is named as it was asked for"
    )


@pytest.mark.parametrize(("product", "known"), [("mariadb-11", False), ("sysbench-1.0", False), ("mariadb-11.8", True)])
def test_a_series_is_named_with_two_numbers(monkeypatch, tmp_path, product, known):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError if known else UsageError, match="can be downloaded" if known else "cannot install"):
        install(product, print)


@pytest.mark.parametrize("says", ["", "sh: not found", "Ver x"])
def test_what_is_no_server_is_a_lab_error(tmp_path, says):
    with pytest.raises(LabError, match="no working server program"):
        server_at(str(program(tmp_path / "bin/mysqld", says)))


def test_a_program_that_cannot_run_is_passed_over(tmp_path, monkeypatch):
    place = tmp_path / "bin/mysqld"
    place.parent.mkdir()
    place.write_bytes(b"\x7fELF not really")
    place.chmod(0o755)
    monkeypatch.setenv("PATH", str(place.parent))
    assert str(place) not in [server.place for server in find_servers()]


def test_sysbench_is_found_in_a_prefix(own_home):
    place = program(own_home / "prefixes/sysbench/usr/bin/sysbench", "sysbench 1.0.20")
    found = find_sysbench()
    assert found is not None
    assert (found.command, found.version) == ((str(place),), (1, 0, 20))


def test_where_there_is_no_apt_it_is_said_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not apt.here()
    with pytest.raises(LabError, match="Debian and Ubuntu only") as error:
        install("mysql", print)
    assert "tarball" in error.value.hint
