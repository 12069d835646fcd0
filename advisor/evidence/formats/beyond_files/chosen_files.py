"""Which option files does a command line choose, and what do they hold?

The options that choose files stand before all others; with --defaults-file the server reads that file alone, and
--defaults-extra-file is then passed over (seen on MySQL 9.7.4 and MariaDB 10.11.19 with --print-defaults;
https://dev.mysql.com/doc/refman/8.4/en/option-file-options.html).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from advisor.evidence.formats.beyond_files.command_line import CommandLine, Word
from advisor.model.options import Reading, ReadProblem
from advisor.model.record import record, replace

_FILE: Final = "--defaults-file"
_EXTRA: Final = "--defaults-extra-file"
_SUFFIX: Final = "--defaults-group-suffix"
_NONE: Final = "--no-defaults"
ReadFile = Callable[[str], "Reading | None"]
"""Reads the option file at a path of the server's machine; None where there is no copy of it."""


@record
class ChosenFiles:
    """What a command line says of option files: the only one, one more, the suffix of groups, or that none is read."""

    only: Word | None = None
    extra: Word | None = None
    suffix: Word | None = None
    none: bool = False

    @property
    def group_suffix(self) -> str:
        """The suffix; "" for none, and where it is filled in elsewhere (`%I` of systemd)."""
        text = _value(self.suffix) if self.suffix else ""
        return "" if "$" in text else text

    @property
    def instead(self) -> bool:
        """Whether the files are read in place of those that a server finds by itself."""
        return self.none or self.only is not None


def chosen_files(command: CommandLine) -> ChosenFiles:
    """The choice that the command makes."""
    last = {word.text.partition("=")[0]: word for word in command.files if "=" in word.text}
    none = any(word.text == _NONE for word in command.files)
    return ChosenFiles(last.get(_FILE), None if _FILE in last else last.get(_EXTRA), last.get(_SUFFIX), none)


def with_chosen_files(
    command: CommandLine, by_itself: Sequence[Reading], read: ReadFile
) -> tuple[list[Reading], CommandLine]:
    """The option files that the server reads, in its order, and the command without those that were found.

    `by_itself` are those that it would read without the command's choice, as far as they are known.
    """
    chosen = chosen_files(command)
    readings = [] if chosen.instead else list(by_itself)
    found: list[Word] = [chosen.suffix] if chosen.group_suffix and chosen.suffix else []
    for word in filter(None, (chosen.only, chosen.extra)):
        reading = read(_value(word)) if not chosen.none else None
        if reading is not None:
            readings.append(reading)
            found.append(word)
    if chosen.group_suffix:
        readings = [replace(reading, group_suffix=chosen.group_suffix) for reading in readings]
    return readings, replace(command, files=tuple(word for word in command.files if word not in found))


def not_read(chosen: ChosenFiles, file: str, line: int, name: str) -> ReadProblem:
    """The remark on a file that lies where the server looks, and that the command keeps it from reading."""
    word = chosen.only.text if chosen.only else _NONE
    return ReadProblem(file, line, f"{name} is not read because of {word}", False, elsewhere=True)


def _value(word: Word) -> str:
    return word.text.partition("=")[2]
