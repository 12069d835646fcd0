"""Does `--fix` ever make an option file worse? Asked for many mutated files, and real servers asked for some.

    python -m benchmarks.check.fix_properties --files 20000 [--keep FILE] [--seed 1]

Every result is one line of FILE, so a run that was stopped goes on where it ended. The files are the public option
files of ../shared/corpus (where present) and the healthy ones of the tests, mutated. One in sixteen is for a release
whose program is on this machine: where the program accepts the file as it was, it must accept the changed file too,
and read no other values than those that the plan names. The exit code is 1 where anything was worse.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from advisor.check import load_rules
from advisor.model.rules import Rule
from benchmarks.check.fix_harm import Outcome, outcome
from benchmarks.check.mutations import ASKED_ONE_IN, CHECKOUT, Case, case, originals
from benchmarks.check.real_programs import ask, programs

# What the servers work out from other settings: a value that differs here follows from one that the plan names.
# MariaDB turns the query cache on if the file sets its size, and shows slave_parallel_threads under a second name.
# MySQL passes on what it replicates as soon as there is a binary log.
DERIVED: Final = frozenset(
    {
        "table_open_cache", "table_definition_cache", "open_files_limit", "host_cache_size", "back_log",
        "thread_cache_size", "innodb_buffer_pool_instances", "innodb_page_cleaners", "innodb_open_files",
        "query_cache_type", "slave_parallel_workers", "relay_log_index", "relay_log_basename", "log_bin_index",
        "log_bin_basename", "log_replica_updates",
    }
)  # fmt: skip
DERIVED_PREFIX: Final = "performance_schema_"  # sizes of its tables follow connections and open tables


def judged(file: Path, of: Case, rules: Sequence[Rule], asked: Sequence[str]) -> dict[str, Any]:
    """The kept result of one case."""
    found = outcome(file, of, rules)
    kept: dict[str, Any] = {"number": of.number, "origin": of.origin, "server": of.server}
    kept["fix"] = "refused" if found.refused else "changed" if found.text else "nothing to change"
    problem = found.problem
    if of.number % ASKED_ONE_IN == 0 and of.server in asked:
        accepted, worse = by_program(file, of, found)
        kept |= {"asked": of.server, "accepted": accepted}
        problem = problem or worse
    return kept | ({"problem": problem, "text": of.text} if problem else {})


def by_program(file: Path, of: Case, found: Outcome) -> tuple[bool, str]:
    """Whether the real program accepts the file as it was, and what it finds worse in the changed one."""
    _write(file, of.text)
    before = ask(file, of.server)
    if not before.accepted or not found.text:
        return before.accepted, ""
    _write(file, found.text)
    after = ask(file, of.server)
    if not after.accepted:
        return True, f"{of.server} no longer accepts it"
    names = sorted((before.values.keys() | after.values.keys()) - found.named - DERIVED)
    names = [name for name in names if not name.startswith(DERIVED_PREFIX)]
    differs = [name for name in names if before.values.get(name) != after.values.get(name)]
    if not differs:
        return True, ""
    name = differs[0]
    return True, f"{of.server} reads {name} = {after.values.get(name)}, before {before.values.get(name)}"


def run(keep: Path, count: int, seed: int, shared: Path) -> Iterator[dict[str, Any]]:
    """The results of all cases, those that are kept already first."""
    done = [json.loads(line) for line in keep.read_text(encoding="utf-8").splitlines()] if keep.exists() else []
    yield from (result for result in done if result["number"] < count)
    numbers = {result["number"] for result in done}
    files, rules, asked = originals(shared), load_rules(), programs()
    with tempfile.TemporaryDirectory() as folder, keep.open("a", encoding="utf-8") as stream:
        file = Path(folder) / "my.cnf"
        file.touch(0o644)
        for number in range(count):
            if number not in numbers:
                result = judged(file, case(number, seed, files, asked), rules, asked)
                stream.write(json.dumps(result) + "\n")
                stream.flush()
                yield result


def totals(results: Sequence[dict[str, Any]]) -> str:
    """The figures with their denominators."""
    fixes = Counter(result["fix"] for result in results)
    asked = [result for result in results if "asked" in result]
    accepted = [result for result in asked if result["accepted"]]
    changed = [result for result in accepted if result["fix"] == "changed"]
    worse = [result for result in results if "problem" in result]
    idle = f"{fixes['nothing to change']} with nothing to change, {fixes['refused']} refused"
    before = f"{len(accepted)} accepted before, {len(changed)} of these changed"
    lines = [
        f"{len(results)} mutated files: {fixes['changed']} changed, {idle}",
        f"real programs asked for {len(asked)} of them: {before}",
        f"worse after --fix: {len(worse)} of {len(results)}",
    ]
    lines += [f"  {result['number']} {result['server'] or 'inferred'}: {result['problem']}" for result in worse[:20]]
    return "\n".join(lines)


def main() -> int:
    """Run, print the totals, and say by the exit code whether anything was worse."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=20_000, help="how many mutated files")
    parser.add_argument("--keep", type=Path, default=Path("fix-properties.jsonl"), help="where results are kept")
    parser.add_argument("--seed", type=int, default=1, help="other files for another seed")
    given = parser.parse_args()
    results = list(run(given.keep, given.files, given.seed, CHECKOUT.parent / "shared"))
    print(totals(results))
    return int(any("problem" in result for result in results))


def _write(file: Path, text: str) -> None:
    with file.open("w", encoding="utf-8", errors="surrogateescape", newline="") as stream:
        stream.write(text)


if __name__ == "__main__":
    sys.exit(main())
