"""No `--fix` makes a start worse, weakens durability, changes what its plan does not name, or differs when run again.

`python -m benchmarks.check.fix_properties` asks the same for 20,000 files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from advisor.catalog import parse_release
from advisor.check import load_rules
from benchmarks.check.fix_harm import Outcome, harm, outcome
from benchmarks.check.fix_properties import by_program, run, totals
from benchmarks.check.mutations import Case, case, originals
from benchmarks.check.real_programs import PRODUCTS, programs

RULES = load_rules()  # once, and outside of what passes over a refusal
SEED = 20261122
RELEASE = parse_release("mysql-8.0.36")


def problems(file: Path, files: Sequence[tuple[str, str]], count: int) -> list[str]:
    """What went wrong with which of so many mutations of these files."""
    file.touch(0o644)
    cases = (case(number, SEED, files, ()) for number in range(count))
    found = ((of, outcome(file, of, RULES).problem) for of in cases)
    return [f"{of.server}: {problem}\n{of.text}" for of, problem in found if problem]


def test_mutations_of_healthy_files(tmp_path: Path) -> None:
    files = originals(tmp_path / "nothing is here")
    assert len(files) > 20
    assert not problems(tmp_path / "my.cnf", files, 40)


def test_mutations_of_files_that_people_published(tmp_path: Path, shared: Path) -> None:
    files = originals(shared)
    assert len(files) > 80
    assert not problems(tmp_path / "my.cnf", files, 80)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("sync_binlog = 1", "sync_binlog = 0", "sync_binlog is weaker on mysql-8.0.36"),
        ("port = 3306", "innodb_flush_log_at_trx_commit = 2", "innodb_flush_log_at_trx_commit is weaker"),
        ("port = 3306", "no_such_option = 1", "mysql-8.0.36 no longer starts"),
        ("max_connections = 10", "max_connections = 11", "max_connections changed from 10 to 11"),
        ("max_connections = 10", "# max_connections = 10", "max_connections changed from 10 to None"),
    ],
)
def test_what_a_change_makes_worse_is_seen(before: str, after: str, says: str) -> None:
    assert says in harm(f"[mysqld]\n{before}\n", f"[mysqld]\n{after}\n", RELEASE, frozenset())


def test_a_setting_that_the_plan_names_may_change() -> None:
    before, after = "[mysqld]\nmax_connections = 10\n", "[mysqld]\nmax_connections = 11\n"
    assert harm(before, after, RELEASE, frozenset({"max_connections"})) == ""


@pytest.mark.gate
def test_many_mutated_files_and_real_programs(tmp_path: Path, shared: Path) -> None:
    results = list(run(tmp_path / "kept.jsonl", 300, SEED, shared))
    assert not [result for result in results if "problem" in result], totals(results)
    assert sum("asked" in result for result in results) >= (15 if programs() else 0)
    assert list(run(tmp_path / "kept.jsonl", 300, SEED, shared)) == results, "what is kept is not asked again"


@pytest.mark.gate
@pytest.mark.parametrize("program", PRODUCTS)
@pytest.mark.parametrize(
    ("after", "says"), [("no_such = 1", "no longer accepts it"), ("max_connections = 500", "reads max_connections")]
)
def test_a_real_program_says_what_is_worse(tmp_path: Path, program: str, after: str, says: str) -> None:
    if program not in programs():
        pytest.skip("no such server program here")
    file = tmp_path / "my.cnf"
    file.touch(0o644)
    given = Case(0, "", program, "[mysqld]\nmax_connections = 100\n")
    accepted, worse = by_program(file, given, Outcome(f"[mysqld]\n{after}\n"))
    assert accepted
    assert says in worse
