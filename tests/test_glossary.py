"""Do users read the words of the field? Refuses those that the last table of docs/glossary.md lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import pytest
import typer.main

from advisor.cli.app import build_app
from advisor.data import read_documents

CHECKOUT: Final = Path(__file__).resolve().parents[1]
# Keys of YAML files whose values are sentences for users. All else is ids, conditions, names and values.
SENTENCES: Final = {
    *("title", "finding", "why", "do", "costs", "says", "plainly", "settles", "question", "means", "what", "name"),
}
FENCED_BLOCK: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


class Passage(NamedTuple):
    """Something that users read, and where it is written."""

    place: str
    text: str


def words_not_used() -> dict[str, re.Pattern[str]]:
    """The first column of the glossary's last table: phrases, and between slashes regular expressions."""
    table = (CHECKOUT / "docs/glossary.md").read_text(encoding="utf-8").rpartition("\n## ")[2]
    entries = [entry.replace("\\|", "|") for entry in re.findall(r"^\| `(.+?)` \|", table, re.MULTILINE)]
    return {
        entry: re.compile(rf"\b(?:{entry.strip('/')})\b" if entry.startswith("/") else rf"\b{entry}\b", re.IGNORECASE)
        for entry in entries
    }


def texts_of_data(data: Any, key: str = "") -> Iterator[str]:
    """The sentences of a YAML document, wherever they are in it."""
    if isinstance(data, dict):
        for name, value in data.items():
            yield from texts_of_data(value, name)
    elif isinstance(data, list):
        for value in data:
            yield from texts_of_data(value, key)
    elif isinstance(data, str) and key in SENTENCES:
        yield data


def passages_of_data() -> Iterator[Passage]:
    """Rules, causes, ceilings, terms, search spaces, experiments; their cases are for those who write them."""
    for folder in ("rules", "search_spaces", "experiments"):
        for path in sorted((CHECKOUT / folder).rglob("*.yaml")):
            document = next(iter(read_documents(path)))
            yield from (Passage(str(path.relative_to(CHECKOUT)), text) for text in texts_of_data(document))


def passages_of_help() -> Iterator[Passage]:
    """The help of every command and of each of its options."""
    waiting: list[tuple[str, click.Command]] = [("advisor", typer.main.get_command(build_app([])))]
    while waiting:
        command_line, command = waiting.pop()
        for name, sub_command in getattr(command, "commands", {}).items():
            waiting.append((f"{command_line} {name}", sub_command))
        for text in (command.help, command.epilog, command.short_help):
            yield Passage(f"{command_line} --help", text or "")
        for parameter in command.params:
            yield Passage(f"{command_line} {parameter.opts[0]}", getattr(parameter, "help", "") or "")


def written(node: ast.expr) -> str:
    """A string literal as it is in the source; a value that is filled in is `{}`."""
    if isinstance(node, ast.JoinedStr):
        return "".join(written(part) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every string of a module that may be a message: more than one word, and not a docstring."""
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in statements | parts:
            text = written(node)
            if " " in text.strip():
                yield node.lineno, text


def passages_of_messages() -> Iterator[Passage]:
    """Errors, hints, reports and progress: the string literals of `advisor/`, and what faults say of themselves."""
    for path in sorted((CHECKOUT / "advisor").rglob("*.py")):
        place = str(path.relative_to(CHECKOUT))
        if place.startswith("advisor/why/facts/told/"):
            continue  # words that users write
        tree = ast.parse(path.read_text(encoding="utf-8"))
        yield from (Passage(f"{place}:{line}", text) for line, text in literals(tree))
        if "lab/faults" in place:
            yield Passage(place, ast.get_docstring(tree) or "")


def passages_of_pages() -> Iterator[Passage]:
    """README and docs, without blocks of code and output, recorded reports, pages of rules and the table itself."""
    pages = [CHECKOUT / "README.md", CHECKOUT / "CONTRIBUTING.md", *sorted((CHECKOUT / "docs").glob("*.md"))]
    for page in [*pages, *sorted((CHECKOUT / "docs/decisions").glob("*.md"))]:
        text = FENCED_BLOCK.sub(lambda block: "\n" * block.group().count("\n"), page.read_text(encoding="utf-8"))
        if page.name == "glossary.md":
            text = text.rpartition("\n## ")[0]
        for number, paragraph in enumerate(text.split("\n\n"), 1):
            yield Passage(f"{page.relative_to(CHECKOUT)}, paragraph {number}", paragraph)


def offences(passages: Iterator[Passage]) -> list[str]:
    """Each passage with a word that the glossary does not use, with some text around it."""
    refused = words_not_used()
    lines = []
    for place, text in passages:
        flat = " ".join(text.split())
        for match in (match for pattern in refused.values() for match in pattern.finditer(flat)):
            lines.append(f"{place}: …{flat[max(0, match.start() - 30) : match.end() + 30]}…")
    return lines


def test_the_glossary_lists_words_that_can_be_looked_for() -> None:
    refused = words_not_used()
    assert len(refused) > 15
    for sentence in ("8M is no number", "all processors are busy", "an advice", "values are put back"):
        assert any(pattern.search(sentence) for pattern in refused.values()), sentence
    for sentence in ("there is no number", "it is no longer an option", "is no faster", "put more backlog there"):
        assert not any(pattern.search(sentence) for pattern in refused.values()), sentence


@pytest.mark.parametrize("passages", [passages_of_data, passages_of_help, passages_of_messages, passages_of_pages])
def test_what_users_read_has_the_words_of_the_glossary(passages: Callable[[], Iterator[Passage]]) -> None:
    assert offences(passages()) == []
