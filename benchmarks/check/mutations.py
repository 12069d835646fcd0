"""Which option files might people write? Public and healthy ones, with lines changed by a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from advisor.catalog import all_releases
from advisor.model.record import record

CHECKOUT: Final = Path(__file__).resolve().parents[2]
SPELLINGS: Final = {
    "replica": "slave", "source": "master", "binlog_expire_logs_seconds": "expire_logs_days",
    "innodb_redo_log_capacity": "innodb_log_file_size", "transaction_isolation": "tx_isolation",
}  # fmt: skip
STRAY: Final = (
    "expire_logs_days = 7", "slave-skip-errors = all", "slave_exec_mode = IDEMPOTENT", "innodb-undo-logs = 64",
    "binlog_checksum = NONE", "plugin_load_add = group_replication.so", "sync_binlog = 0", "skip-innodb-doublewrite",
    "innodb_flush_log_at_trx_commit = 2", "loose_group_replication_start_on_boot = OFF", "query_cache_size = 1M",
    "innodb_checksum_algorithm = none", "log_warnings = 2", "innodb_log_files_in_group = 3", "max_connections = 10",
    "innodb_buffer_pool_size = 64MB", "log_bin = OFF", "skip-log-bin", "relay_log_info_repository = FILE",
    "innodb_flush_method = nosync", "server_id = 0", "gtid_mode = ON", "binlog_format = STATEMENT", "sql_mode = STRICT",
)  # fmt: skip
GROUPS: Final = (
    "[mariadb]", "[server]", "[mysqld-8.0]", "[mysqld_safe]", "[client]", "[mysqld]", "[galera]", "[MYSQLD]",
)  # fmt: skip
VALUES: Final = ("0", "1", "7", "ON", "OFF", "16M", "-1", '"1"', "1G # was 2G", "", "99999999999", "1.5G")
ASKED_ONE_IN: Final = 16  # cases for a release whose program is asked
_INFERRED_ONE_IN: Final = 10


@record
class Case:
    """A mutated option file: where it comes from, and the release it is for ("": inferred)."""

    number: int
    origin: str
    server: str
    text: str


def originals(shared: Path) -> list[tuple[str, str]]:
    """Name and text of every option file that is mutated: the healthy ones of the tests, and the corpus if present.

    Without the lines that include others: these files are on the machines of the authors only.
    """
    files = [*sorted((CHECKOUT / "tests/healthy").rglob("*.cnf")), *sorted((shared / "corpus").glob("*.cnf"))]
    return [(file.name, _without_includes(file.read_bytes().decode("utf-8", "surrogateescape"))) for file in files]


def case(number: int, seed: int, files: Sequence[tuple[str, str]], programs: Sequence[str]) -> Case:
    """The case with this number: the same for the same seed, files and programs."""
    chance = random.Random(f"{seed}:{number}")
    origin, text = chance.choice(files)
    server = chance.choice(all_releases()).name
    if number % ASKED_ONE_IN == 0 and programs:
        server = chance.choice(programs)
    elif number % _INFERRED_ONE_IN == 1:
        server = ""
    return Case(number, origin, server, mutated(text, chance))


def _without_includes(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("!include"))


def mutated(text: str, chance: random.Random) -> str:
    """The text with lines repeated, changed, spelt otherwise, made loose, left out, or added."""
    lines = text.split("\n")
    for _ in range(chance.randint(1, 6)):
        _change_a_line(lines, chance)
        lines = lines or [""]
    match chance.randrange(20):
        case 0:
            return "\r\n".join(line.rstrip("\r") for line in lines)
        case 1:
            return "\n".join(lines).rstrip("\n")
        case 2:
            return "\n".join(lines) + f"\n{chance.choice(GROUPS)}\n{chance.choice(STRAY)}\n"
        case _:
            return "\n".join(lines)


def _change_a_line(lines: list[str], chance: random.Random) -> None:
    at = chance.randrange(len(lines))
    line = lines[at]
    option = bool(line.strip()) and line.lstrip()[0] not in "#;[!"
    match chance.randrange(9) if option else 8:
        case 0:
            lines.insert(chance.randint(at, len(lines)), line)
        case 1:
            name, equals, _ = line.partition("=")
            lines.insert(at + 1, f"{name}{equals} {chance.choice(VALUES)}")
        case 2:
            lines[at] = f"{chance.choice(('loose', 'skip', 'disable'))}{chance.choice('-_')}{line.lstrip()}"
        case 3:
            new, old = chance.choice(list(SPELLINGS.items()))
            lines[at] = line.replace(new, old) if new in line else line.replace(old, new)
        case 4:
            lines[at] = line.replace(*chance.choice((("_", "-"), ("-", "_"))))
        case 5:
            del lines[at]
        case 6:
            lines[at] = chance.choice((f"\t{line}", f"{line}  # kept", line.partition("=")[0], line.upper()))
        case 7:
            lines.insert(at, chance.choice(GROUPS))
        case _:
            lines.insert(at + 1, chance.choice(STRAY))
