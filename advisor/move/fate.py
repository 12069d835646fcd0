"""What becomes of one option: does the target take it as it is, under another name, or not at all?"""

from __future__ import annotations

from advisor.annotations import Final
from advisor.catalog import canonical, spelling
from advisor.model.catalog import VariableType
from advisor.model.move import Fate
from advisor.model.options import STOPS_START, Note, NoteKind, Setting
from advisor.model.record import record
from advisor.model.server import Release
from advisor.options.names import Found, Name, understand
from advisor.units import show

_OPEN: Final = (NoteKind.UNDECIDED, NoteKind.BLANKED)
_NAMED_OTHERWISE: Final = (NoteKind.RENAMED, NoteKind.UNKNOWN, NoteKind.REMOVED, NoteKind.AMBIGUOUS)


@record
class Outcome:
    """What becomes of an option. `name`: its new written name; `value`: its new value where words of a list go."""

    fate: Fate
    name: str = ""
    value: str | None = None
    why: str = ""
    refused: bool = False


def outcome_of(old: Setting | None, new: Setting, origin: Release, target: Release) -> Outcome:
    """The outcome for a setting. `old`: as the release of now takes it, None where that does not read the group."""
    refusal = next((note for note in new.notes if note.kind in STOPS_START), None)
    if refusal is None:
        return _accepted(old, new, target)
    if refusal.kind in _NAMED_OTHERWISE:
        name = _other_name(old, refusal, new, origin, target)
        if name:
            short = understand(new.argument.name, origin).found is Found.ABBREVIATED
            why = "only MariaDB accepts abbreviations" if short else refusal.message
            return Outcome(Fate.RENAMED, name, why=why, refused=True)
        return Outcome(Fate.REMOVED, why=_with_hint(refusal), refused=True)
    if refusal.kind is NoteKind.REFUSED_VALUE:
        kept = _known_words(new)
        if kept is not None:
            return Outcome(Fate.TRANSLATED, new.argument.name, kept, refusal.message, refused=True)
        return Outcome(Fate.REMOVED, why=_with_hint(refusal), refused=True)
    return Outcome(Fate.REFUSED, why=_with_hint(refusal), refused=True)


def _accepted(old: Setting | None, new: Setting, target: Release) -> Outcome:
    """The outcome for an option with which the target starts."""
    written = understand(new.argument.name, target)
    if written.found is Found.IGNORED and not written.loose:
        return Outcome(Fate.REMOVED, why=f"MariaDB accepts {written.plain} and ignores it")
    unsure = next((note for note in new.notes if note.kind in _OPEN), None)
    if unsure is not None:
        return Outcome(Fate.UNDECIDED, why=_with_hint(unsure))
    newest = _newest_spelling(written, target)
    if newest:
        return Outcome(
            Fate.RENAMED, _written_as(new.argument.name, written, newest), why=f"{written.plain} is deprecated"
        )
    return Outcome(Fate.KEPT, why=_read_otherwise(old, new))


def _newest_spelling(written: Name, target: Release) -> str:
    """The name that replaces a deprecated spelling of the same variable; "" where there is none."""
    variable = written.variable
    if variable is None or not variable.deprecated or variable.owner.startswith("plugin"):
        return ""
    newest = spelling(canonical(variable.name, target.family), target) or variable.name
    return newest if newest != variable.name else ""


def _other_name(old: Setting | None, refusal: Note, new: Setting, origin: Release, target: Release) -> str:
    """How the target spells what the release of now understands by the name; "" where it has no such option."""
    before = understand(new.argument.name, origin)
    if old is not None and before.variable is not None and not before.variable.owner.startswith("plugin"):
        own = spelling(canonical(before.variable.name, origin.family), target)
        if own and understand(own, target).variable is not None:  # a variable need not be an option
            return _written_as(new.argument.name, before, own)
    if refusal.kind is NoteKind.RENAMED and refusal.instead:
        return _written_as(new.argument.name, before, refusal.instead)
    return ""


def _written_as(written: str, understood: Name, name: str) -> str:
    """A name as it was written: with the prefixes it had, and its dashes or underscores."""
    separator = "-" if "-" in written and "_" not in written else "_"
    prefixes = [prefix for prefix in ("loose" if understood.loose else "", understood.prefix) if prefix]
    spelt = name if "." in name else name.replace("_", separator)
    return separator.join([*prefixes, spelt])


def _known_words(new: Setting) -> str | None:
    """The words of a list that the target knows, "" where none is left; None for anything but a list."""
    variable, value = new.variable, new.argument.value
    if variable is None or variable.type is not VariableType.SET or not value:
        return None
    known = {word.upper() for word in variable.words}
    words = [word.strip() for word in value.split(",")]
    return ",".join(word for word in words if word.upper() in known)


def _read_otherwise(old: Setting | None, new: Setting) -> str:
    """In which way the target reads the option differently; "" where it does not."""
    told = {note.message for note in old.notes} if old is not None else set()
    note = next((n for n in new.notes if n.kind is not NoteKind.DEPRECATED and n.message not in told), None)
    if note is not None:
        return note.message
    if old is None or old.value == new.value or None in (old.value, new.value):
        return ""
    if str(old.value).lower() == str(new.value).lower() or new.variable is None:
        return ""
    if new.variable.type in (VariableType.FLAGSET, VariableType.SET):
        return ""  # the words that were not set have the target's defaults
    one, other = show(old.value), show(new.value)
    return "" if one.lower() == other.lower() else f"read as {other}, until now as {one}"


def _with_hint(note: Note) -> str:
    return f"{note.message}; {note.hint}" if note.hint else note.message
