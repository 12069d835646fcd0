"""Does the edited text give exactly the wanted settings, and every other argument as before?

The edited bytes are read again by the server's rules before anything is written; a plan that cannot be proved is an
error, never a best effort.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.errors import InputError
from advisor.model.catalog import VariableType
from advisor.model.options import STOPS_START, Argument, NoteKind, Reading, Setting, Settings
from advisor.model.record import replace
from advisor.model.rules import Change
from advisor.model.server import Release
from advisor.options.edit.affected_settings import is_switch_list, takes_file_name
from advisor.options.edit.edited_file import Draft, identity
from advisor.options.edit.list_value import words_of
from advisor.options.lines import Line, LineKind, decoded, scan
from advisor.options.names import plain_name
from advisor.options.settings import adds_up, resolve
from advisor.options.values import switch_value

_MISTAKEN = STOPS_START | {NoteKind.MISREAD}
_HINT = "make this change by hand"

Standing = dict[tuple[str, int], tuple[Argument, ...]]
"""What stands for the line of an argument now, by (real file, line). An added line stands with the option above it."""


def prove(
    reading: Reading,
    before: Settings,
    drafts: Sequence[Draft],
    wanted: Sequence[Change],
    release: Release,
    *,
    whole: bool,
) -> None:
    """Raise InputError, with the place, unless the drafts do what `wanted` says and nothing else.

    `reading` is the one of `release`; `whole` as in advisor.options.lines.scan.
    """
    standing: Standing = {}
    for draft in drafts:
        standing.update(_reread(draft, whole))
    now = tuple(_arguments(reading.arguments, standing))
    after = resolve(replace(reading, arguments=now, cut=None), release)
    for change in wanted:
        if change.value is not None:
            _prove_change(change, after, release)
    kept = set(now)
    changed = {change.name for change in wanted}
    changed |= {s.name for s in before.all if s.argument not in kept}
    _prove_rest(before, after, changed)


def _reread(draft: Draft, whole: bool) -> Standing:
    """Read the edited bytes; InputError unless every line that was not touched means what it meant."""
    old = _by_line(draft.before, whole)
    new = _by_line(draft.edit().after, whole)
    place = identity(draft.path)
    group, key = "", (place, 0)
    standing: Standing = {}
    for number, (index, added) in enumerate(draft.origins(), 1):
        lines = new.get(number, [])
        if not added and not draft.touched(index) and _meanings(lines) != _meanings(old.get(index + 1, [])):
            raise InputError("the change would alter what this line means", file=draft.path, line=index + 1, hint=_HINT)
        for line in lines:
            if line.kind is LineKind.GROUP:
                group = decoded(line.name)
            elif line.kind is LineKind.OPTION:
                key = key if added else (place, index + 1)
                standing[key] = (*standing.get(key, ()), _argument(line, group, draft.path, index + 1))
    return standing or {(place, 0): ()}


def _by_line(content: bytes, whole: bool) -> dict[int, list[Line]]:
    lines: dict[int, list[Line]] = {}
    for line in scan(content.decode("latin-1"), whole=whole):
        lines.setdefault(line.number, []).append(line)
    return lines


def _meanings(lines: Sequence[Line]) -> list[Line]:
    return [replace(line, number=0) for line in lines]


def _argument(line: Line, group: str, file: str, number: int) -> Argument:
    name = decoded(line.name)
    value = None if line.value is None else decoded(line.value)
    text = f"--{name}" if value is None else f"--{name}={value}"
    return Argument(text, name, value, group, file, number, line.cut_comment)


def _arguments(arguments: Sequence[Argument], standing: Standing) -> Iterator[Argument]:
    """The arguments as they would be read from the edited files, with the line numbers of before."""
    drafted = {place for place, _ in standing}
    previous = None
    for argument in arguments:
        key = (identity(argument.file), argument.line)
        if key[0] not in drafted:
            yield argument
        elif key != previous:  # a line longer than servers read at once gives several arguments
            yield from (replace(now, file=argument.file) for now in standing.get(key, ()))
        previous = key
    for place in sorted(drafted):
        # With no option above them in their file, added lines may be read anywhere: nothing else sets them.
        yield from standing.get((place, 0), ())


def _prove_change(change: Change, after: Settings, release: Release) -> None:
    setting = _result(change, after, release)
    if setting is None:
        raise InputError(
            f"{change.name} would have no effect on {release.label}",
            file=change.file,
            line=change.line,
            hint=f"check whether {release.label} has this option; {_HINT}",
        )
    # A "#" right behind the value was there before; a binary log named by mistake is on all the same.
    excused = setting.argument.cut_comment or takes_file_name(setting)
    mistakes = STOPS_START if excused else _MISTAKEN
    mistaken = next((note for note in setting.notes if note.kind in mistakes), None)
    if mistaken:
        raise InputError(
            f"{release.label} would not accept this value of {change.name}: {mistaken.message}",
            file=change.file,
            line=change.line,
            hint=mistaken.hint or _HINT,
        )
    if not _took(setting, change.value or ""):
        raise InputError(
            f"{release.label} would not read the intended value of {change.name}",
            file=change.file,
            line=change.line,
            hint=_HINT,
        )


def _result(change: Change, after: Settings, release: Release) -> Setting | None:
    """The setting that carries the change: of an option that adds up the one with this value."""
    if adds_up(change.name):
        found = [s for s in after.all if s.effective and s.name == change.name]
        return next((s for s in found if s.argument.value == change.value), None)
    if change.name in after.effective:
        return after.effective[change.name]
    nameless = [s for s in after.all if not s.name and plain_name(s.argument.name, release.family) == change.name]
    return nameless[-1] if nameless else None


def _took(setting: Setting, value: str) -> bool:
    given = setting.argument.value
    if is_switch_list(setting) and "=" in value:
        return words_of(value, ",").items() <= words_of(given or "", ",").items()
    wanted = switch_value(value)
    if takes_file_name(setting) and wanted is not None:
        return setting.value is wanted
    switch = setting.variable is not None and setting.variable.type is VariableType.BOOL
    if switch and wanted is not None and isinstance(setting.value, bool) and setting.value is not wanted:
        return False
    return given == value


def _prove_rest(before: Settings, after: Settings, changed: set[str]) -> None:
    was = {name: s.argument for name, s in before.effective.items() if name not in changed}
    now = {name: s.argument for name, s in after.effective.items() if name not in changed}
    for name in {**was, **now}:
        if was.get(name) != now.get(name):
            where = was.get(name) or now[name]
            raise InputError(f"the change would also alter {name}", file=where.file, line=where.line, hint=_HINT)
