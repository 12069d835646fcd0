"""What does a rule about single options see of one? Items for `each:` rules, read as `item.<name>`.

Keys of every item: `key` (what tells it from others, the same in every release), `source` (file:line), `name` (as
written), `written` (the line as the server gets it), `was` (its value, absent when it has none), `message`. Where it
can be put right without guessing, `option` is the name to write and `right` the value; advice
`set: {item: "= item.right"}` writes them on the item's line, `remove: [item]` takes the line out. Secrets are masked,
and have no `right`: an edit must not write the mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from advisor.annotations import Any
from advisor.conditions import Missing
from advisor.evidence.member.redaction import redact
from advisor.evidence.member_facts import MemberFacts, NeedsError
from advisor.masking import MASK, is_secret
from advisor.model.options import Argument, Note, NoteKind, Setting, Settings
from advisor.options.lines import printable
from advisor.units import as_option

Item = dict[str, Any]
OPTION_FILE = "option_file"


def settings_as_read(e: MemberFacts) -> Settings:
    """The settings of the member's option files, in any release; NeedsError without files.

    For questions that do not depend on what the release accepts: which lines and groups count.
    """
    if e.settings is None:
        raise NeedsError(Missing((OPTION_FILE,)))
    return e.settings


def settings_of(e: MemberFacts) -> Settings:
    """The settings of the member's option files; NeedsError without files, or where the release is not covered."""
    settings = settings_as_read(e)
    if not e.release.series:
        raise NeedsError(Missing(("version",)))
    return settings


def noted(e: MemberFacts, *kinds: NoteKind) -> Iterator[tuple[Setting, Note]]:
    """Each setting with its first note of one of these kinds, in reading order."""
    settings = settings_of(e).all
    for place in e.noted(kinds[0]) if len(kinds) == 1 else sorted({at for kind in kinds for at in e.noted(kind)}):
        for note in settings[place].notes:
            if note.kind in kinds:
                yield settings[place], note
                break


def option_item(setting: Setting, message: str, hint: str = "", **more: Any) -> Item:
    """The item of one setting; `more` adds keys or replaces them, keys that are None are left out."""
    argument = setting.argument
    place = f"{argument.file}:{argument.line}"
    name, shown, line = _shown(argument.name, argument.value)
    item: Item = {
        "key": f"{name} {place}",
        "source": place,
        "name": name,
        "written": line,
        "was": shown,
        "message": f"{message}; {hint}" if hint else message,
        **more,
    }
    if more.get("right") is not None and _is_masked(argument, shown):
        item["right"] = None
    return {key: value for key, value in item.items() if value is not None}


def as_written(argument: Argument) -> str:
    """The line as the server gets it, secrets masked."""
    return _shown(argument.name, argument.value)[2]


@lru_cache(maxsize=32768)  # lines say the same in every release
def _shown(name: str, value: str | None) -> tuple[str, str | None, str]:
    """Name, value and line as they may be shown."""
    spelt = printable(name)
    shown = None if value is None else printable(str(redact(name, value)))
    return spelt, shown, spelt if shown is None else f"{spelt} = {shown}"


def _is_masked(argument: Argument, shown: str | None) -> bool:
    value = argument.value
    return value is not None and (is_secret(argument.name) or MASK in value or shown != value)


def unique(items: Iterable[Item]) -> list[Item]:
    """The items without those of a file that is read twice; the last one stays."""
    return list({item["key"]: item for item in items}.values())


def taken(setting: Setting) -> str | None:
    """What the server takes the setting for, as an option file would say it; None when that cannot be told."""
    return None if setting.value is None else as_option(setting.value)


def already_set(e: MemberFacts, setting: Setting, name: str) -> bool:
    """Whether another line gives the option of that name a value."""
    from advisor.catalog import canonical

    other = e.setting(canonical(name.partition("=")[0], e.release.family))
    return other is not None and other.argument is not setting.argument
