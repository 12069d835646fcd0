"""No `--fix` makes a start worse, weakens durability, changes what its plan does not name, or differs when run again.

The files are those of the corpus (where present) and the healthy ones, mutated by a seeded generator.
"""

from __future__ import annotations

import os
import random
import subprocess
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from advisor.catalog import all_releases
from advisor.check import load_rules
from advisor.errors import AdvisorError
from advisor.evidence.member_facts import MemberFacts
from advisor.lab.servers.binaries import server_at
from advisor.model.evidence import Member
from advisor.model.lab import ServerBinary
from advisor.model.options import Settings
from advisor.model.server import Release
from advisor.options import read_text, resolve
from advisor.units import as_option
from tests.check.fixes import Fixing, fixing

RULES = load_rules()  # once, and outside of what passes over a refusal
HEALTHY = sorted((Path(__file__).parents[1] / "healthy").rglob("*.cnf"))
# Worst first; a value that is not listed (sync_binlog = 100) is between the first and the last.
DURABLE = {
    "sync_binlog": ("0", "1"),
    "innodb_flush_log_at_trx_commit": ("0", "2", "1"),
    "innodb_doublewrite": ("OFF", "DETECT_ONLY", "ON"),
    "innodb_checksum_algorithm": ("none", "crc32"),
    "innodb_log_checksums": ("OFF", "ON"),
}
SPELLINGS = {
    "replica": "slave", "source": "master", "binlog_expire_logs_seconds": "expire_logs_days",
    "innodb_redo_log_capacity": "innodb_log_file_size", "transaction_isolation": "tx_isolation",
}  # fmt: skip
STRAY = [
    "expire_logs_days = 7", "slave-skip-errors = all", "slave_exec_mode = IDEMPOTENT", "innodb-undo-logs = 64",
    "binlog_checksum = NONE", "plugin_load_add = group_replication.so", "sync_binlog = 0", "skip-innodb-doublewrite",
    "innodb_flush_log_at_trx_commit = 2", "loose_group_replication_start_on_boot = OFF", "query_cache_size = 1M",
    "innodb_checksum_algorithm = none", "log_warnings = 2", "innodb_log_files_in_group = 3", "max_connections = 10",
    "innodb_buffer_pool_size = 64MB", "log_bin = OFF", "skip-log-bin", "relay_log_info_repository = FILE",
    "innodb_flush_method = nosync", "server_id = 0", "gtid_mode = ON", "binlog_format = STATEMENT", "sql_mode = STRICT",
]  # fmt: skip


def mutated(text: str, chance: random.Random) -> str:
    """The text with lines repeated, changed, spelt otherwise, made loose, left out, or added."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(lines))
        line = lines[at]
        option = bool(line.strip()) and line.lstrip()[0] not in "#;[!"
        match chance.randrange(7) if option else 6:
            case 0:
                lines.insert(chance.randint(at, len(lines)), line)
            case 1:
                name, equals, _ = line.partition("=")
                lines.insert(at + 1, f"{name}{equals} {chance.choice(['0', '1', '7', 'ON', 'OFF', '16M'])}")
            case 2:
                lines[at] = f"loose{chance.choice('-_')}{line.lstrip()}"
            case 3:
                new, old = chance.choice(list(SPELLINGS.items()))
                lines[at] = line.replace(new, old) if new in line else line.replace(old, new)
            case 4:
                lines[at] = line.replace(*chance.choice([("_", "-"), ("-", "_")]))
            case 5:
                del lines[at]
            case _:
                lines.insert(at + 1, chance.choice(STRAY))
        lines = lines or [""]
    return "\n".join(lines)


def cases(count: int, seed: int, shared: Path) -> Iterator[tuple[str, Release]]:
    """Mutated texts, each with the release it is judged for."""
    chance = random.Random(seed)
    files = [*HEALTHY, *sorted((shared / "corpus").glob("*.cnf"))]
    texts = [file.read_text(encoding="utf-8", errors="surrogateescape") for file in files]
    texts = [text for text in texts if "!include" not in text and len(text) < 20_000]
    for _ in range(count):
        yield mutated(chance.choice(texts), chance), chance.choice(all_releases())


def strength(name: str, settings: Settings, release: Release) -> int | None:
    """How durable the setting is in force, as a place in DURABLE; None where it is not known."""
    value = MemberFacts(Member("server"), release, settings, None).value(name)
    setting = settings.effective.get(name)
    if setting is None:
        value = MemberFacts(Member("server", options=read_text("")), release, settings, None).value(name)
    shown = as_option(value).lower() if isinstance(value, str | int | bool) else None
    words = [word.lower() for word in DURABLE[name]]
    if shown is None:
        return None
    return words.index(shown) if shown in words else 1


def as_server(text: str, release: Release) -> Settings:
    return resolve(read_text(text, "my.cnf"), release)


def harm(before: str, after: str, release: Release, planned: Fixing) -> str:
    """What the change makes worse, "" for nothing."""
    old, new = as_server(before, release), as_server(after, release)
    if new.would_start is False and old.would_start is not False:
        return "it no longer starts"
    for name in DURABLE:
        was, now = strength(name, old, release), strength(name, new, release)
        if was is not None and now is not None and now < was:
            return f"{name} is weaker"
    named = {change.name for _, changes in planned.plan.by_release for change in changes}
    named |= {"wsrep_provider_options"} if any(name.startswith("galera.") for name in named) else set()
    was_in_force = {name: setting.value for name, setting in old.effective.items()}
    now_in_force = {name: setting.value for name, setting in new.effective.items()}
    for name in was_in_force.keys() | now_in_force.keys():
        if was_in_force.get(name) != now_in_force.get(name) and name not in named | {_old_name(n) for n in named}:
            return (
                f"{name} changed from {was_in_force.get(name)!r} to {now_in_force.get(name)!r}, which no change names"
            )
    return ""


def _old_name(name: str) -> str:
    return name.replace("replica", "slave").replace("source", "master")


def run(file: Path, text: str, release: Release) -> str:
    """What `--fix` of this text does wrong, "" for nothing."""
    try:
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        first = fixing(file, release.name, RULES)
    except AdvisorError:
        return ""  # a change that cannot be proved is refused, and the file stays as it is
    if not first.text:
        return ""
    if problem := harm(text, first.text, release, first):
        return problem
    file.write_text(first.text, encoding="utf-8", errors="surrogateescape")
    try:
        again = fixing(file, release.name, RULES)
    except AdvisorError:
        return ""
    return "a second run changes it again" if again.text else ""


def failures(file: Path, count: int, seed: int, shared: Path, until: float = float("inf")) -> tuple[int, list[str]]:
    """How many files were tried, and what went wrong with which."""
    file.touch(0o644)
    found: list[str] = []
    tried = 0
    for text, release in cases(count, seed, shared):
        if time.monotonic() > until or len(found) >= 5:
            break
        tried += 1
        if problem := run(file, text, release):
            found.append(f"{release.name}: {problem}\n{text}")
    return tried, found


def test_mutations_of_healthy_files(tmp_path: Path) -> None:
    tried, found = failures(tmp_path / "my.cnf", 60, 20261122, tmp_path / "nothing is here")
    assert not found, "\n\n".join(found)
    assert tried == 60


def test_mutations_of_files_that_people_published(tmp_path: Path, shared: Path) -> None:
    assert any((shared / "corpus").glob("*.cnf")), f"no option files in {shared / 'corpus'}"
    tried, found = failures(tmp_path / "my.cnf", 120, 20261122, shared)
    assert not found, "\n\n".join(found)
    assert tried == 120


PROGRAMS = {
    "mysql-9.7.4": ("mysql/usr/sbin/mysqld", ["--secure-file-priv=", "--datadir=.", "--validate-config"]),
    "mariadb-10.11.19": ("mariadb/usr/sbin/mariadbd", ["--help", "--verbose"]),
}
PREFIXES = Path.home() / ".local/share/advisor/prefixes"
LONG_CASES = int(os.environ.get("ADVISOR_FIX_CASES", "1000"))
LONG_SECONDS = float(os.environ.get("ADVISOR_FIX_SECONDS", "100"))
ASKED_ONE_IN = 25


@cache
def _server(program: str) -> ServerBinary:
    """The program with its folders: a prefix may have its own loader and C library."""
    return server_at(program)


def accepts(file: Path, release: str) -> bool:
    """Whether the real program of this release accepts the option file."""
    program, words = PROGRAMS[release]
    server = _server(str(PREFIXES / program))
    paths = [f"--basedir={server.basedir}", f"--lc-messages-dir={server.messages_dir}"]
    command = [*server.command, f"--defaults-file={file}", "--user=root", *paths, *words]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False, cwd=file.parent)
    return done.returncode == 0


def part(folder: Path, seed: int, count: int, shared: Path, until: float) -> tuple[int, int, list[str]]:
    """One process's share: files tried, real programs asked, and what went wrong."""
    folder.mkdir()
    file = folder / "my.cnf"
    tried, found = failures(file, count, seed, shared, until)
    asked = 0
    for number, (text, _) in enumerate(cases(count, seed + 1000, shared)):
        if time.monotonic() > until + LONG_SECONDS / 5:
            break
        name = list(PROGRAMS)[number % len(PROGRAMS)]
        if number % ASKED_ONE_IN > 1 or not (PREFIXES / PROGRAMS[name][0]).exists():
            continue
        file.write_text(text, encoding="utf-8", errors="surrogateescape")
        before = accepts(file, name)
        try:
            fixed = fixing(file, name, RULES).text
        except AdvisorError:
            continue
        asked += 1
        if before and fixed:
            file.write_text(fixed, encoding="utf-8", errors="surrogateescape")
            if not accepts(file, name):
                found.append(f"{name}: the program no longer accepts it\n{text}")
    return tried, asked, found


@pytest.mark.gate
def test_many_mutated_files_and_real_programs(tmp_path: Path) -> None:
    """ADVISOR_FIX_CASES and ADVISOR_FIX_SECONDS make it longer; it ends at whichever comes first."""
    from concurrent.futures import ProcessPoolExecutor

    from tests.conftest import SHARED

    workers = os.cpu_count() or 1
    until = time.monotonic() + LONG_SECONDS
    with ProcessPoolExecutor(workers) as pool:
        jobs = [
            pool.submit(part, tmp_path / str(n), n, -(-LONG_CASES // workers), SHARED, until) for n in range(workers)
        ]
        results = [job.result() for job in jobs]
    print(
        f"{sum(tried for tried, _, _ in results)} files, programs asked {sum(asked for _, asked, _ in results)} times"
    )
    found = [problem for _, _, problems in results for problem in problems]
    assert not found, "\n\n".join(found[:5])
