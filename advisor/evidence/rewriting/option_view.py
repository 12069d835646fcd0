"""What would the options that stand in a file of another kind look like in an option file, line by line?

The editor of option files changes that text; `write_back` carries each changed line to where it came from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final

from advisor.errors import InputError
from advisor.evidence.formats.detect_format import Place, TextKind, kind_of, place_of
from advisor.evidence.formats.places import servers_at
from advisor.model.options import Argument, Reading
from advisor.model.record import record

GROUP_LINE: Final = "[mysqld]"
PLAIN: Final = re.compile(r"[\w.:/,%+@=;*-]+\Z")  # needs no quotes in YAML, in a shell, and in an option file
_LOOKED_AT_LINES: Final = 100
_WRITTEN: Final = (Place.YAML, Place.SYSTEMD)
_HINT: Final = "make the changes above by hand"


class Form(StrEnum):
    """How an option stands in the file."""

    BLOCK = "block"  # a line of an option file inside YAML
    ENTRY = "entry"  # an entry of a list on a line of its own: - --name=value
    WORD = "word"  # a word of a command
    KEY = "key"  # a key of a mapping: name: value


@record
class Spot:
    """Where one line of the view comes from: `line` counts from 0, `start` and `end` are columns of the option."""

    form: Form
    line: int
    start: int
    end: int


@record
class OptionView:
    """The options of one server in a file as an option file; `spots` has a place for each line, None for the group.

    `part` is the server's name in a file of several.
    """

    path: str
    part: str
    text: str
    lines: tuple[str, ...]
    spots: tuple[Spot | None, ...]


def option_view(source: str, path: str, part: str) -> OptionView:
    """The view of a server's options. InputError where they stand in a way that cannot be changed from here."""
    reading = options_at(source, path, part)
    lines = source.split("\n")
    own = [argument for argument in reading.arguments if argument.file == path]
    if any(argument.file != path and argument.line for argument in reading.arguments):
        hint = "change the file that is read together with it: " + ", ".join(reading.files[1:])
        raise InputError("--diff and --fix change one file only", file=path, hint=hint)
    if not own:
        raise InputError("it has no option, so there is no place to add one", file=path, hint=_HINT)
    block = _block(lines, own)
    found = block if block is not None else [_spot(lines, argument, path) for argument in own]
    texts = [lines[spot.line][spot.start :] if block is not None else _as_line(a) for spot, a in _pairs(found, own)]
    head: list[Spot | None] = []
    if block is None or not any(text.lstrip().startswith("[") for text in texts):
        texts, head = [GROUP_LINE, *texts], [None]
    return OptionView(path, part, "".join(f"{text}\n" for text in texts), tuple(lines), (*head, *found))


def options_at(source: str, path: str, part: str) -> Reading:
    """The options that a text gives its server. InputError where it holds none that can be written."""
    place = place_of(source, TextKind(kind_of(source)))
    if place not in _WRITTEN:
        what = place.value.partition(",")[0] if place else "JSON"
        raise InputError(f"--diff and --fix cannot change {what}", file=path, hint=_HINT)
    servers = servers_at(source, path, place)
    builder = servers.get(part) if part else next(iter(servers.values()), None)
    if builder is None or builder.options is None:
        raise InputError("--diff and --fix change options, and these are values", file=path, hint=_HINT)
    if "base64" in builder.options.kept_in:
        raise InputError(f"--diff and --fix cannot change {builder.options.kept_in}", file=path, hint=_HINT)
    return builder.options


def _pairs(spots: Sequence[Spot], arguments: Sequence[Argument]) -> Iterator[tuple[Spot, Argument]]:
    """Each spot with its argument; in a block every line counts, whatever it holds."""
    for at, spot in enumerate(spots):
        yield spot, arguments[min(at, len(arguments) - 1)]


def _block(lines: Sequence[str], own: Sequence[Argument]) -> list[Spot] | None:
    """The lines of a block text that holds all the options; None where they do not stand in one."""
    first = own[0].line - 1
    indent = len(lines[first]) - len(lines[first].lstrip())
    head = first
    while head >= 0 and (not lines[head].strip() or len(lines[head]) - len(lines[head].lstrip()) >= indent):
        head -= 1
    if head < 0 or not re.search(r":\s*(?:&\S+\s+)?\|\d?[+-]?\s*(?:#.*)?\r?\Z", lines[head]):
        return None
    last = head + 1
    while last < len(lines) and (not lines[last].strip() or len(lines[last]) - len(lines[last].lstrip()) >= indent):
        last += 1
    while last > head + 1 and not lines[last - 1].strip():
        last -= 1
    if any(not head < argument.line - 1 < last for argument in own):
        return None
    return [Spot(Form.BLOCK, at, min(indent, len(lines[at])), len(lines[at])) for at in range(head + 1, last)]


def _spot(lines: Sequence[str], argument: Argument, path: str) -> Spot:
    """Where an option stands that is no line of an option file."""
    for at in range(argument.line - 1, min(argument.line + _LOOKED_AT_LINES, len(lines))):
        line = lines[at]
        if line.count(argument.text) == 1 and _is_word(line, start := line.index(argument.text), len(argument.text)):
            alone = re.fullmatch(r"\s*-\s*([\"']?)" + re.escape(argument.text) + r"\1\s*(?:#.*)?", line)
            return Spot(Form.ENTRY if alone else Form.WORD, at, start, start + len(argument.text))
        key = re.match(rf"\s*([\"']?){re.escape(argument.name)}\1\s*:\s*([\"']?)", line)
        if key and at == argument.line - 1 and argument.value and line[key.end() :].startswith(argument.value):
            return Spot(Form.KEY, at, key.end(), key.end() + len(argument.value))
    hint = "make the change by hand"
    message = f"--diff and --fix cannot change {argument.name} where it is set"
    raise InputError(message, file=path, line=argument.line, hint=hint)


def _is_word(line: str, start: int, length: int) -> bool:
    """Whether the text is a whole word of the line."""
    before, after = line[:start], line[start + length :]
    return (not before or before[-1] in " \t\"'=") and (not after or after[0] in " \t\"'\\\r")


def _as_line(argument: Argument) -> str:
    if argument.value is None:
        return argument.name
    if PLAIN.match(argument.value) or argument.value == "":
        return f"{argument.name}={argument.value}"
    quoted = argument.value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{argument.name}="{quoted}"'
