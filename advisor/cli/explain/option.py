"""What is known of an option: from the catalogue, from the evidence at hand, and from the rules that read it?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from advisor.catalog import all_releases, canonical, knows, load, near, spelling
from advisor.catalog.lifetime import SeriesFacts, lifetime
from advisor.catalog.names import spellings
from advisor.catalog.presence import takers
from advisor.check.possible_releases import possible_releases
from advisor.check.rule_set import rule_set_of
from advisor.errors import UsageError
from advisor.evidence.fact_inputs import read_by
from advisor.evidence.member.value_types import unit_of
from advisor.evidence.member_facts import MemberFacts
from advisor.masking import MASK, is_secret
from advisor.model.catalog import NO_DEFAULT, Variable, VariableType
from advisor.model.evidence import Cluster, Fact, Member
from advisor.model.rules import Rule
from advisor.model.server import Family, Release
from advisor.options import resolve
from advisor.options.names import understand
from advisor.report.rules.option_page import (
    SCHEMA,
    OptionExplanation,
    OptionIn,
    RuleThatReads,
    SeriesOfOption,
    WrittenHere,
)
from advisor.units import as_option, show

_KINDS = {
    VariableType.BOOL: "switch",
    VariableType.INT: "whole number",
    VariableType.UINT: "whole number",
    VariableType.DOUBLE: "number",
    VariableType.ENUM: "one of",
    VariableType.SET: "list of",
    VariableType.FLAGSET: "list of switches",
    VariableType.STR: "text",
    VariableType.PLUGIN: "switch of a plugin",
}
_SCOPES = {"global": "global", "session": "session", "both": "global and session"}
_IN_FILES = {
    "req": "with a value",
    "opt": "with or without a value",
    "none": "without a value",
    "": "not allowed there",
}
_SHOWN_WORDS = 12
_NO_LIMIT = 1 << 62


def option_name(written: str) -> str:
    """The option that is meant, with "_" and without prefixes such as skip-; "" when no release has it."""
    name = written.strip().lstrip("-").replace("-", "_").removeprefix("galera.")
    for candidate in (name, name.lower()):
        if takers(candidate) or lifetime(candidate):
            return candidate
    if any(name in load(release).default_galera() for release in all_releases()):
        return f"galera.{name}"
    for release in reversed(all_releases()):
        found = understand(name, release, abbreviations=False)
        if found.variable is not None:
            return found.plain
    return ""


def nearest(written: str) -> list[str]:
    """Options that look like it, those of the newest MySQL first; at most three."""
    name = written.strip().lstrip("-").replace("-", "_").lower()
    newest = [[release for release in all_releases() if release.family is family][-1] for family in Family]
    close = [other for release in newest for other in near(name, release)]
    if not close:
        names = list(dict.fromkeys(known for release in newest for known in load(release).names()))
        close = get_close_matches(name, names, n=3, cutoff=0.7)
    return list(dict.fromkeys(close))[:3]


def explain_option(
    name: str, cluster: Cluster | None, stated: Sequence[Release], rules: Sequence[Rule]
) -> OptionExplanation:
    """Everything about the option; without evidence in the releases stated, or else in the newest that have it."""
    views = list(_views(name, cluster, stated))
    families = dict.fromkeys(release.family for release in (stated or [view.release for view in views]))
    known_as = next((canonical(name, family) for family in families), name)
    others = {other for family in families for other in (known_as, *spellings(family).get(known_as, ()))}
    return OptionExplanation(
        SCHEMA,
        option=name,
        canonical=known_as,
        other_names=sorted(others - {name}),
        releases=[_option_in(name, view, bool(cluster)) for view in views],
        series=[_series(name, facts) for facts in lifetime(name)],
        rules=_readers(known_as, rules, [view.release for view in views]),
    )


def _views(name: str, cluster: Cluster | None, stated: Sequence[Release]) -> Iterable[MemberFacts]:
    """The members of the evidence, each as its newest possible release; without evidence releases alone."""
    if cluster is None:
        own = name.removeprefix("galera.")
        newest = [
            [r for r in all_releases() if r.family is family and (knows(r, name) or own in load(r).default_galera())]
            for family in Family
        ]
        for release in [stated[-1]] if stated else [releases[-1] for releases in newest if releases]:
            yield MemberFacts(Member(""), release, None, None)
        return
    for member in cluster.members:
        release = possible_releases(member, stated).releases[-1]
        settings = resolve(member.options, release) if member.options is not None else None
        yield MemberFacts(member, release, settings, cluster.topology)


def _option_in(name: str, view: MemberFacts, with_evidence: bool) -> OptionIn:
    release, catalog = view.release, view.catalog
    if name.startswith("galera."):
        return _provider_option_in(name, view, with_evidence)
    variable = catalog.get(name)
    found = view.fact(canonical(name, release.family)) if with_evidence else None
    in_effect = found if isinstance(found, Fact) and variable is not None else None
    return OptionIn(
        member=view.member.name if with_evidence else "",
        release=release.label,
        exists=_exists(name, release),
        instead=_instead(name, release),
        kind=_kind(variable) if variable else None,
        scope=_SCOPES[variable.scope] if variable else None,
        dynamic=variable.dynamic if variable else None,
        option_file=_IN_FILES[variable.option] if variable else None,
        owner=variable.owner.replace(":", " ") if variable else "",
        deprecated=_deprecated(variable),
        default=_value(name, variable.default) if variable and variable.default is not NO_DEFAULT else None,
        default_how=catalog.automatic(name) if variable and (variable.auto or variable.default is NO_DEFAULT) else "",
        here=_here(name, view),
        in_effect=_value(name, in_effect.value) if in_effect else None,
        in_effect_source=in_effect.source if in_effect else "",
    )


def _provider_option_in(name: str, view: MemberFacts, with_evidence: bool) -> OptionIn:
    """A part of wsrep_provider_options, of which the catalogue has the defaults alone."""
    defaults = view.catalog.default_galera()
    own = name.removeprefix("galera.")
    found = view.fact(name) if with_evidence else None
    known = "yes" if own in defaults else "unknown" if not defaults and view.release.vendor else "no"
    return OptionIn(
        member=view.member.name if with_evidence else "",
        release=view.release.label,
        exists=known,
        instead="",
        kind="option of the Galera provider",
        scope="global",
        dynamic=None,
        option_file=f'wsrep_provider_options = "{own}=…"',
        owner="wsrep",
        deprecated="",
        default=defaults.get(own),
        default_how="",
        here=_here("wsrep_provider_options", view),
        in_effect=_value(own, found.value) if isinstance(found, Fact) else None,
        in_effect_source=found.source if isinstance(found, Fact) else "",
    )


def _exists(name: str, release: Release) -> str:
    catalog = load(release)
    if catalog.get(name) is not None:
        return "yes"
    if catalog.ignored(name) is not None:
        return "ignored"
    return "unknown" if catalog.maybe(name) else "no"


def _instead(name: str, release: Release) -> str:
    """What took its place in a release that lacks it; "" for nothing, or where it is there."""
    if load(release).get(name) is not None:
        return ""
    successor = load(release).successor(name)
    own = spelling(successor.new, release) if successor and successor.new else None
    return own or spelling(canonical(name, release.family), release) or ""


def _deprecated(variable: Variable | None) -> str:
    if variable is None or not variable.deprecated:
        return ""
    return "yes" if variable.deprecated == "yes" else f"yes; use {variable.deprecated}"


def _kind(variable: Variable) -> str:
    words = _KINDS[variable.type]
    if variable.words:
        shown = ", ".join(variable.words[:_SHOWN_WORDS])
        return f"{words} {shown}" + (", …" if len(variable.words) > _SHOWN_WORDS else "")
    least, most = variable.minimum, variable.maximum
    step = f", in steps of {_value(variable.name, variable.step)}" if variable.step and variable.step > 1 else ""
    if least is None or most is None:
        return words
    limits = (
        f"at least {_value(variable.name, least)}"
        if most >= _NO_LIMIT
        else f"{_value(variable.name, least)} to {_value(variable.name, most)}"
    )
    return f"{words}, {limits}{step}"


def _value(name: str, value: object) -> str:
    if is_secret(name) and value not in (None, ""):
        return MASK
    if value is None:
        return "(none)"
    if isinstance(value, int | float) and not isinstance(value, bool) and unit_of(name) != "bytes":
        return show(value)
    return as_option(value) or "''"


def _here(name: str, view: MemberFacts) -> list[WrittenHere]:
    own = {name, canonical(name, view.release.family)}
    lines = []
    for setting in view.settings.all if view.settings else ():
        argument = setting.argument
        means = setting.name or understand(argument.name, view.release).plain
        if means in own or canonical(means, view.release.family) in own:
            remarks = [note.message for note in setting.notes]
            lines.append(WrittenHere(argument.file, argument.line, argument.text, setting.effective, remarks))
    return lines


def _series(name: str, facts: SeriesFacts) -> SeriesOfOption:
    newest = [release for release in all_releases() if (release.family, release.series) == (facts.family, facts.series)]
    variable = load(newest[-1]).get(name) if newest else None
    return SeriesOfOption(
        family=str(facts.family),
        series=facts.series,
        came=facts.came,
        went=facts.went,
        deprecated=facts.deprecated,
        deprecated_since=facts.deprecated_since,
        ignored=facts.ignored,
        dynamic=variable.dynamic if variable else None,
        default=None if facts.default is NO_DEFAULT else _value(name, facts.default),
        earlier_defaults=[(release, _value(name, value)) for release, value in facts.earlier_defaults],
    )


def _readers(name: str, rules: Sequence[Rule], releases: Sequence[Release]) -> list[RuleThatReads]:
    """The rules that apply to any of the releases and depend on the option, the direct ones first."""
    rule_set = rule_set_of(rules)
    direct, indirect = [], []
    direct_names = {name, *(f"{prefix}.{name}" for prefix in ("configured", "source", "source.configured"))}
    for rule in rule_set.rules:
        if releases and all(rule.id in rule_set.not_applicable(release) for release in releases):
            continue
        names = [*rule_set.names(rule), *(f"fact.{rule.each}" for _ in rule.each[:1])]
        if any(read in direct_names for read in names):
            direct.append(RuleThatReads(rule.id, rule.title, []))
            continue
        facts = [read.removeprefix("fact.") for read in names if read.startswith("fact.")]
        through = [fact for fact in dict.fromkeys(facts) if name in read_by(fact)]
        if through:
            indirect.append(RuleThatReads(rule.id, rule.title, through))
    return [*direct, *indirect]


def refuse_unknown(written: str, rules: Sequence[Rule]) -> UsageError:
    """What to say of a word that is neither a rule nor an option."""
    ids = get_close_matches(written.rpartition("/")[2], [rule.id for rule in rules], n=2, cutoff=0.6)
    close = [*nearest(written), *ids]
    hint = f"did you mean {', '.join(close)}?" if close else "`advisor rules list` shows the rules"
    return UsageError(f"there is no rule and no option {written!r}", hint=hint)
