"""Words that rule the usual suspect out are read where they stand, and nowhere else."""

from __future__ import annotations

import pytest

from tests.why.facts.told.test_words import names

READ = [
    ("few_table_opens", "opened tables: 3 per minute"),
    ("few_table_opens", "Opened table rate: 12 per hour"),
    ("disk_can_do_more", "at other times the same disk does 5 times as much"),
    ("disk_can_do_more", "far below what the disk can do"),
    ("slower_without_binlog", "20 % slower without the binary log"),
    ("client_program_busy", "99 % mysqldump"),
    ("client_program_busy", "the client process uses one full core"),
    ("bisected", "found with git bisect"),
    ("huge_binlog_file", "mysql-bin.000123: 38 GB"),
    ("huge_binlog_file", "one binary log of 12 GB"),
    ("checkpoint_age", "max checkpoint age was reached"),
    ("long_flush", "the shutdown spent 40 min of flushing"),
    ("starting_commit", "State: starting commit"),
]
NOT_READ = [
    ("few_table_opens", "opened tables: 800 per minute"),
    ("disk_can_do_more", "the disk is at its limit"),
    ("slower_without_binlog", "faster without the binary log"),
    ("client_program_busy", "99 % mysqld"),
    ("huge_binlog_file", "mysql-bin.000123: 1 GB"),
    ("huge_binlog_file", "max_binlog_size = 1G"),
    ("checkpoint_age", "checkpoint at 1836253"),
]


@pytest.mark.parametrize(("group", "line"), READ)
def test_what_rules_a_suspect_out_is_read(group: str, line: str):
    assert names(group, line)


@pytest.mark.parametrize(("group", "line"), NOT_READ)
def test_what_sounds_alike_is_not(group: str, line: str):
    assert not names(group, line)
