"""Which values of the files does this release refuse, or read as something else than what is written?

Every list is of items (advisor.evidence.option_items). Only lines that count are looked at, save refused ones: those
stop the server wherever they stand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from advisor.catalog import all_releases, load
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts
from advisor.evidence.option_items import Item, noted, option_item, settings_of, taken, unique
from advisor.model.catalog import Variable, VariableType
from advisor.model.options import Note, NoteKind, Setting
from advisor.model.server import Family, Release
from advisor.options.blanked import blanked
from advisor.options.lines import printable
from advisor.options.names import understand

_NUMBERS = (VariableType.INT, VariableType.UINT, VariableType.DOUBLE)
_TEXTS = (VariableType.STR, VariableType.FLAGSET)
_SUFFIXES = tuple("kmgtpe")
_TIMES = ("_timeout", "_seconds", "_days", "_delay", "_time", "_interval", "_period", "_usec")
_OFF = ("0", "OFF", "FALSE")


@fact()
def refused_values(e: MemberFacts) -> list[Item]:
    """Values that stop the start; `right` where only words have to go that a later release no longer has."""
    return unique(
        option_item(s, n.message, n.hint, option=s.name, right=_accepted(e, s, n))
        for s, n in noted(e, NoteKind.REFUSED_VALUE)
    )


@fact()
def blanked_values(e: MemberFacts) -> list[Item]:
    """One item that lists the values left empty in redacted files, at the line of the first; [] for none.

    `refused`: how many of them would stop the start as they stand.
    """
    found = blanked(settings_of(e).all)
    if not found:
        return []
    names = list(dict.fromkeys(printable(setting.argument.name) for setting in found))
    refused = sum(any(note.message.startswith("the server refuses") for note in setting.notes) for setting in found)
    judged = "They are judged as if they were set"
    judged += "; with the file as it was shared, the server would not start" if refused else ""
    return [
        option_item(found[0], ", ".join(names), key="blanked values", count=len(names), refused=refused, judged=judged)
    ]


@fact()
def misread_switches(e: MemberFacts) -> list[Item]:
    """Switches whose word the server does not know and takes for OFF, or leaves out of account.

    `opposite`: the word means ON, or cannot be told; without it the word means OFF too.
    """
    return unique(
        option_item(
            s, n.message, option=s.name, right=None if s.limit_only else n.instead or None, opposite=n.instead != "OFF"
        )
        for s, n in _misread(e)
        if _is_switch(s) and not _names_files(s)
    )


@fact()
def switches_that_name_files(e: MemberFacts) -> list[Item]:
    """`log_bin = OFF` and its like: the option takes a file name, so it is on and the word names the files."""
    off = [s for s, _ in _misread(e) if _names_files(s) and str(s.argument.value).upper() in _OFF]
    return unique(option_item(s, f"files named '{s.argument.value}'", off=f"skip_{s.name}") for s in off)


@fact()
def misread_numbers(e: MemberFacts) -> list[Item]:
    """Numbers read as something else. `harmless`: the unit is written out (64MB), so the number is the one meant."""
    found = [(s, n) for s, n in _misread(e) if _is_number(s)]
    return unique(
        option_item(
            s, n.message, n.hint, option=s.name, harmless=_is_harmless(s), right=_without_bytes(s), taken=taken(s)
        )
        for s, n in found
    )


@fact()
def loosely_written_values(e: MemberFacts) -> list[Item]:
    """Switches and numbers that are no proper values and still mean to the server what they mean to people."""
    items = [item for item in misread_switches(e) if not item["opposite"]]
    return items + [item for item in misread_numbers(e) if item["harmless"]]


@fact()
def cut_values(e: MemberFacts) -> list[Item]:
    """Text values that end at a "#" although no blank stands before it."""
    cut = [s for s in settings_of(e).all if s.argument.cut_comment and not s.shadowed_by and s.argument.value]
    texts = [s for s in cut if s.variable is not None and (s.variable.option_type or s.variable.type) in _TEXTS]
    return unique(option_item(s, "the value ends at the # that follows it") for s in texts)


@fact()
def misread_names(e: MemberFacts) -> list[Item]:
    """Names with a "word." before them that MySQL 5.7 and MariaDB cut off, so that another option is set."""
    dotted = [s for s in settings_of(e).all if "." in s.argument.name and s.effective]
    dropped = [(s, understand(s.argument.name, e.release).dropped) for s in dotted]
    return unique(option_item(s, f"the server drops '{word}.' and sets {s.name}") for s, word in dropped if word)


@fact()
def misread_texts(e: MemberFacts) -> list[Item]:
    """Other values that the server takes for something else: backslashes in a path, a wrong word behind `loose-`."""
    found = [(s, n) for s, n in _misread(e) if not _is_switch(s) and not _is_number(s)]
    return unique(option_item(s, n.message, n.hint) for s, n in found)


@fact()
def clamped_values(e: MemberFacts) -> list[Item]:
    """Numbers out of limits; `right` is the limit that the server takes instead."""
    return _adjusted(e, NoteKind.CLAMPED)


@fact()
def rounded_values(e: MemberFacts) -> list[Item]:
    """Numbers that are no multiple of the server's step; `right` is what it takes, `lost_share` what that is less."""
    return _adjusted(e, NoteKind.ROUNDED)


@fact()
def suffixed_times(e: MemberFacts) -> list[Item]:
    """Times given with a size suffix: `wait_timeout = 10m` is ten mebiseconds (121 days), not ten minutes."""
    times = [s for s in settings_of(e).all if s.effective and _is_number(s) and s.name.endswith(_TIMES)]
    suffixed = [s for s in times if _is_suffixed(s.argument.value or "")]
    return unique(
        option_item(s, f"{s.argument.value} is read as {s.value}", option=s.name, taken=str(s.value)) for s in suffixed
    )


def _misread(e: MemberFacts) -> Iterator[tuple[Setting, Note]]:
    """Settings whose value is misread. The parser's remark comes first; those on the name and the "#" are not meant."""
    for setting, first in noted(e, NoteKind.MISREAD):
        if setting.shadowed_by is not None:
            continue
        others = setting.argument.cut_comment + bool(understand(setting.argument.name, e.release).dropped)
        if sum(note.kind is NoteKind.MISREAD for note in setting.notes) > others:
            yield setting, first


def _is_switch(setting: Setting) -> bool:
    return setting.variable is not None and setting.variable.type is VariableType.BOOL


def _is_number(setting: Setting) -> bool:
    return setting.variable is not None and setting.variable.type in _NUMBERS


def _names_files(setting: Setting) -> bool:
    return _is_switch(setting) and setting.variable is not None and setting.variable.option_type is VariableType.STR


def _is_suffixed(text: str) -> bool:
    """Digits with one letter for a unit: 64M."""
    return text[:-1].isdecimal() and text[-1:].lower() in _SUFFIXES


def _is_harmless(setting: Setting) -> bool:
    return _without_bytes(setting) is not None


def _without_bytes(setting: Setting) -> str | None:
    """64M for 64MB and 64MiB; None for anything else."""
    text = setting.argument.value or ""
    if not text.endswith(("b", "B")):
        return None
    shorter = text[:-2] if text[-2:-1] in ("i", "I") else text[:-1]
    return shorter if _is_suffixed(shorter) else None


def _adjusted(e: MemberFacts, kind: NoteKind) -> list[Item]:
    """Clamped or rounded numbers that are not misread as well: that is another claim."""
    misread = {id(setting) for setting, _ in _misread(e)}
    found = [(s, n) for s, n in noted(e, kind) if s.effective and id(s) not in misread]
    return unique(option_item(s, n.message, option=s.name, right=taken(s), lost_share=_lost_share(s)) for s, n in found)


def _lost_share(setting: Setting) -> float:
    """How much less the server takes, as a share of what is written; 0 for a number with a suffix."""
    text, held = setting.argument.value or "", setting.value
    written = int(text) if text.isdecimal() else 0
    return 1 - held / written if written and isinstance(held, int) else 0.0


def _accepted(e: MemberFacts, setting: Setting, note: Note) -> str | None:
    """What to write instead: what the remark names, or a list without the words that only other releases have."""
    variable, value = setting.variable, setting.argument.value
    if setting.shadowed_by is not None or variable is None or not value:
        return None
    if note.instead:
        return note.instead
    if variable.type is not VariableType.SET:
        return None
    words = [word.strip() for word in value.split(",")]
    known = {word.upper() for word in variable.words}
    bad = [word for word in words if word.upper() not in known]
    gone = _words_elsewhere(variable, e.release.family, e.release)
    if not bad or any(word.upper() not in gone for word in bad):
        return None
    return ",".join(word for word in words if word.upper() in known)


@cache
def _words_elsewhere(variable: Variable, family: Family, release: Release) -> frozenset[str]:
    """The words of a set in the family's other releases."""
    others = [load(r).get(variable.name) for r in all_releases() if r.family is family and r != release]
    return frozenset(word.upper() for other in others if other is not None for word in other.words)
