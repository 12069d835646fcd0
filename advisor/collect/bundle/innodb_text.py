"""Which lines of SHOW ENGINE INNODB STATUS hold statements or rows? The text without them.

The sections on the latest deadlock and foreign key error quote both and are left out. Of the list of transactions,
the lines that InnoDB itself writes are kept; the line after "MySQL thread id" is the statement.
"""

from __future__ import annotations

import re
from typing import Final

_QUOTING: Final = ("LATEST DETECTED DEADLOCK", "LATEST FOREIGN KEY ERROR")
_TRANSACTIONS: Final = "TRANSACTIONS"
_RULE: Final = re.compile(r"[-=]{3,}\s*\Z")
_OWN: Final = re.compile(
    r"Trx id counter|Purge done|History list length|Total number of lock structs|LIST OF TRANSACTIONS"
    r"|---TRANSACTION \(?\w+\)?,|\d+ lock struct|mysql tables in use"
    r"|LOCK WAIT|------- TRX HAS BEEN WAITING|ROLLING BACK|-+\s*\Z"
)
_THREAD: Final = re.compile(r"((?:MySQL|MariaDB) thread id \d+, OS thread handle \S+ query id \d+).*")


def without_statements(text: str) -> str:
    """The text with a remark in place of the sections that quote statements and rows."""
    kept: list[str] = []
    lines = text.splitlines()
    section = ""
    for number, line in enumerate(lines):
        above = lines[number - 1] if number else ""
        below = lines[number + 1] if number + 1 < len(lines) else ""
        if _RULE.match(above) and _RULE.match(below) and line.strip():
            section = line.strip()
            kept.append(line)
            if section in _QUOTING:
                kept.append(below + "\n(left out)")
        elif section in _QUOTING:
            if _RULE.match(line) and number + 2 < len(lines) and _RULE.match(lines[number + 2]):
                section = ""
                kept.append(line)
        elif section == _TRANSACTIONS and not _OWN.match(line):
            kept += [found[1] for found in [_THREAD.match(line)] if found]
        else:
            kept.append(line)
    return "\n".join(kept)
