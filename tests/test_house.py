"""The house rules that a machine can check: sizes, names, docstrings, nothing of one machine in a tracked file."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import advisor

CHECKOUT = Path(__file__).resolve().parents[1]
FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "core", "base", "manager", "misc"}
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_BODY = 40
MOST_MODULES_OF_A_FOLDER = 15


@cache
def tracked() -> list[Path]:
    """Every file of the checkout that git tracks and that is there; in an unpacked archive, every file."""
    listing = subprocess.run(["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        return [CHECKOUT / line for line in listing.stdout.splitlines() if (CHECKOUT / line).is_file()]
    return [path for path in CHECKOUT.rglob("*") if path.is_file() and ".venv" not in path.parts]


MODULES = sorted((CHECKOUT / "advisor").rglob("*.py")) + sorted((CHECKOUT / "scripts").rglob("*.py"))


def name(path: Path) -> str:
    """A path as shown in the test's id."""
    return str(path.relative_to(CHECKOUT))


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines from the first statement after the docstring to the end: a signature may be as long as its options."""
    documented = ast.get_docstring(function) is not None and len(function.body) > 1
    first = function.body[1 if documented else 0]
    return (function.end_lineno or first.lineno) - first.lineno + 1


@cache
def tree_of(path: Path) -> ast.Module:
    """A module as Python parses it."""
    return ast.parse(path.read_text(encoding="utf-8"))


def offences_of_size(path: Path) -> list[str]:
    """What any module may not be: too long to read, or without a word on what it is for."""
    lines = len(path.read_text(encoding="utf-8").splitlines())
    told = [f"{name(path)}: {lines} lines"] if lines > MOST_LINES_OF_A_FILE else []
    return told if ast.get_docstring(tree_of(path)) else [*told, f"{name(path)}: its first line says no question"]


def test_a_module_is_small_named_for_what_it_is_and_says_its_question() -> None:
    offences = [offence for path in MODULES for offence in offences_of_size(path)]
    offences += [f"{name(path)}: says nothing as a name" for path in MODULES if path.stem in FORBIDDEN_NAMES]
    offences += [
        f"{name(path)}:{node.lineno}: the body of {node.name} has {body_lines(node)} lines"
        for path in MODULES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body_lines(node) > MOST_LINES_OF_A_BODY
    ]
    assert len(MODULES) > 100
    assert offences == []


def test_no_function_hands_its_locals_on() -> None:
    # No type checker sees what they hold: with two options in the other order nobody would notice.
    calls = [
        f"{name(path)}:{node.lineno}"
        for path in MODULES
        if name(path).startswith("advisor")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "locals"
    ]
    assert calls == []


def test_a_folder_holds_few_enough_modules_to_read_its_listing() -> None:
    sizes = Counter(path.parent for path in MODULES if path.name != "__init__.py")
    full = {name(folder): size for folder, size in sizes.items() if size > MOST_MODULES_OF_A_FOLDER}
    assert full == {}


def test_a_test_or_benchmark_module_stays_readable() -> None:
    others = [path for path in tracked() if path.suffix == ".py" and path not in MODULES]
    assert len(others) > 100
    assert [offence for path in others for offence in offences_of_size(path) if path.name != "__init__.py"] == []


def test_no_tracked_file_names_one_machine_or_a_package_registry() -> None:
    # Written in pieces, or this file would find itself. Paths of a checkout, homes, hosts of package registries.
    places = ["/" + "work/", "/" + "root/", "/" + "home/[a-z]", "/" + "Users/[a-z]", "/" + "opt/wheels"]
    hosts = [r"files\.python" + "hosted", r"py" + r"pi\.org", r"artifact" + "ory"]
    options = ["--index-" + "url", "--find-" + "links"]
    pattern = re.compile("|".join(places + hosts + options))
    # The option files of servers, and what people posted of them, may name any path of theirs.
    offences = [
        f"{name(path)}:{number}: {line.strip()[:80]}"
        for path in tracked()
        if path.suffix not in {".cnf", ".ini", ".txt", ".gz"}
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not offences


def test_the_changelog_begins_with_this_version() -> None:
    headings = re.findall(r"^## \[([^\]]+)\]", (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == advisor.__version__
    assert f'version = "{advisor.__version__}"' in (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")


def test_every_direct_dependency_stands_in_the_locks_with_hashes() -> None:
    wanted_in = {
        "requirements.lock": {"typer", "pyyaml", "hatchling"},
        "requirements-dev.lock": {"typer", "pyyaml", "pytest", "mypy", "ruff"},
    }
    for lock, wanted in wanted_in.items():
        text = (CHECKOUT / lock).read_text(encoding="utf-8")
        pinned = set(re.findall(r"^([A-Za-z0-9_.-]+)==", text, re.MULTILINE))
        assert wanted <= pinned
        assert text.count("==") <= text.count("--hash=sha256:")
