"""What the tests of the command line run on: an option file, two rules, and the outcome of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MY_CNF = """[client]
password = client-secret
[mysqld]
report_password = hunter2
innodb_buffer_pool_size = 8G
innodb_log_file_size = 48M
sync_binlog = 1
"""
TINY_RULE = """id: tiny-{id}
title: The redo log files are tiny
severity: {severity}
when: innodb_log_file_size < 64 * MiB
finding: Each redo log file holds {{innodb_log_file_size}}.
advice:
  set: {{innodb_log_file_size: 1G}}
  risk: {risk}
  costs: disk space
why: Pages are flushed again and again.
see: [https://dev.mysql.com/doc/refman/8.0/en/innodb-redo-log.html]
---
- case: 48 MiB
  server: mysql 8.0.28
  my.cnf: innodb_log_file_size = 48M
  expect: finding
- case: 1 GiB
  server: mysql 8.0.28
  my.cnf: innodb_log_file_size = 1G
  expect: clear
"""
HUNGRY_RULE = """id: hungry
title: Wants to know the processors
severity: warning
when: host.cpus > 4 and innodb_log_file_size > 0
finding: There are {host.cpus} processors.
why: Nobody can tell from a file.
see: [https://dev.mysql.com/doc/]
"""


@dataclass(frozen=True)
class Run:
    """What a run wrote and with which code it ended."""

    code: int
    out: str
    err: str


Runner = Callable[..., Run]
