"""Which options were running servers started with? What `ps` prints of their processes.

mysqld_safe passes what it worked out itself on the command line (`--basedir`, `--log-error`, …), and the options that
it was given (https://dev.mysql.com/doc/refman/8.4/en/mysqld-safe.html).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from advisor.evidence.formats.beyond_files.command_line import read_words, reading_of
from advisor.evidence.formats.beyond_files.printed_arguments import printed_words
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_reading

KIND: Final = "a list of processes"
# A name without a folder is also what somebody searched for (`grep mysqld`), unless options follow.
_PROCESS: Final = re.compile(
    r"(?:.*?\s)??(?P<program>(?:\S*/(?:mysqld|mariadbd)(?:-debug)?(?=\s|\Z))|(?:mysqld|mariadbd)(?=\s+--))(?P<options>(?:\s+--.*)?)\s*\Z"
)
_PID: Final = re.compile(r"\s*(?:[A-Za-z_]\S*\s+)?(\d+)\s")


def servers(text: str, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """Every process of a server, by its number."""
    for number, line in enumerate(text.split("\n"), 1):
        found = _PROCESS.match(line)
        if found is None:
            continue
        command = read_words(list(printed_words(found["options"].strip(), number)), file)
        reading = reading_of(command.arguments, command.problems(file, number), file, KIND)
        pid = _PID.match(line)
        server = "mariadb unknown" if "mariadbd" in found["program"] else ""
        yield pid[1] if pid else f"line-{number}", MemberBuilder(options=redact_reading(reading), server=server)
