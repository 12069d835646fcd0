"""What is wrong with the rules of a folder? All problems at once, unlike loading, which stops at the first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from advisor.check.cases import read_cases, run_case
from advisor.check.lint import lint
from advisor.check.rule_loader import read_rule, rule_files
from advisor.errors import AdvisorError, InputError
from advisor.model.rules import Rule


def lint_folder(place: Path) -> Iterator[str]:
    """One text per rule file that is not well written: place, what, and a hint."""
    for result in _read(place):
        if isinstance(result, str):
            yield result
            continue
        try:
            lint(result)
            read_cases(result)
        except AdvisorError as error:
            error.file = error.file or result.file
            yield str(error)


def run_folder(place: Path) -> Iterator[str]:
    """One text per case whose rule says otherwise, and per rule without any case."""
    for result in _read(place):
        if isinstance(result, str):
            yield result
            continue
        try:
            cases = read_cases(result)
            if not cases and result.status != "retired":
                yield f"{result.file}: no cases below a `---` line"
            for case in cases:
                yield from (f"{result.file}: {case.name}: {problem}" for problem in run_case(result, case))
        except AdvisorError as error:
            error.file = error.file or result.file
            yield str(error)


def _read(place: Path) -> Iterator[Rule | str]:
    """Every rule of the folder, or what is wrong with its file."""
    if not place.is_dir():
        raise InputError("this folder of rules does not exist", file=str(place))
    seen: dict[str, str] = {}
    for area, path, _ in rule_files(place):
        try:
            rule = read_rule(area, path)
        except AdvisorError as error:
            yield str(error)
            continue
        if rule.id in seen:
            yield f"{path}: the rule {rule.id!r} also exists as {seen[rule.id]}"
        seen[rule.id] = path
        yield rule
