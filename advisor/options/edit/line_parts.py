"""Where on a line of an option file are name, value and comment, and how is the value replaced?

As in advisor.options.lines, text is latin-1, one character per byte.
"""

from __future__ import annotations

from advisor.errors import InputError
from advisor.model.record import record, replace
from advisor.options.lines import BLANKS, comment_start

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b"}


@record
class OptionLine:
    """A line with an option, cut without loss: the fields joined in this order are the line without its "\\n".

    `equals` is "" for an option without a value; `value` is as written, quotes and escapes included; `tail` is
    everything after it: blanks, comment, the "\\r" of a CRLF line end.
    """

    indent: str
    name: str
    gap_before: str
    equals: str
    gap_after: str
    value: str
    tail: str

    def __str__(self) -> str:
        return "".join((self.indent, self.name, self.gap_before, self.equals, self.gap_after, self.value, self.tail))


def split_line(text: str) -> OptionLine | None:
    """Cut a line (without "\\n"); None for an empty line, a comment, a [group] header or an !include."""
    body = text.lstrip(BLANKS)
    if not body or body[0] in "#;![":
        return None
    indent = text[: len(text) - len(body)]
    kept = body[: comment_start(body)].rstrip(BLANKS)
    tail = body[len(kept) :]
    left, equals, right = kept.partition("=")
    name, value = left.rstrip(BLANKS), right.lstrip(BLANKS)
    gap_after = right[: len(right) - len(value)]
    return OptionLine(indent, name, left[len(name) :], equals, gap_after, value, tail)


def with_value(line: OptionLine, value: str, gaps: tuple[str, str]) -> OptionLine:
    """The line with another value; `gaps` are the blanks around "=" for a line that has no "=" yet."""
    if not line.equals:
        before, after = gaps
        return replace(line, gap_before=before, equals="=", gap_after=after, value=encode(value, ""))
    after = line.gap_after if line.value else line.gap_before
    return replace(line, gap_after=after, value=encode(value, outer_quote(line.value)))


def without_value(line: OptionLine) -> OptionLine:
    """The line as a bare switch."""
    return replace(line, gap_before="", equals="", gap_after="", value="")


def outer_quote(value: str) -> str:
    """The quote the whole value stands in, "" for none."""
    quoted = len(value) > 1 and value[0] in "'\"" and value[0] == value[-1]
    return value[0] if quoted else ""


def encode(value: str, quote: str) -> str:
    """Latin-1 text which the server reads as exactly `value`, in quotes where useful or where `quote` asks for them.

    Raises InputError for a zero byte, which no option file can hold.
    """
    if "\0" in value:
        raise InputError("an option file cannot contain a value with a zero byte", hint="remove the zero byte")
    value = value.encode("utf-8", "surrogateescape").decode("latin-1")
    if not quote and _better_quoted(value):
        quote = '"'
    escapes = {**_ESCAPES, quote: "\\" + quote} if quote else _ESCAPES
    return quote + "".join(escapes.get(char, char) for char in value) + quote


def _better_quoted(value: str) -> bool:
    # ";" needs none for the servers, but people read it as the start of a comment.
    return not value or value != value.strip(BLANKS) or any(char in "#;'\"" for char in value)
