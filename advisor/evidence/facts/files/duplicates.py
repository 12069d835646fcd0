"""Which lines of the option files do not count, because a later one sets the same option?

A line of another file or group that wins is how configurations are layered, and is no remark.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.evidence.facts import fact
from advisor.evidence.option_items import Item, option_item, settings_of, unique
from advisor.evidence.view import View
from advisor.model.options import Setting


@fact()
def contradicted_settings(e: View) -> list[Item]:
    """Lines that a later line of the same group and file overrides with another value."""
    return unique(_item(s, w) for s, w in _overridden(e) if not _same(s, w))


@fact()
def repeated_settings(e: View) -> list[Item]:
    """Lines that a later line of the same group and file repeats with the same value."""
    return unique(_item(s, w) for s, w in _overridden(e) if _same(s, w))


def _overridden(e: View) -> Iterator[tuple[Setting, Setting]]:
    """Each shadowed setting with the one that decides, both on lines of one file and group."""
    settings = settings_of(e)
    for setting in settings.all:
        winner = settings.effective.get(setting.name)
        if setting.shadowed_by is None or winner is None:
            continue
        ours, theirs = setting.argument, winner.argument
        if (ours.file, ours.group.lower()) == (theirs.file, theirs.group.lower()) and ours.line != theirs.line:
            yield setting, winner


def _same(setting: Setting, winner: Setting) -> bool:
    """Whether both lines mean the same to the server; one it refuses is compared as it is written."""
    if setting.value is None or winner.value is None:
        return setting.argument.value == winner.argument.value
    return setting.value == winner.value


def _item(setting: Setting, winner: Setting) -> Item:
    from advisor.options.lines import printable
    from advisor.units import show

    other = option_item(winner, "")
    spelt = printable(winner.argument.name)
    return option_item(
        setting,
        f"{setting.name} is set again",
        option=setting.name,
        winner=other["written"],
        winner_line=winner.argument.line,
        spelt=spelt,
        taken=show(winner.value),
    )
