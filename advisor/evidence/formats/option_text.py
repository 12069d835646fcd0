"""Option files that came with other evidence: from an archive, a bundle, a report → one reading.

Their includes speak of folders on another machine, so they are looked for among the files that came with them and
never on this machine's disk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from advisor.evidence.member.redaction import redact_reading
from advisor.model.options import Argument, Reading, ReadProblem
from advisor.model.record import replace

_INCLUDE = re.compile(r"^[ \t]*![ \t]*(includedir|include)[ \t]+([^\r\n]*?)[ \t]*\r?$", re.MULTILINE)
_DEEPEST = 10  # as the servers

Found = Sequence[tuple[str, str]]
Finder = Callable[[str, bool], Found]
"""(path as written, whether it is a folder) → names and texts of the files it stands for."""


def read_option_text(text: str, label: str, find: Finder | None = None) -> Reading:
    """The reading of an option file's text, included files in their place; passwords masked."""
    return redact_reading(_read(text, label, find, 0))


def _read(text: str, label: str, find: Finder | None, depth: int) -> Reading:
    from advisor.options import read_text

    includes = [
        (text.count("\n", 0, match.start()) + 1, match[1] == "includedir", match[2])
        for match in _INCLUDE.finditer(text)
    ]
    reading = read_text(_INCLUDE.sub("#", text), label, go_on=True)
    for line, is_folder, path in reversed(includes):
        files = find(path, is_folder) if find and depth < _DEEPEST else ()
        if files:
            for name, included in reversed(files):
                reading = _spliced(reading, line, label, _read(included, name, find, depth + 1))
        else:
            message = f"{path} is not part of the evidence; its contents are not judged"
            problem = ReadProblem(label, line, message, False, "add the included files to the bundle")
            reading = replace(reading, problems=(*reading.problems, problem))
    return reading


def _spliced(outer: Reading, line: int, label: str, inner: Reading) -> Reading:
    """`inner` at the place of its include; the servers read it there, so its order decides who wins."""

    def is_before(argument: Argument) -> bool:
        return argument.file == label and argument.line < line

    before = tuple(argument for argument in outer.arguments if is_before(argument))
    after = outer.arguments[len(before) :]
    return Reading(
        (*before, *inner.arguments, *after),
        (*outer.problems, *inner.problems),
        (*outer.files, *inner.files),
        (*outer.suppressions, *inner.suppressions),
    )


def joined(readings: Sequence[Reading], kept_in: str) -> Reading:
    """Several readings of one server as one, in the order in which it reads them; the first file is the one meant."""
    return Reading(
        arguments=tuple(argument for reading in readings for argument in reading.arguments),
        problems=tuple(problem for reading in readings for problem in reading.problems),
        files=tuple(dict.fromkeys(name for reading in readings for name in reading.files)),
        suppressions=tuple(dict.fromkeys(found for reading in readings for found in reading.suppressions)),
        groups=tuple(dict.fromkeys(group for reading in readings for group in reading.groups)),
        kept_in=kept_in,
        group_suffix=next((reading.group_suffix for reading in readings if reading.group_suffix), ""),
    )
