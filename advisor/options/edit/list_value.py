"""How is one word of a list value (`a=1; b=2`) changed while the others stay as they are written?"""

from __future__ import annotations

from collections.abc import Mapping

from advisor.options.lines import BLANKS


def merge_words(text: str, wanted: Mapping[str, str | None], separator: str) -> str:
    """`text` with every word of `wanted` given its value, or removed when that is None.

    The last occurrence of a word counts for the servers, so that one is changed; taking out takes all of them.
    A new word goes to the end, with the blank after the separator that the list already uses.
    """
    parts = text.split(separator) if text.strip(BLANKS) else []
    for word, value in wanted.items():
        places = [i for i, part in enumerate(parts) if _word(part) == word]
        if value is None:
            parts = _without(parts, places)
        elif places:
            parts[places[-1]] = _with_value(parts[places[-1]], value)
        else:
            parts = _appended(parts, f"{word}={value}", separator)
    return separator.join(parts)


def words_of(text: str, separator: str) -> dict[str, str]:
    """The words of a list with their values; the last occurrence of a word counts, its place is the first's."""
    pairs = (part.partition("=") for part in text.split(separator) if part.strip(BLANKS))
    return {name.strip(BLANKS): value.strip(BLANKS) for name, _, value in pairs}


def _word(part: str) -> str:
    return part.partition("=")[0].strip(BLANKS)


def _with_value(part: str, value: str) -> str:
    name, _, old = part.partition("=")
    start = old[: len(old) - len(old.lstrip(BLANKS))]
    end = old[len(old.rstrip(BLANKS)) :] if old.strip(BLANKS) else ""
    return f"{name}={start}{value}{end}"


def _without(parts: list[str], places: list[int]) -> list[str]:
    kept = [part for i, part in enumerate(parts) if i not in places]
    if 0 in places and kept:
        kept[0] = kept[0].lstrip(BLANKS)
    return kept


def _appended(parts: list[str], part: str, separator: str) -> list[str]:
    ends_open = len(parts) > 1 and not parts[-1].strip(BLANKS)  # "a=1; b=2;": keep the separator at the end
    words = parts[:-1] if ends_open else parts
    blank = " " if words and ((separator == ";" and len(words) == 1) or words[-1][:1] == " ") else ""
    return [*words, blank + part, *(parts[-1:] if ends_open else [])]
