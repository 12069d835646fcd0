"""Which options do `mysqld --print-defaults` and `my_print_defaults` print?

The first prints all options on one line behind a sentence, the second one on each line. Neither puts quotes around
values (https://dev.mysql.com/doc/refman/8.4/en/my-print-defaults.html), so a value goes on to the next ` --`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from advisor.evidence.formats.beyond_files.command_line import Word, read_words, reading_of
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_reading

KIND: Final = "printed options"
HEADING: Final = r"\S*(?:mysqld|mariadbd?)\S* would have been started with"
_NEXT_OPTION: Final = re.compile(r"[ \t]+(?=--[A-Za-z])")


def servers(text: str, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """The one server whose options these are."""
    lines = text.split("\n")
    server = "mariadb unknown" if re.match(r"\S*mariadb", lines[0]) else ""
    words = [word for number, line in enumerate(lines, 1) for word in printed_words(line.strip(), number)]
    command = read_words(words, file)
    reading = reading_of(command.arguments, command.problems(file, 1), file, KIND)
    yield "server", MemberBuilder(options=redact_reading(reading), server=server)


def printed_words(line: str, number: int) -> Iterator[Word]:
    """The options of a line without quotes, each whole, whatever blanks its value has."""
    if line.startswith("--"):
        for word in _NEXT_OPTION.split(line):
            name, blank, value = word.rstrip().partition(" ")
            yield Word(
                name if "=" not in name and not value else f"{name}{'=' if '=' not in name else blank}{value}", number
            )
