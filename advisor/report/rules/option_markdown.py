"""What does the page of an option say? Markdown made of the catalogue and the rules alone."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Final

from advisor.report.rules.option_page import OptionExplanation, OptionIn, RuleThatReads, SeriesOfOption
from advisor.report.words.table import escape, markdown_table

_ABOUT_OPTIONS: Final = (
    "Each page says in which releases an option exists, its default in each of them, whether a change takes effect "
    "immediately, and which rules read it. `advisor explain OPTION` shows the same, and the value in your files."
)
_WIDEST_DEFAULT: Final = 48  # characters; longer ones stand below the table
_NONE: Final = "(none)"
_NAMES: Final = {"mysql": "MySQL", "mariadb": "MariaDB"}
_TAKES_EFFECT: Final = {True: "immediately", False: "after a restart", None: ""}


def option_page(told: OptionExplanation) -> str:
    """One option's page. Links lead to `../rules/`."""
    parts = [f"# {escape(told.option)}"]
    if told.other_names:
        parts.append(f"The same as {', '.join(f'`{name}`' for name in told.other_names)}.")
    parts += _series(told.series) if told.series else _releases(told.releases)
    parts += [_newest(one) for one in told.releases if one.exists == "yes" and one.kind]
    parts.append(_rules(told.rules))
    return "\n\n".join(part for part in parts if part) + "\n"


def options_index(names: Sequence[str]) -> str:
    """The list of all options by first letter. Links lead to pages in the same folder."""
    by_letter: dict[str, list[str]] = {}
    for name in sorted(names):
        by_letter.setdefault(name[0].upper(), []).append(name)
    parts = [
        "# Options",
        _ABOUT_OPTIONS,
        " · ".join(f"[{letter}](#{letter.lower()})" for letter in by_letter if letter in string.ascii_uppercase),
    ]
    for letter, members in by_letter.items():
        links = " · ".join(f"[{escape(name)}]({name}.md)" for name in members)
        parts.append(f"## {letter}\n\n{links}")
    return "\n\n".join(parts) + "\n"


def _series(series: Sequence[SeriesOfOption]) -> list[str]:
    head = ("series", "default", "in this series", "a change takes effect")
    rows = [
        (f"{_NAMES[one.family]} {one.series}", _shown(one.default), _changes(one), _TAKES_EFFECT[one.dynamic])
        for one in series
    ]
    filled = [at for at in range(len(head)) if any(row[at] for row in rows)]
    table = markdown_table([head[at] for at in filled], [[row[at] for at in filled] for row in rows])
    long: dict[str, list[str]] = {}
    for one in series:
        if one.default is not None and len(one.default) > _WIDEST_DEFAULT:
            long.setdefault(one.default, []).append(f"{_NAMES[one.family]} {one.series}")
    below = [
        f"Default in {', '.join(releases)}: {escape(default.replace(',', ', '))}" for default, releases in long.items()
    ]
    return ["\n".join(table), *below]


def _releases(releases: Sequence[OptionIn]) -> list[str]:
    """Options of the Galera provider, of which only the defaults in the newest releases are known."""
    rows = [(_product(one.release), _shown(one.default)) for one in releases]
    return ["\n".join(markdown_table(("release", "default"), rows))]


def _changes(one: SeriesOfOption) -> str:
    words = [f"new {one.came}"] if one.came else []
    words += [f"{_shown(value, 'another default')} {_before(release)}" for release, value in one.earlier_defaults]
    words += [f"deprecated {one.deprecated_since}".rstrip()] if one.deprecated else []
    words += ["accepted and ignored"] if one.ignored else []
    words += [f"gone {one.went}"] if one.went else []
    return "; ".join(words)


def _newest(one: OptionIn) -> str:
    lines = [
        ("kind", one.kind),
        ("scope", one.scope),
        ("in option files", one.option_file),
        ("belongs to", one.owner),
        ("computed default", one.default_how),
    ]
    items = [f"* {label}: {escape(value)}" for label, value in lines if value]
    return "\n".join([f"## In {_product(one.release)}", "", *items])


def _rules(rules: Sequence[RuleThatReads]) -> str:
    if not rules:
        return "## Rules\n\nNo rule reads this option."
    items = [
        f"* [{escape(one.title)}](../rules/{one.rule}.md)"
        + (f" – through {', '.join(f'`{fact}`' for fact in one.through)}" if one.through else "")
        for one in rules
    ]
    return "\n".join(["## Rules that read it", "", *items])


def _product(release: str) -> str:
    family, _, rest = release.partition(" ")
    return f"{_NAMES.get(family, family)} {rest}"


def _before(release: str) -> str:
    """Of "in 8.0.18" and "by 8.0.22": until when."""
    word, _, version = release.partition(" ")
    return f"before {version}" + ("" if word == "in" else " at the latest")


def _shown(value: str | None, long: str = "see below") -> str:
    if value is None:
        return ""
    if value == _NONE:
        return value
    return f"`{value}`" if len(value) <= _WIDEST_DEFAULT else long
