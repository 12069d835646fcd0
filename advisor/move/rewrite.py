"""How do the option files read for the target, line by line?

Lines that stay are the same bytes. What goes is commented out below the reason; what is set instead stands below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from advisor.annotations import Final
from advisor.masking import mask_line
from advisor.model.move import Fate, OptionMove
from advisor.model.options import Argument, Reading, Setting, Settings
from advisor.model.record import record, replace
from advisor.model.server import Release
from advisor.move.fate import Outcome, outcome_of
from advisor.move.sections import READ_BY_ALL, AdoptedReading
from advisor.move.translation import Translated
from advisor.options.edit.edited_file import Draft, FileEdit, identity, open_draft
from advisor.options.edit.file_sections import sections
from advisor.options.edit.line_parts import OptionLine, split_line, with_value
from advisor.options.edit.new_setting import Style, new_line, style_of
from advisor.options.lines import PIECE_BYTES, decoded, printable
from advisor.options.settings import adds_up

_COMMENT_WIDTH: Final = 98
_FOR_CLIENTS_TOO: Final = "client-server"
_NO_EFFECT: Final = "had no effect: the option is set again below"

Key = tuple[str, int, str]


def key_of(argument: Argument) -> Key:
    """What tells arguments apart in all readings of the same files."""
    return (identity(argument.file), argument.line, argument.text)


@record
class Moved:
    """An argument, what becomes of it, and what is set below its line: (option of the target, value)."""

    argument: Argument
    setting: Setting
    outcome: Outcome
    added: tuple[tuple[str, str], ...] = ()
    exact: bool = True
    see: tuple[str, ...] = ()


def moved_options(
    before: Settings, after: Settings, translated: Sequence[Translated], origin: Release, target: Release
) -> tuple[Moved, ...]:
    """What becomes of every argument that the target would read, in reading order; repeated lines count once."""
    old = {key_of(setting.argument): setting for setting in before.all}
    replaced = {key_of(argument): each for each in translated for argument in each.arguments}
    places = {id(each): _place(each, before) for each in translated}
    found: dict[Key, Moved] = {}
    for setting in after.all:
        key = key_of(setting.argument)
        outcome = outcome_of(old.get(key), setting, origin, target)
        each = replaced.get(key)
        if each is not None:
            found[key] = _translated(setting, outcome, each, after, here=places[id(each)] == key)
        else:
            found[key] = Moved(setting.argument, setting, _if_shadowed(outcome, old.get(key)))
    return tuple(found.values())


def _place(translated: Translated, before: Settings) -> Key:
    """The line below which the new settings stand: the last that is in effect."""
    effective = {key_of(s.argument) for s in before.all if s.effective}
    own = [key_of(argument) for argument in translated.arguments]
    return next((key for key in reversed(own) if key in effective), own[-1])


def _translated(setting: Setting, outcome: Outcome, each: Translated, after: Settings, *, here: bool) -> Moved:
    """One line of a translation; what is set instead stands below the line that is `here`."""
    translation, names = each.translation, ", ".join(name for name, _ in each.settings)
    if not here and names:
        return Moved(setting.argument, setting, Outcome(Fate.TRANSLATED, why=f"see {names}", refused=outcome.refused))
    why = translation.why
    if each.unknown:
        why += f" Not computed: the value of {', '.join(dict.fromkeys(each.unknown))} is not known."
    replaced = {key_of(argument) for argument in each.arguments}
    already = [name for name, _ in each.settings if _is_set_elsewhere(name, after, replaced)]
    if already:
        why += f" The files set {', '.join(already)} already."
    added = tuple((name, value) for name, value in each.settings if name not in already)
    fate = Fate.TRANSLATED if each.settings else Fate.REMOVED
    outcome = Outcome(fate, why=why, refused=outcome.refused)
    return Moved(setting.argument, setting, outcome, added, translation.exact, translation.see)


def _is_set_elsewhere(name: str, after: Settings, replaced: set[Key]) -> bool:
    """Whether a line that stays sets the option of the target; lines that add up do not count."""
    setting = after.effective.get(name)
    return setting is not None and not adds_up(name) and key_of(setting.argument) not in replaced


def _if_shadowed(outcome: Outcome, old: Setting | None) -> Outcome:
    """A line that had no effect and is refused goes, with that as the reason."""
    shadowed = old is not None and old.shadowed_by is not None
    if shadowed and outcome.fate in (Fate.REMOVED, Fate.REFUSED):
        return Outcome(Fate.REMOVED, why=_NO_EFFECT, refused=outcome.refused)
    return outcome


def rewritten(
    reading: Reading, moved: Sequence[Moved], adopted: AdoptedReading, target: Release
) -> tuple[tuple[FileEdit, ...], Mapping[Key, tuple[str, ...]]]:
    """The edits of the files on this disk, and the new lines of each argument. InputError when one cannot be read."""
    drafts = {identity(file): open_draft(file) for file in reading.files}
    lines: dict[Key, tuple[str, ...]] = {}
    for draft in drafts.values():
        _rename_groups(draft, adopted.groups, target)
    for each in moved:
        draft = drafts[identity(each.argument.file)]
        lines[key_of(each.argument)] = _write(draft, each, target)
    edits = (draft.edit() for draft in drafts.values())
    return tuple(edit for edit in edits if edit.before != edit.after), lines


def _rename_groups(draft: Draft, groups: Sequence[str], target: Release) -> None:
    """Let the target read these groups. What clients read too is said: they do without it from now on."""
    wanted = {group.lower() for group in groups}
    for section in sections(draft.lines):
        if section.group in wanted:
            head = draft.lines[section.header].removesuffix("\n")
            start, _, rest = head.partition("[")
            draft.replace(section.header, f"{start}[{READ_BY_ALL}]{rest.partition(']')[2]}")
            if section.group == _FOR_CLIENTS_TOO:
                reason = (
                    f"was [{_FOR_CLIENTS_TOO}], which MySQL clients do not read: copy the options they need to [client]"
                )
                draft.add_after(section.header, f"# {_plain(target.label)}: {reason}")


def _write(draft: Draft, moved: Moved, target: Release) -> tuple[str, ...]:
    """Put one outcome into the draft; the new lines, without the reasons. Nothing happens to a line that changed."""
    index, outcome = moved.argument.line - 1, moved.outcome
    text = draft.lines[index].removesuffix("\n") if index < len(draft.lines) else ""
    line = split_line(text)
    if line is None or decoded(line.name) != moved.argument.name or len(text) >= PIECE_BYTES:
        return ()
    if outcome.fate is Fate.RENAMED or outcome.value is not None:
        return _respelt(draft, index, line, outcome)
    if outcome.fate not in (Fate.TRANSLATED, Fate.REMOVED):
        return ()
    for comment in wrap(_plain(f"{target.label}: {outcome.why}"), _COMMENT_WIDTH):
        draft.add_after(index - 1, f"{line.indent}# {comment}")
    draft.replace(index, f"{line.indent}# {text[len(line.indent) :]}")
    style = _style(draft, index)
    for name, value in moved.added:
        draft.add_after(index, new_line(name, value, style))
    return tuple(f"{name} = {value}" for name, value in moved.added)


def _respelt(draft: Draft, index: int, line: OptionLine, outcome: Outcome) -> tuple[str, ...]:
    gap = line.gap_before
    if len(gap) > 1:  # "=" stays in its column
        gap = " " * max(len(line.name) + len(gap) - len(outcome.name), 1)
    new = replace(line, name=outcome.name, gap_before=gap)
    if outcome.value is not None:
        new = with_value(new, outcome.value, ("", ""))
    draft.replace(index, str(new))
    return (f"{new.name} = {new.value}" if new.equals else new.name,)


def _style(draft: Draft, index: int) -> Style:
    found = sections(draft.lines)
    near = next((s.settings for s in reversed(found) if s.header < index), ())
    return style_of(near, (line for section in found for line in section.settings))


def _plain(text: str) -> str:
    """A reason in one line of plain letters, as drafts have them."""
    plain = " ".join(printable(text).split()).replace("–", "-").replace("→", "->").replace("…", "...")
    return plain.encode("ascii", "replace").decode("ascii")


def described(moved: Sequence[Moved], lines: Mapping[Key, tuple[str, ...]]) -> Iterator[OptionMove]:
    """The outcomes as the report has them: every text without secrets."""
    for each in moved:
        argument, outcome = each.argument, each.outcome
        shown = argument.name if argument.value is None else f"{argument.name} = {argument.value}"
        new = lines.get(key_of(argument)) or _as_it_would_be(each)
        yield OptionMove(
            text=printable(mask_line(shown)),
            name=each.setting.name or argument.name,
            file=argument.file,
            line=argument.line,
            fate=outcome.fate,
            refused=outcome.refused,
            lines=tuple(printable(mask_line(line)) for line in new),
            why=outcome.why,
            exact=each.exact,
            see=each.see,
        )


def _as_it_would_be(moved: Moved) -> tuple[str, ...]:
    """The new lines where there is no file to write them to."""
    argument, outcome = moved.argument, moved.outcome
    if outcome.fate is Fate.RENAMED or outcome.value is not None:
        value = argument.value if outcome.value is None else outcome.value
        return (outcome.name if value is None else f"{outcome.name} = {value}",)
    return tuple(f"{name} = {value}" for name, value in moved.added)
