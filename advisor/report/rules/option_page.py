"""What is this option, in these releases and these files? Its page in the terminal, and the same as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from advisor.report.words.layout import Page
from advisor.report.words.values import printable, show_source

SCHEMA: Final = "advisor/option/1"


@dataclass(frozen=True, slots=True)
class WrittenHere:
    """One line of the option files that sets the option, secrets masked. `remarks`: what the server makes of it."""

    file: str
    line: int
    argument: str
    effective: bool
    remarks: list[str]


@dataclass(frozen=True, slots=True)
class OptionIn:
    """The option as one release has it, on one member of the evidence ("" without evidence).

    `exists` is "yes", "no", "ignored" (MariaDB takes it and does nothing) or "unknown". Values are texts as an option
    file takes them; null where they are not known, or where the release lacks the option. `kind` is in words, with
    limits. `default_how` says how the server computes a default.
    """

    member: str
    release: str
    exists: str
    instead: str
    kind: str | None
    scope: str | None
    dynamic: bool | None
    option_file: str | None
    owner: str
    deprecated: str
    default: str | None
    default_how: str
    here: list[WrittenHere]
    in_effect: str | None
    in_effect_source: str


@dataclass(frozen=True, slots=True)
class SeriesOfOption:
    """A series that has the option, and its default there. `came` and `went`: "in 8.0.30", "by 8.0.28"; "" for with the
    series, and for never. `dynamic` is about the newest release, null where that lacks the option. `earlier_defaults`
    are pairs of a release and the default before it.
    """

    family: str
    series: str
    came: str
    went: str
    deprecated: bool
    deprecated_since: str
    ignored: bool
    dynamic: bool | None
    default: str | None
    earlier_defaults: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class RuleThatReads:
    """A rule that depends on the option, directly, or through the derived facts named in `through`."""

    rule: str
    title: str
    through: list[str]


@dataclass(frozen=True, slots=True)
class OptionExplanation:
    """All of that. `canonical` is the name that rules use, `other_names` mean the same."""

    schema: str
    option: str
    canonical: str
    other_names: list[str]
    releases: list[OptionIn]
    series: list[SeriesOfOption]
    rules: list[RuleThatReads]


def as_json(explanation: OptionExplanation) -> str:
    """The explanation as JSON."""
    import json

    text = json.dumps(asdict(explanation), indent=2, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode("utf-8") + "\n"


def as_text(explanation: OptionExplanation, page: Page) -> str:
    """The explanation for the terminal."""
    lines = [page.paint(explanation.option, "strong")]
    lines += page.labelled("same as", [", ".join(explanation.other_names)] if explanation.other_names else [])
    for one in explanation.releases:
        lines += ["", *_release(one, page)]
    lines += ["", *page.columns("known in", [(_series(one), _default_of(one)) for one in explanation.series])]
    lines += ["", *_rules(explanation.rules, page)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _release(one: OptionIn, page: Page) -> list[str]:
    about = f"{printable(one.member)}, as {one.release}" if one.member else f"in {one.release}"
    lines = page.wrap(about, 0)
    if one.exists != "yes":
        lines += page.wrap(_EXISTS[one.exists] + (f"; use {one.instead}" if one.instead else ""), 2)
    lines += page.labelled("kind", [one.kind] if one.kind else [])
    lines += page.labelled("scope", [one.scope] if one.scope else [])
    lines += page.labelled("belongs to", [one.owner] if one.owner else [])
    lines += page.labelled("option file", [one.option_file] if one.option_file else [])
    lines += page.labelled("deprecated", [one.deprecated] if one.deprecated else [])
    lines += page.columns("here", [row for written in one.here for row in _written(written)])
    default = one.default if one.default is not None else "not known" if one.exists == "yes" else ""
    lines += page.labelled(
        "by default", [f"{default}{f' ({one.default_how})' if one.default_how else ''}"] if default else []
    )
    lines += page.columns("in effect", _in_effect(one))
    changed = {True: "immediately, with SET GLOBAL", False: "when the server is restarted", None: ""}[one.dynamic]
    return lines + page.labelled("takes effect", [changed] if changed else [])


_EXISTS: Final = {
    "no": "not an option of this release: a server with it in an option file does not start",
    "ignored": "this release accepts the option and ignores it",
    "unknown": "it is not known whether this build has the option",
}


def _written(written: WrittenHere) -> list[tuple[str, str]]:
    state = "" if written.effective else " (no effect)"
    place = show_source(f"{written.file}:{written.line}")
    return [(printable(written.argument) + state, place), *((printable(remark), "") for remark in written.remarks)]


def _in_effect(one: OptionIn) -> list[tuple[str, str]]:
    if one.in_effect is None:
        return [("not known", "")] if one.member and one.exists == "yes" else []
    return [(printable(one.in_effect), show_source(one.in_effect_source))] if one.member else []


def _series(one: SeriesOfOption) -> str:
    words = [f"{one.family} {one.series}"]
    words += [f"new {one.came}"] if one.came else []
    words += [f"gone {one.went}"] if one.went else []
    words += [f"deprecated {one.deprecated_since}".rstrip()] if one.deprecated else []
    words += ["accepted and ignored"] if one.ignored else []
    return ", ".join(words)


def _default_of(one: SeriesOfOption) -> str:
    earlier = "".join(f"; {value} before {release.removeprefix('in ')}" for release, value in one.earlier_defaults)
    return f"default {one.default}{earlier}" if one.default is not None else ""


def _rules(rules: Sequence[RuleThatReads], page: Page) -> list[str]:
    if not rules:
        return page.labelled("read by", ["no rule"])
    return page.columns(
        "read by", [(one.rule, f"through {', '.join(one.through)}" if one.through else "") for one in rules]
    )
