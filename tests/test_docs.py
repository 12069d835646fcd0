"""The documentation says what the product does: rule pages, links, paths, modules, every noun of the story."""

import ast
import io
import re
import subprocess
import sys
import tokenize
from pathlib import Path

import pytest
import typer.main

import advisor
from advisor.cli.app import build_app

FOLDERS = ("advisor", "benchmarks", "docs", "examples", "experiments", "rules", "schemas", "scripts", "search_spaces")
# A path of this repository begins with one of its folders, or with a package of advisor/, whose name may be left out;
# so files of users (my.cnf, cluster.yaml) need no list. A schema's name ("advisor/findings/1") is not a path.
PATH = re.compile(r"(?<![\w./~<>-])(?:[\w.<>*-]+/)+[\w.<>*-]*")
PROSE_WIDTH = 110
# Of servers, benchmarks and Docker.
OPTIONS_OF_OTHERS = {
    "--defaults-file", "--defaults-extra-file", "--defaults-group-suffix", "--no-defaults", "--print-defaults",
    "--help", "--validate-config", "--keep", "--files", "--offline",
    "--build-arg", "--network", "--read-only", "--rm",
}  # fmt: skip
SCHEMA_NAME = re.compile(r"advisor/[\w-]+/\d+")
PLACEHOLDER = re.compile(r"<[\w-]+>|\b[A-Z]{2,}\b")
DOTTED_NAME = re.compile(r"(?<![\w-])(?:advisor|benchmarks)(?:\.(?!(?:toml|cnf)\b)[A-Za-z_]\w*)+")


@pytest.mark.parametrize("script", ["build_rule_pages.py", "build_cause_matrix.py"])
def test_the_generated_pages_are_what_the_rules_say(checkout, script):
    command = [sys.executable, f"scripts/{script}", "--check"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_relative_link_leads_somewhere(checkout):
    dead = []
    for page in [*pages(checkout), *checkout.glob("docs/rules/*.md")]:
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                dead.append(f"{page.relative_to(checkout)}: {target}")
    assert dead == []


def test_every_link_to_a_heading_finds_it(checkout):
    dead = []
    for page in pages(checkout):
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", page.read_text(encoding="utf-8")):
            text = (page.parent / target if target else page).read_text(encoding="utf-8")
            headings = [
                re.sub(r"[^\w\- ]", "", heading).lower() for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
            ]
            if anchor not in [heading.strip().replace(" ", "-") for heading in headings]:
                dead.append(f"{page.relative_to(checkout)}: {target}#{anchor}")
    assert dead == []


def test_the_concepts_use_every_noun_of_the_story(checkout):
    nouns = re.findall(r"\*\*(\w[\w ]*)\*\*", advisor.__doc__ or "")
    text = (checkout / "docs/concepts.md").read_text(encoding="utf-8").lower()
    assert len(nouns) > 10
    assert [noun for noun in nouns if noun.rstrip("s").lower() not in text] == []


def written_paths(text: str, packages: set[str]) -> list[str]:
    """The paths of this repository in a text, as patterns where it has placeholders."""
    paths = [match.group().rstrip("./") for match in PATH.finditer(text) if not SCHEMA_NAME.match(match.group())]
    known = {*FOLDERS, "tests", *packages}
    return [PLACEHOLDER.sub("*", path) for path in paths if path.partition("/")[0] in known]


def exists(checkout: Path, path: str) -> bool:
    """Below the checkout, or below advisor/ when that is left out."""
    return any(any(start.glob(path)) for start in (checkout, checkout / "advisor"))


def pages(checkout: Path) -> list[Path]:
    """Every page that people write: those of rules are generated."""
    folders = ("docs", "benchmarks", "experiments")
    found = [*checkout.glob("*.md"), *(page for folder in folders for page in checkout.glob(f"{folder}/**/*.md"))]
    return [page for page in found if page.parent.name != "rules"]


def comments_and_docstrings(module: Path) -> list[str]:
    """What a module says to its readers."""
    text = module.read_text(encoding="utf-8")
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = [ast.get_docstring(node) for node in ast.walk(ast.parse(text)) if isinstance(node, documented)]
    return [token.string for token in tokens if token.type == tokenize.COMMENT] + [text for text in docstrings if text]


@pytest.fixture(name="packages", scope="module")
def packages_of_advisor() -> set[str]:
    """Names that stand for a folder of advisor/ at the beginning of a path."""
    return {path.parent.name for path in Path(advisor.__file__).parent.glob("*/__init__.py")}


def test_lines_of_prose_are_of_one_length(checkout):
    # Tables, code and recorded reports stay as they are. In longer lines one changed word shows as a paragraph.
    long = []
    for page in pages(checkout):
        if page.parent.name == "tuning-proofs" and page.name != "README.md":
            continue
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        prose = [line for line in text.splitlines() if not line.startswith(("|", "#"))]
        long += [f"{page.relative_to(checkout)}: {line[:60]}" for line in prose if len(line) > PROSE_WIDTH]
    assert long == []


def test_every_path_in_back_ticks_leads_somewhere(checkout, packages):
    dead = [
        f"{page.relative_to(checkout)}: {path}"
        for page in pages(checkout)
        for quoted in re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8"))
        for path in written_paths(quoted, packages)
        if not exists(checkout, path)
    ]
    assert dead == []


def test_every_path_in_a_comment_or_docstring_leads_somewhere(checkout, packages):
    modules = [
        module
        for folder in ("advisor", "benchmarks", "scripts", "tests")
        for module in checkout.glob(f"{folder}/**/*.py")
    ]

    def missing(text: str) -> list[str]:
        # Without an ending it may be prose: "rules/causes and the like", "lab/tune".
        paths = [path for path in written_paths(text, packages) if re.search(r"\.(py|md|yaml|json|lua|sh|tsv)$", path)]
        return [path for path in paths if not exists(checkout, path)]

    dead = [
        f"{module.relative_to(checkout)}: {path}"
        for module in modules
        if missing(module.read_text(encoding="utf-8"))  # few: to tell code from comments takes longer
        for text in comments_and_docstrings(module)
        for path in missing(text)
    ]
    assert dead == []


def test_every_module_and_name_of_the_code_that_a_page_mentions_is_there(checkout):
    dead = []
    for page in pages(checkout):
        for dotted in sorted(set(DOTTED_NAME.findall(page.read_text(encoding="utf-8")))):
            module, names = checkout, dotted.split(".")
            while names and (module / names[0]).is_dir():
                module /= names.pop(0)
            module = (
                module / f"{names.pop(0)}.py"
                if names and (module / f"{names[0]}.py").exists()
                else module / "__init__.py"
            )
            if names and not re.search(rf"^(?:def|class) {names[0]}\b|^{names[0]}\b", module.read_text(), re.MULTILINE):
                dead.append(f"{page.relative_to(checkout)}: {dotted}")
    assert dead == []


def test_the_tour_of_a_package_names_every_room_and_nothing_else(checkout):
    wrong = []
    for init in sorted((checkout / "advisor").rglob("__init__.py")):
        text = init.read_text(encoding="utf-8")
        tour = ast.get_docstring(ast.parse(text)) or ""
        if "·" not in tour:
            continue
        rooms = {path.stem for path in init.parent.glob("*.py")} | {
            path.parent.name for path in init.parent.glob("*/__init__.py")
        }
        named = {name.rstrip("/") for name in re.findall(r"`(\w+/?)`", tour)}
        code = text.partition(tour[-20:])[2]
        wrong += [
            f"{init.relative_to(checkout)}: nothing on {room}"
            for room in sorted(rooms - named - {"__init__", "__main__"})
        ]
        wrong += [
            f"{init.relative_to(checkout)}: no {name}"
            for name in sorted(named - rooms - {path.name for path in init.parent.iterdir()})
            if not re.search(rf"\b{name}\b", code)
        ]
    assert wrong == []


def test_every_option_that_a_page_mentions_is_there(checkout):
    known, waiting = set(OPTIONS_OF_OTHERS), [typer.main.get_command(build_app([]))]
    while waiting:
        command = waiting.pop()
        waiting += getattr(command, "commands", {}).values()
        known |= {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    dead = [
        f"{page.relative_to(checkout)}: {option}"
        for page in pages(checkout)
        if page.name != "CHANGELOG.md"  # it names what was removed
        for option in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", page.read_text(encoding="utf-8"))) - known)
    ]
    assert dead == []
