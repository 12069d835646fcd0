"""Option files found in the wild: changes take effect in every one, and every other setting stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.model.rules import Change, TakesEffect
from advisor.options.edit.edits import plan_edits, write_edits
from advisor.options.files import read_file
from advisor.options.settings import resolve

WANTED = {
    "sync_binlog": "17",
    "max_connections": "77",
    "innodb_flush_log_at_trx_commit": "2",
    "max_allowed_packet": None,
}


@pytest.mark.parametrize("server", ["mysql-8.0", "mysql-9.7", "mariadb-10.11"])
def test_every_file_of_the_corpus_can_be_edited(shared: Path, tmp_path: Path, server: str) -> None:
    release = parse_release(server)[-1]
    changes = [Change(name, value, TakesEffect.AT_ONCE) for name, value in WANTED.items()]
    edited = 0
    for source in sorted((shared / "corpus").glob("*.cnf")):
        path = tmp_path / "my.cnf"
        shutil.copyfile(source, path)
        reading = read_file(str(path))
        if any(problem.fatal for problem in reading.problems):
            continue  # a server stops reading there: refused, see test_edit
        before = resolve(reading, release).effective
        write_edits(plan_edits(reading, changes, release))
        after = resolve(read_file(str(path)), release).effective
        assert {name: after[name].argument.value if name in after else None for name in WANTED} == WANTED, source
        assert [s.argument.text for name, s in before.items() if name not in WANTED] == [
            s.argument.text for name, s in after.items() if name not in WANTED
        ], source
        edited += 1
    assert edited > 50
