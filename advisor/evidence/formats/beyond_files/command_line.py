"""Which options does a command line give the server?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.data import Located
from advisor.model.options import Argument, Reading, ReadProblem
from advisor.model.record import record

GROUP: Final = "mysqld"  # options of a command line count as if they stood there, behind all files
SERVER: Final = r"(?:\S*/)?(?:mysqld|mariadbd)(?:-debug)?"  # the program itself
_PROGRAMS: Final = re.compile(
    rf"(?:{SERVER}|(?:\S*/)?(?:mysqld_safe|mysqld_multi|mariadbd-safe|docker-entrypoint\.sh|entrypoint\.sh|run\.sh))\Z"
)
# Read by the programs before all others, from the command line alone; they choose files and say nothing of the server.
_OF_FILES: Final = frozenset(
    "defaults-file defaults-extra-file defaults-group-suffix no-defaults print-defaults login-path".split()
)
_LOOKED_AT_LINES: Final = 100  # for the next word: in between are comments and empty lines
_SHELLS: Final = re.compile(r"(?:\S*/)?(?:ba|da|a)?sh\Z")
_OF_SCRIPTS: Final = ("$(", "`", "<<")  # what a shell would put there is not known
_BRANCHES: Final = frozenset("if for while until case function".split())
_FROM_OUTSIDE: Final = re.compile(r"(?<!\$)\$(?:\{|[A-Za-z_])|\$\(|\{\{.*?\}\}")


@record
class Word:
    """One word of a command, and the line it stands on; in `file` where that is another one than the command's."""

    text: str
    line: int
    file: str = ""


@record
class CommandLine:
    """The options; `program` is what the command runs when that is no server, `files` options that choose files.

    `late` are such options behind others, where servers refuse them (seen on MySQL 9.7.4 and MariaDB 10.11.19).
    """

    arguments: tuple[Argument, ...] = ()
    program: str = ""
    files: tuple[Word, ...] = ()
    late: tuple[Word, ...] = ()

    def problems(self, file: str, line: int) -> tuple[ReadProblem, ...]:
        """What of it is not judged; `line` is where the command stands."""
        found = []
        if self.program:
            message = f"the command runs {self.program}; the options that it passes to the server are not judged"
            found.append(ReadProblem(file, line, message, False, elsewhere=True))
        for word in self.late:
            message = f"{word.text} must be the first option"
            found.append(ReadProblem(word.file or file, word.line, message, True))
        for word in self.files:
            if word.text.startswith("--defaults-group-suffix=") and "$" in word.text:
                message = "the group suffix is not known here, so option groups with a suffix are not judged"
                found.append(ReadProblem(word.file or file, word.line, message, False, elsewhere=True))
            if word.text.partition("=")[0] in ("--defaults-file", "--defaults-extra-file"):
                message = f"{word.text}: this file is not part of the evidence; its settings are not judged"
                hint = "give its copy as well, with --together"
                found.append(ReadProblem(word.file or file, word.line, message, False, hint, elsewhere=True))
        return tuple(found)


def reading_of(arguments: Sequence[Argument], problems: Sequence[ReadProblem], file: str, kind: str) -> Reading:
    """Options that stand in a file of another kind than an option file, as a reading of it."""
    return Reading(tuple(arguments), tuple(problems), (file,), groups=(GROUP,), kept_in=kind)


def read_command(
    command: Located | None, source: Sequence[str], file: str, entrypoint: Located | None = None
) -> CommandLine:
    """The options of a `command:`, a list or one text. `source` are the lines of the file, to find the places in.

    An entry point takes the command as its arguments
    (https://docs.docker.com/reference/compose-file/services/#entrypoint).
    """
    return read_words([*_words(entrypoint, source), *_words(command, source)], file)


def read_words(words: Sequence[Word], file: str) -> CommandLine:
    """The options of a command that is cut into words; its program may be left out."""
    words = _started_by_shell(words) or words
    while words and _PROGRAMS.match(words[0].text):  # docker-entrypoint.sh mysqld …
        words = words[1:]
    if words and not words[0].text.startswith("-"):
        return CommandLine(program=words[0].text)
    arguments: list[Argument] = []
    files: list[Word] = []
    late: list[Word] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not word.text.startswith("--") or len(word.text) < 3:
            continue
        name, equals, value = word.text[2:].partition("=")
        if name in _OF_FILES:
            (late if arguments or _refused_here(name, files) else files).append(word)
            continue
        if not equals and at < len(words) and not words[at].text.startswith("-"):
            equals, value, at = "=", words[at].text, at + 1  # `--name value`
        arguments.append(argument(name, value if equals else None, word.line, word.file or file))
    return CommandLine(tuple(arguments), files=tuple(files), late=tuple(late))


def _started_by_shell(words: Sequence[Word]) -> Sequence[Word]:
    """The words with which a plain script of `sh -c` starts the server; () where it does more, or starts none."""
    import shlex

    switch = next((at for at, word in enumerate(words) if word.text.startswith("-") and word.text.endswith("c")), 0)
    if not switch or not _SHELLS.match(words[0].text) or switch + 1 >= len(words):
        return ()
    script = words[switch + 1]
    if any(mark in script.text for mark in _OF_SCRIPTS):
        return ()
    text = script.text.replace("\\\n", " ").replace("\n", " ; ")
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        parts = list(lexer)
    except ValueError:
        return ()
    starts = [at for at, part in enumerate(parts) if re.fullmatch(SERVER, part)]
    if len(starts) != 1 or not _BRANCHES.isdisjoint(parts):
        return ()
    end = next((at for at in range(starts[0], len(parts)) if set(parts[at]) <= set("();<>|&")), len(parts))
    return [Word(part, script.line, script.file) for part in parts[starts[0] : end]]


def _refused_here(name: str, files: Sequence[Word]) -> bool:
    """Whether an option that chooses files stands behind itself, or beside --no-defaults, which must be alone."""
    before = {word.text[2:].partition("=")[0] for word in files}
    return name in before or "no-defaults" in before or (name == "no-defaults" and bool(before))


def argument(name: str, value: str | None, line: int, file: str) -> Argument:
    """An option as if it stood in the server's group; a value with a variable of a shell or template is unknown."""
    from_outside = value is not None and _FROM_OUTSIDE.search(value) is not None
    value = value.replace("$$", "$") if value is not None else None
    text = f"--{name}" if value is None else f"--{name}={value}"
    return Argument(text, name, value, GROUP, file, line, value_unknown=from_outside)


def _words(command: Located | None, source: Sequence[str]) -> Iterator[Word]:
    if command is None:
        return
    if isinstance(command.value, list):
        for entry in command.value:
            if isinstance(entry.value, str):
                yield Word(entry.value, entry.line)
    elif isinstance(command.value, str):
        yield from split_words(command.value, command.line, command.last_line, source)


def split_words(text: str, line: int, last_line: int, source: Sequence[str]) -> Iterator[Word]:
    """The words of one text as a shell would see them, each on the line of `source` where it is found next."""
    import shlex

    try:
        words = shlex.split(text)
    except ValueError:  # a quote that is never closed: Compose refuses it as well
        return
    for word in words:
        last = min(last_line, line + _LOOKED_AT_LINES, len(source))
        found = (number for number in range(line, last + 1) if word in source[number - 1])
        line = next(found, line)
        yield Word(word, line)
