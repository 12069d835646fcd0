"""What value does a server hold after reading this text for this variable?

Follows the option parsers of MySQL and MariaDB; what the two families and MySQL 5.7 do differently is in `Dialect`.
"""

from __future__ import annotations

from functools import lru_cache

from advisor.model.catalog import Value, Variable, VariableType
from advisor.model.options import Note, NoteKind
from advisor.model.record import record, replace
from advisor.model.server import Family, Release
from advisor.options.enum_values import one_word, set_of_words, switch_list
from advisor.options.lines import printable
from advisor.options.text_checks import consistency, remark
from advisor.units import SHIFTS

_DOUBLE = r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\Z"  # few files have one: compiled when first needed
_ON, _OFF = ("1", "ON", "TRUE"), ("0", "OFF", "FALSE")
_WHOLE = (VariableType.INT, VariableType.UINT)
_NOT_EMPTY = (*_WHOLE, VariableType.DOUBLE, VariableType.ENUM, VariableType.PLUGIN)


@record
class Dialect:
    """How a server parses values. `wraps`: a suffix may overflow 64 bits unnoticed."""

    family: Family
    suffixes: str
    wraps: bool
    series: str

    @property
    def mariadb(self) -> bool:
        """Whether it is MariaDB's."""
        return self.family is Family.MARIADB


@lru_cache(maxsize=64)
def dialect(release: Release) -> Dialect:
    """The dialect of a release."""
    mariadb = release.family is Family.MARIADB
    old = not mariadb and release.version < (8, 0, 0)
    return Dialect(release.family, "kmg" if old else "kmgtpe", mariadb or old, release.series)


@record
class Parsed:
    """The value and remarks on it. `kept`: the text is ignored, the variable keeps the value it had."""

    value: Value
    notes: tuple[Note, ...] = ()
    kept: bool = False


@lru_cache(maxsize=8192)
def parse(variable: Variable, text: str | None, dialect: Dialect, switched: bool = False) -> Parsed:
    """The value of `variable` given `text` (None: no "=" in the line).

    `switched`: `text` ("0" or "1") comes from skip-, disable- or enable-. Numbers are in the server's own unit.
    """
    kind = variable.option_type or variable.type
    if kind is not VariableType.BOOL and variable.option == "none" and text is not None:
        return _refused(f"{variable.name} takes no value")
    if text is None and variable.option == "req":
        return _refused(f"{variable.name} needs a value")
    if text == "" and kind in _NOT_EMPTY and not dialect.mariadb:
        return _refused(f"empty value for {variable.name}")
    if variable.type is VariableType.BOOL and kind is VariableType.STR:
        return _named_switch(variable, text, switched)
    if variable.name == "enforce_gtid_consistency":
        return _consistency(text)
    return _PARSERS[kind](variable, text, dialect, switched)


def forgiven(parsed: Parsed) -> Parsed:
    """`parsed` where the server refuses the value and starts all the same: seen with `loose-` and of plugins.

    MariaDB 10.11.18 starts with `loose-max_connections=abc`, and has 10, with `loose-ft_max_word_len=-1`, and has 0.
    """
    if not any(note.kind is NoteKind.REFUSED_VALUE for note in parsed.notes):
        return parsed
    reason = parsed.notes[0].message
    return Parsed(None, (_misread(f"{reason}; the server starts, but without this value"),))


def _refused(message: str, hint: str = "", instead: str = "") -> Parsed:
    return Parsed(None, (Note(NoteKind.REFUSED_VALUE, printable(message), hint, instead),))


def _misread(message: str, instead: str = "", hint: str = "") -> Note:
    return Note(NoteKind.MISREAD, printable(message), hint, instead)


def _named_switch(variable: Variable, text: str | None, switched: bool) -> Parsed:
    """log_bin: a switch whose option takes a file name, so that only skip- and disable- turn it off."""
    if switched and text == "0":
        return Parsed(False)
    if text is not None and not switched and text.upper() in (*_OFF, *_ON):
        off = text.upper() in _OFF
        message = f"{variable.name} takes a file name, so it is on, and '{text}' is the name of its files"
        return Parsed(True, (_misread(message, f"skip_{variable.name}" if off else variable.name),))
    return Parsed(True)


def _consistency(text: str | None) -> Parsed:
    """enforce_gtid_consistency: three words, and none of them is a mistake the server says nothing of."""
    word = consistency(text)
    if word is None:
        return Parsed(None, (_misread(f"'{text}' is not OFF, ON or WARN: the server ignores it"),), kept=True)
    return Parsed(word)


def _switch(variable: Variable, text: str | None, dialect: Dialect, switched: bool) -> Parsed:
    word = "1" if text is None else text.upper()
    if variable.name == "innodb" and not dialect.mariadb:
        return Parsed(True)  # 5.7.22: "The option has no effect on the server behaviour", whatever the word
    if word in _ON:
        return Parsed(True)
    if word in _OFF:
        return Parsed(False)
    right = {"YES": "ON", "Y": "ON", "ENABLE": "ON", "ENABLED": "ON", "NO": "OFF", "DISABLED": "OFF"}.get(word, "")
    hint = "write ON or OFF"
    ignoring = _ignores_wrong_words(variable, dialect)
    if ignoring and dialect.mariadb and word[:1] in ("0", "1"):
        message = f"the server reads only the first digit of '{text}'"
        return Parsed(word[0] == "1", (_misread(message, "ON" if word[0] == "1" else "OFF", hint),))
    if ignoring:
        message = f"'{text}' is not ON or OFF: the server ignores this line"
        return Parsed(None, (_misread(message, right, hint),), kept=True)
    if ignoring is None:
        message = f"'{text}' is not ON or OFF: the server ignores the line or reads it as OFF"
        return Parsed(None, (_misread(message, right, hint),))
    return Parsed(False, (_misread(f"the server reads '{text}' as OFF", right, hint),))


def switch_value(value: str | None) -> bool | None:
    """What a switch takes the text for; None for other texts."""
    word = "" if value is None else value.upper()
    return True if word in _ON else False if word in _OFF else None


def _ignores_wrong_words(variable: Variable, dialect: Dialect) -> bool | None:
    """Whether a switch ignores a word it does not know instead of taking it for OFF; None when that is not known.

    Those that take no value at all ("none") ignore it; of MariaDB's plugins the catalogue calls all switches so.
    """
    if variable.option != "none":
        return False
    return None if dialect.mariadb and variable.owner.startswith("plugin") else True


def _whole(variable: Variable, text: str | None, dialect: Dialect, switched: bool) -> Parsed:
    text = "1" if text is None else text
    signed = (variable.option_type or variable.type) is VariableType.INT
    if text.lstrip().startswith("-") and not signed:
        if dialect.mariadb:
            return _refused(f"{variable.name} cannot be negative")
        lowest = _limited(variable, 0)
        return Parsed(lowest, (Note(NoteKind.CLAMPED, f"a negative value becomes {lowest}"),))
    digits, rest = _leading_digits(text)
    number = -digits if text.lstrip().startswith("-") else digits
    most = (1 << 63) - 1 if signed else (1 << 64) - 1
    shift = SHIFTS.get(rest[:1].upper(), 0) if rest[:1].lower() in (*dialect.suffixes,) else None
    if rest and shift is None:
        return _refused(f"'{text}' is not a whole number", _number_hint(text, rest, dialect))
    wide = number << (shift or 0)
    most += signed and wide < 0
    if digits > most or (abs(wide) > most and not dialect.wraps):
        return _refused(f"'{text}' does not fit into 64 bits")
    if abs(wide) > most:
        wide &= (1 << 64) - 1
        wide -= (1 << 64) if signed and wide >> 63 else 0
    parsed = _within(variable, wide, Parsed(wide))
    note = _number_note(text, rest, parsed.value)
    return replace(parsed, notes=(note, *parsed.notes)) if note else parsed


def _leading_digits(text: str) -> tuple[int, str]:
    """The digits a text begins with, after blanks and a sign, as a number; and what follows. 0 and all where none."""
    unsigned = text.lstrip()
    unsigned = unsigned[1:] if unsigned.startswith(("+", "-")) else unsigned
    count = next((at for at, sign in enumerate(unsigned) if not sign.isdecimal()), len(unsigned))
    return (int(unsigned[:count]), unsigned[count:]) if count else (0, text)


def _number_hint(text: str, rest: str, dialect: Dialect) -> str:
    if rest[:1] == ".":
        return "write a whole number of the next smaller unit"
    if rest[:1].upper() in SHIFTS:
        return f"MySQL 5.7 knows only the suffixes {', '.join(dialect.suffixes.upper())}"
    return "write a number, then at most one letter (" + " ".join(dialect.suffixes.upper()) + ")"


def _number_note(text: str, rest: str, value: Value) -> Note | None:
    if text == "":
        return _misread("an empty value is read as 0")
    if rest == text:
        return _misread(f"'{text}' has no digits and is read as {value}")
    if len(rest) > 1:
        if rest[:1] in ("e", "E") and rest[1:].isdecimal():
            digits = text[: -len(rest)]
            return _misread(
                f"'{text}' is not a power of ten: E is the suffix for 2^60, so it is read as {value}", digits
            )
        return _misread(f"everything after '{text[: len(text) - len(rest) + 1]}' is ignored")
    return None


def _within(variable: Variable, number: int, parsed: Parsed) -> Parsed:
    """The number inside the variable's limits, with a note when that changes it."""
    value = _limited(variable, number)
    if value == number:
        return parsed
    low, high = variable.minimum, variable.maximum
    if (low is not None and number < low) or (high and number > high):
        return Parsed(value, (Note(NoteKind.CLAMPED, f"{number} is out of range and becomes {value}"),))
    if variable.step:
        message = f"{number} is not a multiple of {variable.step} and is rounded to {value}"
        return Parsed(value, (Note(NoteKind.ROUNDED, message),))
    return Parsed(value)


def _limited(variable: Variable, number: int) -> int:
    if variable.maximum and number > variable.maximum:
        number = int(variable.maximum)
    if variable.step and variable.step > 1:
        rounded = abs(number) // variable.step * variable.step
        number = rounded if number >= 0 else -rounded
    if variable.minimum is not None and number < variable.minimum:
        number = int(variable.minimum)
    return number


def _double(variable: Variable, text: str | None, dialect: Dialect, switched: bool) -> Parsed:
    import re

    text = "1" if text is None else text or "0"
    if not re.match(_DOUBLE, text):
        return _refused(f"'{text}' is not a decimal number", "write it without a suffix")
    number = value = float(text)
    if value in (float("inf"), float("-inf")):
        return _refused(f"'{text}' is too large for a decimal number")
    if variable.maximum and value > variable.maximum:
        value = float(variable.maximum)
    if variable.minimum is not None and value < variable.minimum:
        value = float(variable.minimum)
    if value != number:
        return Parsed(value, (Note(NoteKind.CLAMPED, f"{number:g} is out of range and becomes {value:g}"),))
    return Parsed(value)


def _word(variable: Variable, text: str | None, dialect: Dialect, switched: bool) -> Parsed:
    text = "1" if text is None else text
    if not variable.words:
        return _text(variable, text, dialect, switched)
    found = one_word(text, variable.words)
    if isinstance(found, Note):
        return Parsed(None, (found,))
    return Parsed(found)


def _words(variable: Variable, text: str | None, dialect: Dialect, switched: bool) -> Parsed:
    cut = dialect.mariadb or variable.name == "sql_mode"
    text = "1" if text is None else text
    found = set_of_words(text, variable.words, ends_at_equals=cut, all_alone=dialect.mariadb)
    return Parsed(None, (found,)) if isinstance(found, Note) else Parsed(found)


def _switches(variable: Variable, text: str | None, dialect: Dialect, switched: bool) -> Parsed:
    found = switch_list("" if text is None else text, variable.words)
    return Parsed(None, (found,)) if isinstance(found, Note) else Parsed(text)


def _text(variable: Variable, text: str | None, dialect: Dialect, switched: bool) -> Parsed:
    if text is None or (switched and text == "1"):
        return Parsed("" if dialect.mariadb else None)
    note = remark(variable.name, text, dialect.family, dialect.series)
    if note is not None:
        return Parsed(None, (note,))
    if text[1:2] == ":" and text[0].isascii() and text[0].isalpha() and any(char in text for char in "\t\b\r\n"):
        message = "a backslash before t, b, r or n gives a control character, so the server reads a different path"
        return Parsed(text, (_misread(message, hint="write / or two backslashes"),))
    return Parsed(text)


_PARSERS = {
    VariableType.BOOL: _switch,
    VariableType.INT: _whole,
    VariableType.UINT: _whole,
    VariableType.DOUBLE: _double,
    VariableType.ENUM: _word,
    VariableType.PLUGIN: _word,
    VariableType.SET: _words,
    VariableType.FLAGSET: _switches,
    VariableType.STR: _text,
}
