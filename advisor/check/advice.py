"""What exactly should be changed here? Turns a rule's advice into settings spelt for the release at hand.

A name that is new in the newest release stops an older one from starting: each gets its own, or one that all take.
"""

from __future__ import annotations

from collections.abc import Sequence

from advisor.annotations import TYPE_CHECKING, Any
from advisor.catalog import canonical, load, spelling
from advisor.conditions import Missing, bind, satisfies
from advisor.errors import RuleError
from advisor.evidence.item_view import ItemView
from advisor.evidence.member_facts import MemberFacts
from advisor.model.evidence import Fact
from advisor.model.options import NoteKind
from advisor.model.record import record, replace
from advisor.model.rules import Advice, Change, Rule, TakesEffect
from advisor.model.server import Release
from advisor.units import as_option

if TYPE_CHECKING:
    from advisor.model.diagnosis import Cause


@record
class AdvisedChanges:
    """What is advised for one release, and the label that reports have for it."""

    label: str
    release: Release
    changes: tuple[Change, ...]


def choose_advice(given: Rule | Cause, release: Release) -> Advice | None:
    """The first advice of a rule, or of a cause, that applies to a release."""
    for advice in given.advice:
        constraint = advice.applies.get(str(release.family))
        if not advice.applies or (constraint is not None and satisfies(release.version, constraint)):
            return advice
    return None


def spell_changes(advice: Advice, view: MemberFacts | ItemView) -> tuple[Change, ...]:
    """The settings to write, in the release's spelling; a value that cannot be computed here is left out."""
    changes = [_removal(name, view) for name in advice.remove]
    for name, text in advice.set.items():
        value = _value(text, advice, view)
        if value is not None:
            changes.append(_change(name, value, advice, view))
    return tuple(change for change in changes if change is not None)


def _value(text: str, advice: Advice, view: MemberFacts | ItemView) -> str | None:
    if not text.startswith("="):
        return text
    value = bind(advice.trees[text])(view.value)
    if isinstance(value, Missing):
        return None
    return as_option(int(value) if isinstance(value, float) else value)


def _change(name: str, value: str, advice: Advice, view: MemberFacts | ItemView) -> Change | None:
    if name == "item":
        return _item_change(value, advice, view)
    if name.startswith("galera."):
        own: str | None = name
        fact = view.fact(name)
    else:
        own = _own_name(name, view)
        fact = view.fact(name)
    if own is None:
        raise RuleError(f"the advice sets {name}, which {view.release.label} does not have")
    file, line = _stands(name, view)
    was = as_option(fact.value) if isinstance(fact, Fact) and fact.value is not None else ""
    if _written(name, was, view).lower() == was.lower() == value.lower():
        return None
    return Change(own, value, _effect(name, own, advice, view), was=was, file=file, line=line)


def _item_change(value: str, advice: Advice, view: MemberFacts | ItemView) -> Change | None:
    """The option the finding is about, on its own line, under the name `item.option`."""
    option = view.value("item.option")
    if isinstance(option, Missing):
        return None
    file, line = _item_place(view)
    was = view.value("item.was")
    effect = _effect(option, option, advice, view)
    was = "" if isinstance(was, Missing) or was == value else was
    return Change(option, value, effect, was=was, file=file, line=line, respell=True)


def _item_place(view: MemberFacts | ItemView) -> tuple[str, int]:
    file, _, line = str(view.value("item.source")).rpartition(":")
    return file, int(line or 0)


def _written(name: str, otherwise: str, view: MemberFacts | ItemView) -> str:
    """What the option files say, which may be another thing than what runs; `otherwise` when they say nothing."""
    setting = view.setting(name)
    return otherwise if setting is None or setting.value is None else as_option(setting.value)


def _own_name(name: str, view: MemberFacts | ItemView) -> str | None:
    """The release's spelling; for semi-sync that of the plugin in use, since each spelling is another plugin's."""
    own = spelling(name, view.release)
    if own is None or not own.startswith("rpl_semi_sync_"):
        return own
    older = own.replace("source", "master").replace("replica", "slave")
    whole = view.view if isinstance(view, ItemView) else view
    used = (*(whole.settings.effective if whole.settings else ()), *whole.member.variables)
    old_plugin = any(other.startswith(("rpl_semi_sync_master_", "rpl_semi_sync_slave_")) for other in used)
    return older if old_plugin and view.catalog.get(older) is not None else own


def _removal(name: str, view: MemberFacts | ItemView) -> Change | None:
    if name == "item":
        place, number = _item_place(view)
        item = str(view.value("item.name"))
        idle = isinstance(view, ItemView) and _is_idle(view.view, place, number)
        effect = TakesEffect.NO_CHANGE if idle else TakesEffect.SERVER_RESTART
        return Change(item, None, effect, file=place, line=number)
    file, line = _stands(name, view)
    if not file:
        return None
    return Change(spelling(name, view.release) or name, None, TakesEffect.SERVER_RESTART, file=file, line=line)


def _is_idle(view: MemberFacts, file: str, line: int) -> bool:
    """Whether the setting on a line decides nothing: another line wins, or the server ignores it."""
    here = view.settings_on(file, line)
    return bool(here) and all(
        s.shadowed_by is not None or any(note.kind is NoteKind.IGNORED for note in s.notes) for s in here
    )


def _stands(name: str, view: MemberFacts | ItemView) -> tuple[str, int]:
    """Where the effective setting stands: file and line, ("", 0) when nowhere."""
    wanted = "wsrep_provider_options" if name.startswith("galera.") else canonical(name, view.release.family)
    setting = view.setting(wanted)
    return (setting.argument.file, setting.argument.line) if setting is not None else ("", 0)


def effect_in_all(change: Change, releases: Sequence[Release]) -> Change:
    """The change, which takes effect at once only where no release that it is for needs a restart for it."""
    if change.takes_effect is not TakesEffect.AT_ONCE or len(releases) < 2 or change.name.startswith("galera."):
        return change
    name = canonical(change.name, releases[-1].family)
    variables = [load(release).get(spelling(name, release) or name) for release in releases]
    if all(variable is None or variable.dynamic for variable in variables):
        return change
    return replace(change, takes_effect=TakesEffect.SERVER_RESTART)


def _effect(name: str, own: str, advice: Advice, view: MemberFacts | ItemView) -> TakesEffect:
    if advice.takes_effect is not None:
        return advice.takes_effect
    variable: Any = view.catalog.get(own)
    if variable is not None and variable.dynamic:
        return TakesEffect.AT_ONCE
    return TakesEffect.SERVER_RESTART


def advised_changes(rule: Rule, view: MemberFacts | ItemView, label: str) -> AdvisedChanges:
    """The changes that a rule advises for the view's release; none where they cannot be spelt for it."""
    advice = choose_advice(rule, view.release)
    try:
        changes = spell_changes(advice, view) if advice else ()
    except RuleError:
        changes = ()
    return AdvisedChanges(label, view.release, changes)


def changes_for_all(advised: Sequence[AdvisedChanges]) -> tuple[Change, ...]:
    """One list of changes for several releases, the newest last; each names the releases that it is for.

    No release is named where a change is for all. Of several names of one setting, that counts which all releases take.
    """
    newest = advised[-1].changes
    if all(_alike(one.changes, newest) for one in advised):
        releases = [one.release for one in advised]
        return tuple(effect_in_all(change, releases) for change in newest)
    by_setting: dict[tuple[str, int], list[tuple[AdvisedChanges, Change]]] = {}
    for one in reversed(advised):
        for change in one.changes:
            by_setting.setdefault(_key(change, one.release), []).append((one, change))
    merged: list[Change] = []
    for made in by_setting.values():
        name = _name_for_all(made)
        groups: dict[tuple[str, str | None], list[tuple[AdvisedChanges, Change]]] = {}
        for one, change in made:
            groups.setdefault((name or change.name, change.value), []).append((one, change))
        merged += [_of_group(own, group, len(advised)) for (own, _), group in groups.items()]
    return tuple(merged)


def _alike(some: Sequence[Change], others: Sequence[Change]) -> bool:
    """Whether two releases are given the same lines, as nearly always."""
    return len(some) == len(others) and all(
        (one.name, one.value, one.line, one.respell) == (other.name, other.value, other.line, other.respell)
        for one, other in zip(some, others, strict=True)
    )


def _key(change: Change, release: Release) -> tuple[str, int]:
    """The setting, whatever its name; of a removal its line too, since a setting may stand on several."""
    name = change.name if change.name.startswith("galera.") else canonical(change.name, release.family)
    return name, change.line if change.value is None else 0


def _name_for_all(made: Sequence[tuple[AdvisedChanges, Change]]) -> str | None:
    """The newest of the names that all these releases take; None where they have none in common.

    Where the name itself is to be changed, every release has its own; where an option is taken out, the file's counts.
    """
    newest = made[0][1]
    if newest.value is None:
        return newest.name
    if any(change.respell for _, change in made):
        return None
    for name in dict.fromkeys(change.name for _, change in made):
        if all(change.name == name or load(one.release).get(name) is not None for one, change in made):
            return name
    return None


def _of_group(name: str, group: Sequence[tuple[AdvisedChanges, Change]], out_of: int) -> Change:
    """The change that a group of releases has in common, worded for the newest of them."""
    releases = [one.release for one, _ in reversed(group)]
    change = effect_in_all(replace(group[0][1], name=name), releases)
    return change if len(group) == out_of else replace(change, releases=tuple(one.label for one, _ in reversed(group)))
