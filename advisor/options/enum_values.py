"""Is this one of the words a variable takes? Enums, sets and switch lists."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.model.options import Note, NoteKind
from advisor.options.lines import printable

_STRICT = "STRICT_TRANS_TABLES STRICT_ALL_TABLES NO_ZERO_IN_DATE NO_ZERO_DATE ERROR_FOR_DIVISION_BY_ZERO"
_OTHERS = "PIPES_AS_CONCAT ANSI_QUOTES IGNORE_SPACE NO_KEY_OPTIONS NO_TABLE_OPTIONS NO_FIELD_OPTIONS"
_BRINGS = {
    **{name: frozenset(_OTHERS.split()) for name in ("POSTGRESQL", "MSSQL", "DB2")},
    **{name: frozenset(f"{_OTHERS} NO_AUTO_CREATE_USER".split()) for name in ("ORACLE", "MAXDB")},
    "TRADITIONAL": frozenset(f"{_STRICT} NO_AUTO_CREATE_USER NO_ENGINE_SUBSTITUTION".split()),
    "ANSI": frozenset("REAL_AS_FLOAT PIPES_AS_CONCAT ANSI_QUOTES IGNORE_SPACE".split()),
}


def one_word(text: str, words: tuple[str, ...]) -> str | Note:
    """The word meant: whole in any case, a unique beginning, or a number from 0 (an empty text is 0)."""
    at = find(text, words)
    if at is None:
        digits = text.strip().removeprefix("+")
        if text == "" or (digits.isdecimal() and int(digits) < len(words)):
            return words[int(digits or 0)]
        return refused(f"'{text}' is not one of the allowed values", words)
    return words[at] if at >= 0 else refused(f"'{text}' is ambiguous: several values begin with it", words)


def find(text: str, words: tuple[str, ...]) -> int | None:
    """The place of a word or of a unique beginning of one; None: no such word, -1: several begin so."""
    text = text.upper()
    starts = []
    for at, word in enumerate(words):
        word = word.upper()
        if text.startswith(word) and not text[len(word) :].strip(" "):
            return at
        if word.startswith(text):
            starts.append(at)
    if not text or not starts:
        return None
    return starts[0] if len(starts) == 1 else -1


def set_of_words(text: str, words: tuple[str, ...], *, ends_at_equals: bool, all_alone: bool) -> str | Note:
    """The words of a comma list, in the server's order; or those of a bit number. "" is the empty set.

    `ends_at_equals`: what stands behind a "=" in a word is not looked at. `all_alone`: "all" means every word.
    """
    if text == "":
        return ""
    parts = [part.partition("=")[0] if ends_at_equals else part for part in text.split(",")]
    places = [find(part, words) for part in parts]
    bad = [part for part, at in zip(parts, places, strict=True) if at is None or at < 0]
    if not bad:
        return _expanded({words[at] for at in places if at is not None}, words)
    digits = text.strip().removeprefix("+")
    if digits.isdecimal() and int(digits) < 1 << len(words):
        return _expanded({word for at, word in enumerate(words) if int(digits) >> at & 1}, words)
    if all_alone and text.lower() == "all":
        return ",".join(words)
    blank = bad[0] != bad[0].strip()
    return refused(
        f"'{bad[0]}' is not one of the allowed values", words, "write no spaces between the words" if blank else ""
    )


def _expanded(chosen: set[str], words: tuple[str, ...]) -> str:
    """The words in the server's order; some of sql_mode bring others with them, "all" brings all."""
    for group, brings in _BRINGS.items():
        if group in chosen:
            chosen |= brings
    if "ANSI" in chosen and "IGNORE_BAD_TABLE_OPTIONS" not in words:  # MySQL; MariaDB's ANSI is narrower
        chosen |= {"ONLY_FULL_GROUP_BY"}
    if "all" in chosen:
        chosen = set(words) - {"all"}
    return ",".join(word for word in words if word in chosen)


def switch_list(text: str, words: tuple[str, ...]) -> dict[str, str] | Note:
    """`name=on|off|default,…` as a mapping, in whole words of any case; `default` alone stands under ""."""
    out: dict[str, str] = {}
    names = {word.lower(): word for word in words}
    for part in text.split(",") if text else ():
        name, equals, state = part.lower().partition("=")
        if name == "default" and not equals and "" not in out:
            out[""] = "default"
        elif name not in names:
            return refused(f"'{part}': there is no such switch", ())
        elif state not in ("on", "off", "default"):
            return refused(f"'{part}': a switch takes on, off or default", ())
        elif names[name] in out:
            return refused(f"'{names[name]}' is given twice", ())
        else:
            out[names[name]] = state
    return out


def merged_switches(before: str, text: str, words: tuple[str, ...], default: str) -> str:
    """A switch list after one more line: each line changes only what it names."""
    state = dict(part.split("=", 1) for part in before.split(",") if "=" in part)
    preset = dict(part.split("=", 1) for part in default.split(",") if "=" in part)
    change = switch_list(text, words)
    if isinstance(change, Note):
        return before
    if "" in change:
        state = dict(preset)
    for name, on in change.items():
        if name:
            state[name] = preset.get(name, "default") if on == "default" else on
    return ",".join(f"{name}={on}" for name, on in state.items())


def refused(message: str, words: Iterable[str], hint: str = "") -> Note:
    """A note that the server refuses the value; a short list of the right words is its hint."""
    words = tuple(words)
    listed = f"choose one of {', '.join(words)}" if 0 < len(words) <= 12 else ""
    return Note(NoteKind.REFUSED_VALUE, printable(message), hint or listed)
