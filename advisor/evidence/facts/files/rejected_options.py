"""Which options of the files does this release not accept, and what should be written instead?

Every list is of items (advisor.evidence.option_items); sources: the servers' own start-up, as advisor.options has it.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.catalog import Successor, load
from advisor.catalog.older import is_older
from advisor.conditions import Missing
from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.evidence.option_items import (
    Item,
    already_set,
    noted,
    option_item,
    settings_as_read,
    settings_of,
    unique,
)
from advisor.model.catalog import VariableType
from advisor.model.options import Note, NoteKind, Setting
from advisor.model.server import Family
from advisor.options.names import understand
from advisor.options.plugins import owner_of
from advisor.options.unknown import GUESSED_AT_MOST, unknown
from advisor.options.values import switch_value

LISTED_AT_MOST = 500
_DAY_SECONDS = 86_400
_FILES_BY_DEFAULT = 2  # innodb_log_files_in_group


@fact()
def unknown_options(e: MemberFacts) -> list[Item]:
    """Names the release never had. `certain` is missing where it cannot be told (another vendor's build).

    Of very many the first are listed, and the last of these says how many are not: no server was meant by such a file.
    """
    if is_older(e.release):
        return _lacking(e)
    sure = [(s, n) for s, n in noted(e, NoteKind.UNKNOWN) if not _slip(e, s)]
    items = [option_item(s, n.message, n.hint, certain=True) for s, n in sure[:LISTED_AT_MOST]]
    doubtful = [(s, n) for s, n in noted(e, NoteKind.UNDECIDED) if not s.name]
    items += [option_item(s, n.message) for s, n in doubtful[:LISTED_AT_MOST]]
    left = len(sure) + len(doubtful) - len(items)
    if left:
        items[-1]["message"] = f"{items[-1]['message']}; {left} more unknown options are not listed"
    return unique(items)


def _lacking(e: MemberFacts) -> list[Item]:
    """The options that a release before the catalogue lacks; NeedsError where it may know all of them."""
    settings = settings_as_read(e).all
    sure = [(s, n) for s in settings for n in s.notes if n.kind is NoteKind.UNKNOWN]
    if not sure:
        raise NeedsError(Missing(("version",)))
    return unique(option_item(s, n.message, n.hint, certain=True) for s, n in sure[:LISTED_AT_MOST])


@fact()
def renamed_options(e: MemberFacts) -> list[Item]:
    """Options under a former name, in the wrong case, or with dashes in front; `option` is today's name."""
    found = [(s, n, name) for s, n, name in _renames(e) if not already_set(e, s, name)]
    last = {name: setting for setting, _, name in found}
    return unique(_respelt(e, setting, name, note.message) for setting, note, name in found if last[name] is setting)


@fact()
def replaced_options(e: MemberFacts) -> list[Item]:
    """Options that are gone and have a successor of another meaning or unit; `right` where it can be computed."""
    found = [(s, n) for s, n in noted(e, NoteKind.REMOVED) if n.instead and not _superfluous(e, s, n.instead)]
    last = {_own_name(setting): setting for setting, _ in found}
    found = [(setting, note) for setting, note in found if last[_own_name(setting)] is setting]
    return unique(
        option_item(s, n.message, n.hint, option=n.instead.partition("=")[0], right=_converted(e, s, n.instead))
        for s, n in found
    )


@fact()
def removed_options(e: MemberFacts) -> list[Item]:
    """Options that are gone: nothing replaces them, or another line already gives what does, or a later one repeats it.

    The last line of an option counts, also where it is to become another one: 14 days, then 7, means 7.
    """
    gone = [(s, n, n.instead, _own_name(s)) for s, n in noted(e, NoteKind.REMOVED)]
    renamed = [(s, n, name, name) for s, n, name in _renames(e)]
    last = {meant: setting for setting, _, instead, meant in (*gone, *renamed) if instead}
    items = []
    for setting, note, instead, meant in (*gone, *renamed):
        if not instead:
            items.append(option_item(setting, note.message))
        elif already_set(e, setting, instead) or (instead != meant and _superfluous(e, setting, instead)):
            items.append(option_item(setting, note.message, f"another line sets {instead}"))
        elif last[meant] is not setting:
            items.append(option_item(setting, note.message, f"line {last[meant].argument.line} sets it again"))
    return unique(items)


def _renames(e: MemberFacts) -> list[tuple[Setting, Note, str]]:
    """Options under another name than today's, in the order of the files, with the name they should have."""
    candidates = noted(e, NoteKind.UNKNOWN, NoteKind.RENAMED)
    found = ((s, n, _slip(e, s) if n.kind is NoteKind.UNKNOWN else n.instead) for s, n in candidates)
    return [(setting, note, name) for setting, note, name in found if name]


def _own_name(setting: Setting) -> str:
    """What an option is called, however it is spelt here."""
    return setting.argument.name.lower().replace("-", "_").removeprefix("loose_")


@fact()
def ambiguous_options(e: MemberFacts) -> list[Item]:
    """MariaDB: beginnings of several option names."""
    return unique(option_item(s, n.message) for s, n in noted(e, NoteKind.AMBIGUOUS))


@fact()
def abbreviated_options(e: MemberFacts) -> list[Item]:
    """MariaDB: unique beginnings of an option's name; `option` is the whole name."""
    found = [(s, n) for s, n in noted(e, NoteKind.ABBREVIATED) if not s.shadowed_by]
    return unique(_respelt(e, setting, note.instead, note.message) for setting, note in found)


@fact()
def ignored_options(e: MemberFacts) -> list[Item]:
    """Options that MariaDB accepts and does nothing with, and that nothing has to replace."""
    return unique(option_item(s, message) for s, message, successor in _ignored(e) if not successor)


@fact()
def ignored_replaced_options(e: MemberFacts) -> list[Item]:
    """Options that MariaDB accepts and does nothing with, while another one would do what they did."""
    found = [(s, message, successor) for s, message, successor in _ignored(e) if successor]
    return unique(
        option_item(s, message, f"see {new.new}", option=new.new.partition("=")[0], right=_carried_over(e, s, new))
        for s, message, new in found
    )


@fact()
def loose_options_lost(e: MemberFacts) -> list[Item]:
    """Options behind `loose-` that the release has under another name, or that look misspelt."""
    items = []
    loose = [s for s, _ in noted(e, NoteKind.IGNORED) if s.variable is None and _is_loose(e, s)]
    for setting in loose:
        name = understand(setting.argument.name, e.release)
        note = unknown(name.plain, name.plain, e.release, len(loose) <= GUESSED_AT_MOST)
        if note.kind is NoteKind.RENAMED and not already_set(e, setting, note.instead):
            items.append(_respelt(e, setting, note.instead, note.message))
        elif note.kind is NoteKind.UNKNOWN and note.instead and not known_elsewhere(name.plain):
            items.append(option_item(setting, note.message, note.hint))
    return unique(items)


@fact()
def respelt_options(e: MemberFacts) -> list[Item]:
    """Deprecated spellings of options that the release has under a newer name of the same meaning."""
    found = [(s, n) for s, n in noted(e, NoteKind.DEPRECATED) if n.instead and s.effective]
    same = [(s, n) for s, n in found if s.name == n.instead]
    return unique(_respelt(e, setting, note.instead, note.message) for setting, note in same)


@fact()
def deprecated_options(e: MemberFacts) -> list[Item]:
    """One item that lists the deprecated options no other spelling replaces, at the line of the first; [] for none."""
    found = {s.name: (s, n) for s, n in noted(e, NoteKind.DEPRECATED) if s.name != n.instead and s.effective}
    if not found:
        return []
    first = next(iter(found.values()))[0]
    hints = {name: "" if _off_without_successor(s, n.instead) else n.hint for name, (s, n) in found.items()}
    listed = ", ".join(f"{name} ({hint})" if hint else name for name, hint in hints.items())
    return [option_item(first, listed, key="deprecated options", count=len(found))]


@fact()
def plugins_not_loaded(e: MemberFacts) -> list[Item]:
    """Plugins and components that options need and the files do not load, with how many options; one item each."""
    owners: dict[str, list[Setting]] = {}
    for setting, _ in noted(e, NoteKind.UNDECIDED):
        if setting.argument.value_unknown:
            continue  # its value is what is undecided
        ours = setting.variable is not None and setting.variable.owner.startswith(("plugin", "component"))
        if ours and setting.variable is not None and setting.name not in e.member.variables:
            owners.setdefault(owner_of(setting.variable, e.release), []).append(setting)
    return [
        option_item(settings[0], f"{len(settings)} options", key=owner, owner=owner, count=len(settings))
        for owner, settings in owners.items()
    ]


@fact()
def plugin_loads_dropped(e: MemberFacts) -> list[Item]:
    """Lines of plugin_load_add before the last plugin_load, which begins the list of plugins anew (manuals)."""
    settings = settings_of(e).all
    last = max((at for at, setting in enumerate(settings) if setting.name == "plugin_load"), default=0)
    winner = settings[last].argument if last else None
    return unique(
        option_item(s, f"plugin_load in line {winner.line} starts a new list", value=s.argument.value)
        for s in settings[:last]
        if winner and s.name == "plugin_load_add"
    )


def _ignored(e: MemberFacts) -> Iterator[tuple[Setting, str, Successor | None]]:
    """Ignored settings with the remark and what replaces them, as far as no other line gives that."""
    for setting, note in noted(e, NoteKind.IGNORED):
        if setting.variable is None and not _is_loose(e, setting):
            new = load(e.release).successor(understand(setting.argument.name, e.release).plain)
            lost = (
                new is not None
                and new.new
                and not already_set(e, setting, new.new)
                and not _off_without_successor(setting, new.new)
            )
            yield setting, note.message, new if lost else None


def _off_without_successor(setting: Setting, successor: str) -> bool:
    """Whether a switch is off whose successor is a value that stands for ON (`wsrep_sync_wait=1`): none replaces it."""
    return "=" in successor and switch_value(setting.argument.value) is False


def _carried_over(e: MemberFacts, setting: Setting, new: Successor) -> str | None:
    return setting.argument.value if new.kind == "rename" else _converted(e, setting, new.new)


def known_elsewhere(plain: str) -> bool:
    """Whether any series of either family has an option of that name."""
    from advisor.catalog import known_somewhere

    return bool(known_somewhere(plain))


def _slip(e: MemberFacts, setting: Setting) -> str:
    """The option meant when only the case or dashes in front are wrong; "" for anything else."""
    if setting.name:
        return ""
    written = setting.argument.name.replace("-", "_").lstrip("_")
    meant = written.lower() if e.release.family is Family.MYSQL else written
    variable = e.catalog.get(meant)
    return meant if variable is not None and variable.option else ""


def _superfluous(e: MemberFacts, setting: Setting, successor: str) -> bool:
    """Whether another line gives the successor, or is the one that the successor's value is computed from."""
    if already_set(e, setting, successor):
        return True
    own = setting.argument.name.replace("-", "_")
    return own == "innodb_log_files_in_group" and e.written("innodb_log_file_size") is not None


def _is_loose(e: MemberFacts, setting: Setting) -> bool:
    return understand(setting.argument.name, e.release).loose


def _respelt(e: MemberFacts, setting: Setting, name: str, message: str) -> Item:
    """The item of an option whose name is to be written anew, its value kept; a switch without a value is ON."""
    written, value = setting.argument.name.replace("-", "_"), setting.argument.value
    variable = load(e.release).get(name)
    switch = variable is not None and variable.type is VariableType.BOOL
    prefixed = understand(setting.argument.name, e.release).prefix or written.startswith(("skip_", "disable_"))
    right = None if prefixed else "ON" if value is None and switch else value
    return option_item(setting, message, option=name, right=right)


def _converted(e: MemberFacts, setting: Setting, instead: str) -> str | None:
    """The successor's value, for the few successors whose unit differs in a known way; None for the others."""
    name, value = setting.argument.name.replace("-", "_"), setting.argument.value or ""
    match name:
        case "expire_logs_days" if value.isdecimal():
            return str(int(value) * _DAY_SECONDS)
        case "log_warnings" if value.isdecimal():  # 0: errors, 1: and warnings, 2 and more: and notes
            return str(min(int(value), 2) + 1)
        case "wsrep_causal_reads" if not value or switch_value(value):
            return instead.partition("=")[2]
        case "innodb_undo_logs" if value.isdecimal():
            return value
        case "innodb_log_file_size":
            return _redo_capacity(e, value)
    return None


def _redo_capacity(e: MemberFacts, file_size: str) -> str | None:
    """innodb_redo_log_capacity for the old pair of settings: the size of a file times their number."""
    given = e.written("innodb_log_files_in_group")
    files = (given and given.argument.value) or str(_FILES_BY_DEFAULT)
    number, unit = file_size.rstrip("kKmMgG"), file_size[-1:] if file_size[-1:].isalpha() else ""
    return f"{int(number) * int(files)}{unit}" if number.isdecimal() and files.isdecimal() else None
