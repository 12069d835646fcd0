"""Which settings in the files does a change affect?"""

from __future__ import annotations

from collections.abc import Iterable

from advisor.errors import InputError
from advisor.model.catalog import VariableType
from advisor.model.options import NoteKind, Setting, Settings
from advisor.model.record import replace
from advisor.model.rules import Change, TakesEffect
from advisor.model.server import Family, Release
from advisor.options.edit.edited_file import identity
from advisor.options.edit.list_value import merge_words
from advisor.options.names import plain_name
from advisor.options.settings import adds_up, known_as
from advisor.options.values import switch_value

PROVIDER_OPTIONS = "wsrep_provider_options"
PROVIDER_PREFIX = "galera."
_OUTDATED = {NoteKind.RENAMED, NoteKind.REMOVED}


def united(changes: Iterable[Change], settings: Settings, release: Release) -> tuple[Change, ...]:
    """Each wish once, by the name settings have; options of the Galera provider folded into the one that carries them.

    Raises InputError when two changes want different values for one name.
    """
    wishes: dict[tuple[str, str, int], Change] = {}
    provider: dict[str, str | None] = {}
    for change in changes:
        if change.name.startswith(PROVIDER_PREFIX):
            word = change.name.removeprefix(PROVIDER_PREFIX)
            _refuse_contradiction(change, provider.setdefault(word, change.value))
            continue
        change = _expressible(replace(change, name=known_as(change.name, release)), release)
        # Lines are removed one by one; a variable is given one value only, wherever it stands.
        alone = change.value is None or adds_up(change.name)
        place = (identity(change.file), change.line) if alone and change.file else ("", 0)
        label = f"{change.name}={change.value}" if adds_up(change.name) else change.name
        kept = wishes.setdefault((label, *place), change)
        _refuse_contradiction(change, kept.value)
    if provider:
        key = (PROVIDER_OPTIONS, "", 0)
        wishes[key] = _provider_change(wishes.get(key), provider, settings)
    return tuple(wishes.values())


def _expressible(change: Change, release: Release) -> Change:
    """MySQL takes any value of skip_name_resolve for "on", save OFF from 8.0: there is no line that says off in 5.7."""
    off = change.name == "skip_name_resolve" and switch_value(change.value) is False
    if not off or release.family is not Family.MYSQL:
        return change
    return replace(change, value="OFF" if release.version >= (8, 0, 0) else None)


def _refuse_contradiction(change: Change, value: str | None) -> None:
    if change.value != value:
        raise InputError(
            f"two changes want different values for {change.name}",
            file=change.file,
            line=change.line,
            hint="apply one of them, then check again",
        )


def _provider_change(given: Change | None, words: dict[str, str | None], settings: Settings) -> Change:
    setting = settings.effective.get(PROVIDER_OPTIONS)
    old = given.value if given else setting.argument.value if setting else ""
    return Change(PROVIDER_OPTIONS, merge_words(old or "", words, ";") or None, TakesEffect.SERVER_RESTART)


def deciding(change: Change, settings: Settings) -> Setting | None:
    """The setting to rewrite for a new value; None when the change needs a new line.

    That is the one in effect, wherever `change` thinks it stands; of options that add up the one on the named line,
    or one that has the value already; else a setting under a name that the release no longer has, or does not know.
    """
    here = at_place(change, settings)
    effective = [s for s in settings.all if s.effective and s.name == change.name]
    if adds_up(change.name):
        fitting = [s for s in effective if s in here or s.argument.value == change.value]
        return fitting[0] if fitting else None
    if effective:
        return effective[-1]
    outdated = [s for s in settings.all if any(n.kind in _OUTDATED and n.instead == change.name for n in s.notes)]
    return next((s for s in (*here, *outdated) if not s.name), None)


def doomed(change: Change, settings: Settings, family: Family) -> tuple[Setting, ...]:
    """The settings to take out: the one on the named line, or all of the variable.

    All of it when the named line decides or no line is named: else an earlier, shadowed line would come back to life.
    """
    here = at_place(change, settings)
    if here and (adds_up(change.name) or not any(s.effective for s in here)):
        return tuple(here)
    names = {change.name, *(s.name for s in here)}
    return tuple(
        s for s in settings.all if (s.name or plain_name(s.argument.name, family)) in names and not s.limit_only
    )


def at_place(change: Change, settings: Settings) -> list[Setting]:
    """The settings on the line a change names."""
    if not change.file or not change.line:
        return []
    place = identity(change.file)
    return [s for s in settings.all if s.argument.line == change.line and identity(s.argument.file) == place]


def is_switch_list(setting: Setting) -> bool:
    """Whether lines of this variable add up word by word (optimizer_switch)."""
    return setting.variable is not None and setting.variable.type is VariableType.FLAGSET


def takes_file_name(setting: Setting) -> bool:
    """Whether the option of a switch takes a file name (log_bin): `log_bin = ON` would name the files "ON"."""
    variable = setting.variable
    return variable is not None and variable.type is VariableType.BOOL and variable.option_type is VariableType.STR
