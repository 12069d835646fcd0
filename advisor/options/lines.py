"""What does one option file's text say, line by line, to the servers?

Lines are handled as latin-1 text, one character per byte, because the servers count bytes and take byte 0xA0 for
a blank (so `x = à` in UTF-8 loses its last byte; seen on MariaDB 10.11.19). `decoded` gives the user's text back.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from io import StringIO

from advisor.model.record import record

BLANKS = " \t\n\v\f\r\xa0"
PIECE_BYTES = 4094
"""Up to MySQL 8.4 and in MariaDB a longer line is cut there and the rest taken for a new line (`fgets` into a buffer of
4095 bytes, one of them for the end mark; seen on MariaDB 10.11.19)."""

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "s": " ", '"': '"', "'": "'", "\\": "\\"}
_ESCAPED = r"(?s)\\(.)"  # this and the next are compiled when first needed: few files have either
_WORD = r"!([" + BLANKS + r"]*)(includedir|include)(?=[" + BLANKS + r"])"


class LineKind(StrEnum):
    """What a line is to the server; comments, empty lines and unknown `!words` are not reported at all."""

    GROUP = "group"
    OPTION = "option"
    INCLUDE = "include"
    INCLUDE_DIR = "includedir"
    BAD_GROUP = "bad_group"
    BAD_INCLUDE = "bad_include"


@record
class Line:
    """One line that means something. `name` is the group, option or path; `value` None when there is no "="."""

    number: int
    kind: LineKind
    name: str
    value: str | None = None
    cut_comment: bool = False  # a "#" ended the line although no blank stands before it


def decoded(text: str) -> str:
    """The user's text of latin-1 `text`; bytes that are no UTF-8 come back as lone surrogates."""
    return text if text.isascii() else text.encode("latin-1").decode("utf-8", "surrogateescape")


def printable(text: str) -> str:
    """`text` without lone surrogates and control characters, for messages."""
    if text.isprintable():  # surrogates are not
        return text
    return "".join(c if c.isprintable() and not "\ud800" <= c <= "\udfff" else "?" for c in text)


def scan(text: str, *, whole: bool) -> Iterator[Line]:
    """The meaningful lines of a file's latin-1 text.

    `whole` reads as MySQL 9.7 does: long lines in one piece, comments after `!include` cut off, and the last
    character of an `!include` without line end kept. Every other server: `whole=False`.
    """
    for number, line in enumerate(StringIO(text), 1):
        if whole or len(line) <= PIECE_BYTES:
            found = _line(number, line, whole)
            if found:
                yield found
            continue
        for start in range(0, len(line), PIECE_BYTES):
            found = _line(number, line[start : start + PIECE_BYTES], whole)
            if found:
                yield found


def reads_alike(text: str) -> bool:
    """Whether `whole` makes no difference: no long line, and no `!include` with a "#" or without line end."""
    if "!" in text:
        for line in text.split("\n"):
            if line.lstrip(BLANKS).startswith("!") and "#" in line:
                return False
        if text.rpartition("\n")[2].lstrip(BLANKS).startswith("!"):
            return False
    return len(text) < PIECE_BYTES or max(map(len, text.split("\n"))) < PIECE_BYTES


def _line(number: int, line: str, whole: bool) -> Line | None:
    text = line.strip(BLANKS)
    if not text or text[0] in "#;":
        return None
    if text[0] == "[":
        end = text.find("]")
        if end < 0:
            return Line(number, LineKind.BAD_GROUP, text[1:])
        return Line(number, LineKind.GROUP, text[1:end].rstrip(BLANKS))
    if text[0] == "!":
        return _include(number, line, whole)
    cut = comment_start(text)
    glued = 0 < cut < len(text) and text[cut - 1] not in BLANKS
    name, equals, value = text[:cut].partition("=")
    if not equals:
        return Line(number, LineKind.OPTION, name.rstrip(BLANKS), None, glued)
    return Line(number, LineKind.OPTION, name.rstrip(BLANKS), unquoted(value.strip(BLANKS)), glued)


def _include(number: int, line: str, whole: bool) -> Line | None:
    """A `!include` or `!includedir`.

    The servers want a blank after the word (the line end will do), and drop the last character of the line, taking
    it for the line end: `!include a.cnf` at the very end of a file looks for `a.cn` (seen on MariaDB 10.11.19).
    """
    import re

    line = line.lstrip(BLANKS)
    word = re.match(_WORD, line)
    if not word:
        return None
    if whole:
        path = line[word.end() :]
        path = path[: comment_start(path)].strip(BLANKS)
    else:
        path = line[word.end() : -1].strip(BLANKS)
    return Line(number, LineKind(word[2]) if path else LineKind.BAD_INCLUDE, path)


def comment_start(text: str) -> int:
    """Where the comment at the end of `text` starts: the first "#" outside quotes, else the length of `text`."""
    if "#" not in text:
        return len(text)
    quote, escaped = "", False
    for at, char in enumerate(text):
        if char in "'\"" and not escaped:
            if not quote:
                quote = char
            elif quote == char:
                quote = ""
        if char == "#" and not quote:
            return at
        escaped = bool(quote) and char == "\\" and not escaped
    return len(text)


def unquoted(value: str) -> str:
    """A value without its outer pair of quotes, its escapes resolved. An unknown escape keeps its backslash."""
    if len(value) > 1 and value[0] in "'\"" and value[0] == value[-1]:
        value = value[1:-1]
    if "\\" not in value:
        return value
    import re

    return re.sub(_ESCAPED, lambda found: _ESCAPES.get(found[1], found[0]), value)
