"""Which options does a systemd unit give the server, with its drop-ins?

An empty `ExecStart=` forgets those above it, and drop-ins are read behind the unit in the order of their names
(systemd.unit(5), systemd.service(5)). Packages of MariaDB and MySQL put variables into the command that `Environment=`
or `systemctl set-environment` fill (https://mariadb.com/kb/en/systemd/#configuring-the-systemd-service,
https://dev.mysql.com/doc/refman/8.4/en/using-systemd.html): MYSQLD_OPTS, _WSREP_NEW_CLUSTER.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from advisor.evidence.formats.beyond_files.chosen_files import ReadFile, with_chosen_files
from advisor.evidence.formats.beyond_files.command_line import SERVER, CommandLine, Word, read_words, reading_of
from advisor.evidence.formats.option_text import joined
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_reading
from advisor.evidence.source.files import as_text, read_bytes
from advisor.model.options import Reading, ReadProblem
from advisor.model.record import field, record, replace

KIND: Final = "a systemd unit"
_FOLDERS: Final = ("etc/systemd/system", "lib/systemd/system", "usr/lib/systemd/system")
_UNITS: Final = ("mysqld.service", "mysql.service", "mariadb.service")
_PROGRAM: Final = re.compile(rf"[-@:+!|]*(?:{SERVER}|(?:\S*/)?(?:mysqld_safe|mariadbd-safe|mysqld_multi))\Z")
_FOR_SERVERS: Final = ("MYSQLD_OPTS", "MYSQLD_OPTIONS", "EXTRA_OPTS", "_WSREP_NEW_CLUSTER", "_WSREP_START_POSITION")
_SPECIFIER: Final = re.compile(r"%[A-Za-z]")  # systemd fills in, such as the name of an instance
_VARIABLE: Final = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


@record
class _Unit:
    """What counts of a unit and its drop-ins: the last ExecStart, the variables, the files of variables."""

    commands: list[Word] = field(default_factory=list)
    variables: dict[str, Word] = field(default_factory=dict)
    files: list[Word] = field(default_factory=list)


@record
class InstalledUnit:
    """The unit of a copy of a server's files: its command, and what is not known of it."""

    file: str
    drop_ins: tuple[str, ...]
    command: CommandLine
    problems: tuple[ReadProblem, ...]

    @property
    def reading(self) -> Reading:
        """The options of the command line alone."""
        problems = [*self.command.problems(self.file, 1), *self.problems]
        own = reading_of(self.command.arguments, problems, self.file, KIND)
        return replace(own, files=(self.file, *self.drop_ins))

    def with_files(self, by_itself: Sequence[Reading], read: ReadFile, kept_in: str) -> Reading:
        """The option files that the server reads, and behind them the command line, which wins over them."""
        readings, command = with_chosen_files(self.command, by_itself, read)
        meant = [Reading((), files=(self.file, *self.drop_ins))] if kept_in else []
        return joined([*meant, *readings, replace(self, command=command).reading], kept_in)


def servers(text: str, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """The server that the unit starts; none for a unit of something else."""
    unit = read_unit(text, file)
    if unit is not None:
        reading = unit.with_files((), _beside(file), KIND)
        server = "mariadb unknown" if re.search(r"^ExecStart=\S*mariadbd", text, re.MULTILINE) else ""
        yield "server", MemberBuilder(options=redact_reading(reading), server=server)


def installed_unit(root: str) -> InstalledUnit | None:
    """The server's unit in a copy of its files below `root`; /etc wins over /lib, as for systemd."""
    folders = [os.path.join(root, folder) for folder in _FOLDERS]
    for name in _UNITS:
        files = [os.path.join(folder, name) for folder in folders]
        present = [file for file in files if os.path.isfile(file)]
        drop_ins = {os.path.basename(path): path for file in reversed(files) for path in _drop_ins(file)}
        if present or drop_ins:
            text = as_text(read_bytes(present[0], present[0]), present[0]) if present else ""
            return read_unit(text, present[0] if present else files[0], [drop_ins[key] for key in sorted(drop_ins)])
    return None


def read_unit(text: str, file: str, drop_ins: list[str] | None = None) -> InstalledUnit | None:
    """The command of a unit, or of a drop-in alone; the drop-ins are those next to the file unless they are named."""
    unit = _Unit()
    _add(text, file, unit)
    drop_ins = _drop_ins(file) if drop_ins is None else drop_ins
    for path in drop_ins:
        _add(as_text(read_bytes(path, path), path), path, unit)
    starts = [command for command in unit.commands if _is_server(command)]
    if not starts and (unit.commands or not any(name in unit.variables for name in _FOR_SERVERS)):
        return None
    words = _words(starts[-1], unit.variables)[1:] if starts else []
    if not starts:  # a drop-in that only fills the variables of the unit it belongs to
        words = [word for name in _FOR_SERVERS if name in unit.variables for word in _split(unit.variables[name])]
    problems = [
        ReadProblem(
            other.file,
            other.line,
            f"{other.text}: the variables in this file are not known here",
            False,
            elsewhere=True,
        )
        for other in unit.files
    ]
    return InstalledUnit(file, tuple(drop_ins), read_words(words, file), tuple(problems))


def _beside(file: str) -> ReadFile:
    """Option files that a unit names, below the root that its own folder shows, or by their names next to it."""
    folder = os.path.dirname(os.path.abspath(file))
    root = next((folder[: -len(place)] for place in _FOLDERS if folder.endswith(f"/{place}")), None)

    def read(path: str) -> Reading | None:
        from advisor.options import read_file

        copies = [os.path.join(folder, os.path.basename(path))] if root is None else [root + path.lstrip("/")]
        found = next((copy for copy in copies if os.path.isfile(copy)), "")
        return read_file(found, root=root or "/", go_on=True) if found else None

    return read


def _add(text: str, file: str, unit: _Unit) -> None:
    section = ""
    for line, content in _logical_lines(text):
        if content.startswith("["):
            section = content.strip()
            continue
        name, equals, value = (part.strip() for part in content.partition("="))
        if section != "[Service]" or not equals:
            continue
        if name == "ExecStart":
            unit.commands[:] = [*unit.commands, Word(value, line, file)] if value else []
        elif name == "Environment":
            for word in _split(Word(value, line, file)):
                variable, _, content = word.text.partition("=")
                unit.variables[variable] = Word(content, line, file)
        elif name == "EnvironmentFile":
            unit.files[:] = [*unit.files, Word(value.lstrip("-"), line, file)] if value else []


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with what a backslash at their end continues, comments left out, each with its first number."""
    held, first = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if line[:1] in ("#", ";"):
            continue  # in the midst of a continued line too
        if line.endswith("\\"):
            held, first = f"{held}{line[:-1]} ", first or number
            continue
        if held or line:
            yield first or number, held + line
        held, first = "", 0


def _words(command: Word, variables: Mapping[str, Word]) -> list[Word]:
    """The words of ExecStart. $NAME alone stands for words, ${NAME} for one; what is set elsewhere is unknown."""
    words = []
    for word in _split(command):
        alone = re.fullmatch(r"\$(\w+)", word.text)
        if alone:
            words += _split(variables[alone[1]]) if alone[1] in variables else []
            continue
        text = _VARIABLE.sub(lambda found: _value(found, variables), word.text)
        words.append(Word("$SPECIFIER".join(_SPECIFIER.split(text)), word.line, word.file))
    return words


def _value(found: re.Match[str], variables: Mapping[str, Word]) -> str:
    known = variables.get(found[1] or found[2])
    return known.text if known else found[0]


def _split(command: Word) -> list[Word]:
    try:
        return [Word(text, command.line, command.file) for text in shlex.split(command.text)]
    except ValueError:  # a quote that is never closed: systemd passes the line over
        return []


def _is_server(command: Word) -> bool:
    words = command.text.split(maxsplit=1)
    return bool(words) and _PROGRAM.match(words[0]) is not None


def _drop_ins(file: str) -> list[str]:
    """Next to the unit, as systemd looks for them: NAME.service.d/*.conf, by name."""
    folder = f"{file}.d"
    if not file.endswith(".service") or not os.path.isdir(folder):
        return []
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".conf")]
