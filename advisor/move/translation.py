"""What is to be written instead of options that the target lacks, or takes for something else?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.catalog import canonical
from advisor.conditions import Missing, bind
from advisor.evidence.member.value_types import unit_of
from advisor.evidence.member_facts import MemberFacts
from advisor.model.move import Translation
from advisor.model.options import Argument, Reading, Setting
from advisor.model.record import record, replace
from advisor.model.server import Release
from advisor.move.scope import covers
from advisor.move.sections import READ_BY_ALL
from advisor.options import resolve
from advisor.options.names import understand
from advisor.units import as_option


@record
class Translated:
    """A translation that concerns the files: the arguments that it replaces, and what is set instead.

    `unknown`: names without a value, so that nothing can be computed.
    """

    translation: Translation
    arguments: tuple[Argument, ...]
    settings: tuple[tuple[str, str], ...]
    unknown: tuple[str, ...] = ()


def translations_for(
    settings: Sequence[Setting], view: MemberFacts, target: Release, known: Sequence[Translation]
) -> Iterator[Translated]:
    """The translations of options that the files set, each option once: the first translation that fits has it."""
    taken: set[int] = set()
    for translation in known:
        is_meant = covers(translation.origin, view.release) and covers(translation.target, target)
        if not is_meant or target.vendor in translation.not_to or not _has_all(target, translation):
            continue
        own = [s.argument for s in settings if id(s.argument) not in taken and _concerns(translation, s, view.release)]
        if not own or not _holds(translation, view):
            continue
        taken.update(map(id, own))
        values, unknown = _values(translation, view)
        if len(own) != 1 or not _says_so_already(own[0], values, target):
            yield Translated(translation, tuple(own), values, unknown)


def _has_all(target: Release, translation: Translation) -> bool:
    """Whether the target has what is to be set: of MySQL, XtraDB Cluster alone has Galera's options."""
    return all(understand(name, target).variable is not None for name in translation.settings)


def _says_so_already(argument: Argument, values: Sequence[tuple[str, str]], target: Release) -> bool:
    """Whether the one line has the one new name and value: semi-sync's options on the way between old spellings."""
    if len(values) != 1:
        return False
    name, value = values[0]
    wanted = Argument(f"--{name}={value}", name, value, READ_BY_ALL, "", 0)
    was, now = (resolve(Reading((each,)), target).all for each in (replace(argument, group=READ_BY_ALL), wanted))
    same = bool(was) and bool(now) and was[0].name == now[0].name == name and was[0].value == now[0].value
    return same and argument.name.replace("-", "_") == name


def option_of(setting: Setting, origin: Release) -> str:
    """The canonical name of what the release of now understands by a setting."""
    name = understand(setting.argument.name, origin)
    return canonical(name.variable.name if name.variable is not None else name.plain, origin.family)


def _concerns(translation: Translation, setting: Setting, origin: Release) -> bool:
    """Whether the setting is one of the options, or an option with the value that stands behind its "="."""
    name = option_of(setting, origin)
    for option in translation.options:
        wanted, equals, value = option.partition("=")
        if wanted == name and (not equals or value.lower() == (setting.argument.value or "").lower()):
            return True
    return False


def _holds(translation: Translation, view: MemberFacts) -> bool:
    return translation.tree is None or bind(translation.tree)(view.value) is True


def _values(translation: Translation, view: MemberFacts) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """What is set instead, as option files have it; and the names without a value, with which nothing is set."""
    values, unknown = [], []
    for option, text in translation.settings.items():
        if not text.startswith("="):
            values.append((option, text))
            continue
        value = bind(translation.trees[text])(view.value)
        if isinstance(value, Missing):
            unknown += [*value.needs, *value.absent]
        else:
            values.append((option, _as_option(option, value)))
    return (() if unknown else tuple(values)), tuple(unknown)


def _as_option(option: str, value: object) -> str:
    """A computed value as the option takes it; only sizes get a suffix."""
    if isinstance(value, float):
        value = int(value) if value == int(value) else value
    return as_option(value) if unit_of(option) == "bytes" or isinstance(value, bool) else str(value)
