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
from collections.abc import Iterator, Mapping
from typing import Final

from advisor.evidence.formats.beyond_files.command_line import SERVER, Word, read_words, reading_of
from advisor.evidence.member.builder import MemberBuilder
from advisor.evidence.member.redaction import redact_reading
from advisor.evidence.source.files import as_text, read_bytes
from advisor.model.options import Reading, ReadProblem
from advisor.model.record import field, record, replace

KIND: Final = "a systemd unit"
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


def servers(text: str, file: str) -> Iterator[tuple[str, MemberBuilder]]:
    """The server that the unit starts; none for a unit of something else."""
    reading = read_unit(text, file)
    if reading is not None:
        server = "mariadb unknown" if re.search(r"^ExecStart=\S*mariadbd", text, re.MULTILINE) else ""
        yield "server", MemberBuilder(options=redact_reading(reading), server=server)


def installed_unit(root: str) -> Reading | None:
    """The options of the server's unit in a copy of its files below `root`; /etc wins over /lib, as for systemd."""
    folders = [
        os.path.join(root, folder) for folder in ("etc/systemd/system", "lib/systemd/system", "usr/lib/systemd/system")
    ]
    for name in _UNITS:
        files = [os.path.join(folder, name) for folder in folders]
        present = [file for file in files if os.path.isfile(file)]
        drop_ins = {os.path.basename(path): path for file in reversed(files) for path in _drop_ins(file)}
        if present or drop_ins:
            text = as_text(read_bytes(present[0], present[0]), present[0]) if present else ""
            return read_unit(text, present[0] if present else files[0], [drop_ins[key] for key in sorted(drop_ins)])
    return None


def read_unit(text: str, file: str, drop_ins: list[str] | None = None) -> Reading | None:
    """The options of a unit, or of a drop-in alone; the drop-ins are those next to the file unless they are named."""
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
    return _reading(words, unit, file, drop_ins)


def _reading(words: list[Word], unit: _Unit, file: str, drop_ins: list[str]) -> Reading:
    command = read_words(words, file)
    problems = [*command.problems(file, 1)]
    for other in unit.files:
        message = f"{other.text}: the variables in this file are not known here"
        problems.append(ReadProblem(other.file, other.line, message, False, elsewhere=True))
    return replace(reading_of(command.arguments, problems, file, KIND), files=(file, *drop_ins))


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
