"""Which lines of the option files do not count, because a later one sets the same option?

A line of another file or group that wins is how configurations are layered, and is no remark.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.evidence.facts import fact
from advisor.evidence.member_facts import MemberFacts
from advisor.evidence.option_items import Item, as_written, option_item, settings_as_read, unique
from advisor.model.options import Setting
from advisor.options.edit.list_value import words_of
from advisor.options.lines import printable

_PROVIDER_OPTIONS = "wsrep_provider_options"
_TAKES_A_NAME = ("log_bin",)


@fact()
def contradicted_settings(e: MemberFacts) -> list[Item]:
    """Lines that a later line of the same group and file overrides with another value.

    Provider options that the later line lacks are another claim: nobody wants to lose those (`provider_options_lost`).
    """
    return unique(_item(s, w) for s, w in _overridden(e) if not _same(s, w) and not _lost_options(s, w))


@fact()
def repeated_settings(e: MemberFacts) -> list[Item]:
    """Lines that a later line of the same group and file repeats with the same value."""
    return unique(_item(s, w) for s, w in _overridden(e) if _same(s, w))


@fact()
def provider_options_lost(e: MemberFacts) -> list[Item]:
    """One item for the Galera provider options of lines that a later line overrides as a whole; [] for none.

    wsrep_provider_options is one text: a later line does not add to it. `lost` names the options, `lines` their places.
    """
    settings = settings_as_read(e)
    winner = settings.effective.get(_PROVIDER_OPTIONS)
    if winner is None:
        return []
    shadowed = [s for s in settings.all if s.name == _PROVIDER_OPTIONS and s.shadowed_by is not None]
    losing = [(setting, names) for setting in shadowed if (names := _lost_options(setting, winner))]
    if not losing:
        return []
    lost = list(dict.fromkeys(name for _, names in losing for name in names))
    place = f"{winner.argument.file}:{winner.argument.line}"
    return [
        option_item(
            losing[0][0],
            f"{place} replaces the whole value",
            key="provider options",
            lost=", ".join(lost),
            encrypted=any(name.startswith("socket.ssl") for name in lost),
            lines=", ".join(str(setting.argument.line) for setting, _ in losing),
            winner=place,
        )
    ]


def _lost_options(setting: Setting, winner: Setting) -> list[str]:
    """The provider options of an overridden line that are not in the line that counts; [] for any other setting."""
    if setting.name != _PROVIDER_OPTIONS:
        return []
    kept = words_of(winner.argument.value or "", ";")
    return [printable(name) for name in words_of(setting.argument.value or "", ";") if name not in kept]


def _overridden(e: MemberFacts) -> Iterator[tuple[Setting, Setting]]:
    """Each shadowed setting with the one that decides, both on lines of one file and group."""
    settings = settings_as_read(e)
    for setting in settings.all:
        winner = settings.effective.get(setting.name)
        if setting.shadowed_by is None or winner is None:
            continue
        ours, theirs = setting.argument, winner.argument
        if (ours.file, ours.group.lower()) == (theirs.file, theirs.group.lower()) and ours.line != theirs.line:
            yield setting, winner


def _same(setting: Setting, winner: Setting) -> bool:
    """Whether both lines mean the same to the server; one it refuses is compared as it is written.

    Two folders are the same with or without the last slash; a switch that takes a file name has two names.
    """
    ours, theirs = setting.argument.value, winner.argument.value
    if setting.value is None or winner.value is None:
        return ours == theirs
    if isinstance(setting.value, str) and isinstance(winner.value, str):
        return setting.value.rstrip("/") == winner.value.rstrip("/")
    named = setting.name in _TAKES_A_NAME and ours is not None and theirs is not None
    return setting.value == winner.value and (not named or ours == theirs)


def _item(setting: Setting, winner: Setting) -> Item:
    from advisor.units import show

    spelt = printable(winner.argument.name)
    return option_item(
        setting,
        f"{setting.name} is set again",
        option=setting.name,
        winner=as_written(winner.argument),
        winner_line=winner.argument.line,
        spelt=spelt,
        taken=show(winner.value),
    )
