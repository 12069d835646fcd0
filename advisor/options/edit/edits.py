"""Which bytes of which option files must change so that a server takes the wanted settings, and nothing else?

A setting is changed on the line where it is in effect; a new one goes to the end of the server group that the main
file uses; one that is removed loses its line (backup and diff keep it). Every plan is proved before it is returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from advisor.errors import InputError
from advisor.model.options import Argument, NoteKind, Reading, Setting, Settings
from advisor.model.record import field, record, replace
from advisor.model.rules import Change
from advisor.model.server import Family, Release
from advisor.options.edit.affected_settings import deciding, doomed, is_switch_list, takes_file_name, united
from advisor.options.edit.edited_file import Draft, FileEdit, draft_of, identity, open_draft
from advisor.options.edit.file_sections import choose_section, sections
from advisor.options.edit.line_parts import OptionLine, split_line, with_value, without_value
from advisor.options.edit.list_value import merge_words, words_of
from advisor.options.edit.new_setting import Style, new_line, style_of
from advisor.options.edit.proof import prove
from advisor.options.edit.respelling import respell, switched_off
from advisor.options.edit.write import write_edits
from advisor.options.groups import read_as
from advisor.options.lines import PIECE_BYTES, decoded
from advisor.options.reader import world_writable
from advisor.options.settings import resolve
from advisor.options.values import switch_value

__all__ = ["FileEdit", "plan_edits", "write_edits"]

_RESPELT = {NoteKind.RENAMED, NoteKind.ABBREVIATED, NoteKind.AMBIGUOUS}


@record
class _Plan:
    """What is known while planning: the settings as they are, and the files being edited by real path."""

    reading: Reading
    release: Release
    settings: Settings
    edited: Mapping[str, bytes] = field(default_factory=dict)
    drafts: dict[str, Draft] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether the server reads long lines in one piece."""
        return self.release.family is Family.MYSQL and self.release.version >= (9, 0, 0)

    def draft(self, path: str) -> Draft:
        """The draft of a file, read at first need."""
        key = identity(path)
        if key not in self.drafts:
            self.drafts[key] = draft_of(path, self.edited[path]) if path in self.edited else open_draft(path)
        return self.drafts[key]


def plan_edits(
    reading: Reading, changes: Sequence[Change], release: Release, edited: Mapping[str, bytes] | None = None
) -> tuple[FileEdit, ...]:
    """The edits that make the server of `release` take `changes`; files that stay as they are give none.

    A value of None takes a setting out: the line named when another line decides, else every line of the variable,
    so that the default comes back. Names beginning with "galera." are options of the Galera provider. Switch lists
    (optimizer_switch) keep the words a change does not name. `edited`: contents that count instead of the disk's, by
    path, as the reading was made of them. Raises InputError when files changed since they were read, changes contradict
    each other, or the outcome would not be exactly what was asked for.
    """
    reading = read_as(reading, release)
    plan = _Plan(reading, release, resolve(reading, release), edited or {})
    wanted = united(changes, plan.settings, release)
    targets = [(c, deciding(c, plan.settings)) for c in wanted if c.value is not None]
    rewritten = [_rewrite(setting, change, plan) for change, setting in targets if setting]
    for change in wanted:
        for setting in doomed(change, plan.settings, release.family) if change.value is None else ():
            draft, index, _ = _locate(setting, plan)
            if (identity(draft.path), index) not in rewritten:
                draft.take_out(index)
    added = [change for change, setting in targets if setting is None]
    if added:
        _add(added, plan)
    prove(reading, plan.settings, tuple(plan.drafts.values()), wanted, release, whole=plan.whole)
    edits = (draft.edit() for draft in plan.drafts.values())
    return tuple(edit for edit in edits if edit.before != edit.after)


def _locate(setting: Setting, plan: _Plan) -> tuple[Draft, int, OptionLine]:
    """The line of a setting in its file; InputError when it no longer stands there."""
    argument = setting.argument
    draft, index = plan.draft(argument.file), argument.line - 1
    text = draft.lines[index].removesuffix("\n") if index < len(draft.lines) else ""
    if len(text) >= PIECE_BYTES and not plan.whole:
        raise InputError(
            "the server reads this long line in pieces, so it cannot be changed",
            file=argument.file,
            line=argument.line,
            hint=f"shorten it to less than {PIECE_BYTES} bytes first",
        )
    line = split_line(text)
    if line is None or decoded(line.name) != argument.name:
        raise InputError(
            "changed since it was read", file=argument.file, line=argument.line, hint="run the command again"
        )
    return draft, index, line


def _rewrite(setting: Setting, change: Change, plan: _Plan) -> tuple[str, int]:
    """Give the setting's line the new value, and a name that takes one; what stands around them stays."""
    draft, index, line = _locate(setting, plan)
    style = style_of(*_neighbours(draft, index))
    outdated = change.respell or setting.name != change.name or any(note.kind in _RESPELT for note in setting.notes)
    name = respell(line.name, change.name, plan.release.family, keep_alias=not outdated, separator=style.separator)
    draft.replace(index, str(_with_wish(replace(line, name=name), setting, change, style)))
    return identity(draft.path), index


def _with_wish(line: OptionLine, setting: Setting, change: Change, style: Style) -> OptionLine:
    """The line, its name already right, with the value wanted; the value stays as written where it says the same."""
    value, old = change.value or "", setting.argument.value
    switch = switch_value(value) if takes_file_name(setting) else None
    if switch is False:
        return without_value(replace(line, name=switched_off(line.name, style.separator)))
    if switch is True:
        return line if setting.value is True and old is not None else without_value(line)
    if is_switch_list(setting) and "=" in value:
        value = merge_words(old or "", words_of(value, ","), ",")
    return with_value(line, value, style.gaps) if value != old else line


def _neighbours(draft: Draft, index: int) -> tuple[tuple[OptionLine, ...], tuple[OptionLine, ...]]:
    """The settings of the section around a line, and all of the file."""
    found = sections(draft.lines)
    near = next((s.settings for s in reversed(found) if s.header < index), ())
    return near, tuple(line for section in found for line in section.settings)


def _add(changes: Sequence[Change], plan: _Plan) -> None:
    """Put new settings into the main file, each into the group for it, written like their neighbours."""
    draft = plan.draft(_main_file(plan.reading))
    found = sections(draft.lines)
    everything = [line for section in found for line in section.settings]
    for change in changes:
        section = choose_section(found, plan.release.family, change.name)
        last = section.last if section else len(draft.lines) - 1
        if section is None and not draft.added[-1]:
            for text in ("", "[mysqld]")[not draft.lines or not draft.lines[-1].strip() :]:
                draft.add_after(last, text)
        style = style_of(section.settings if section else (), everything)
        name, value = _as_new(change, plan)
        draft.add_after(last, new_line(name, value, style))


def _main_file(reading: Reading) -> str:
    """The file new settings go to; InputError when the server would not read them there."""
    if not reading.files:
        raise InputError("there is no option file to add a setting to", hint="create an empty one")
    path = reading.files[0]
    stop = next((p for p in reading.problems if p.file == path and p.fatal), None)
    if stop:
        raise InputError(stop.message, file=path, line=stop.line, hint=stop.hint or "fix this first")
    if world_writable(path):
        raise InputError("the file is world-writable, so the server ignores it", file=path, hint="chmod o-w")
    return path


def _as_new(change: Change, plan: _Plan) -> tuple[str, str | None]:
    """Name and value of a new line; `loose_` where the server would refuse it should a plugin not be loaded."""
    trial = Argument(f"--{change.name}={change.value}", change.name, change.value, "mysqld", "", 0)
    reading = replace(plan.reading, arguments=(*plan.reading.arguments, trial))
    setting = resolve(reading, plan.release).all[-1]
    switch = switch_value(change.value) if takes_file_name(setting) else None
    if switch is not None:
        return (change.name if switch else f"skip_{change.name}"), None
    undecided = any(note.kind is NoteKind.UNDECIDED for note in setting.notes)
    return (f"loose_{change.name}" if undecided else change.name), change.value
