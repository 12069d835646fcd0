"""Why has a quantity its value on one side? The settings behind it, defaults, and options that do nothing there."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.catalog import canonical
from advisor.compare.side_value import applies_to, inputs_of, is_default, name_in, unit_in
from advisor.evidence.fact_inputs import read_by
from advisor.evidence.member_facts import MemberFacts
from advisor.masking import MASK, is_secret
from advisor.model.catalog import NO_DEFAULT
from advisor.model.comparison.comparability import Reason, ReasonKind
from advisor.model.comparison.quantity import Quantity
from advisor.model.evidence import Fact
from advisor.model.options import NoteKind, Setting
from advisor.options.names import understand
from advisor.units import show

_MEASURED = ("status", "rate", "delta", "host", "observed", "replica")
_SWITCHED_OFF = (False, "", 0, None)
_TAKEN_OTHERWISE = (NoteKind.CLAMPED, NoteKind.ROUNDED, NoteKind.MISREAD)
_MOST = 4  # inputs of one value


def reasons_of(quantity: Quantity, view: MemberFacts) -> tuple[Reason, ...]:
    """The reasons, as one possible release sees them."""
    inputs = [reason for name in _inputs(quantity, view) if (reason := _input(name, quantity, view))]
    if inputs and all(
        reason.kind is ReasonKind.OBSERVED for reason in inputs
    ):  # what was seen has settings behind it, too
        inputs += [reason for name in _set_in_file(quantity, view) if (reason := _input(name, quantity, view))]
    # Defaults that switch something off explain nothing as long as something was set.
    if any(reason.kind is not ReasonKind.DEFAULT for reason in inputs):
        inputs = [reason for reason in inputs if reason.kind is not ReasonKind.DEFAULT or not _is_off(reason, view)]
    ignored = tuple(_without_effect(quantity, view))
    return (*inputs[:_MOST], *_taken_otherwise(quantity, view), *(ignored or remarks_of(quantity, view)))


def remarks_of(quantity: Quantity, view: MemberFacts) -> tuple[Reason, ...]:
    """What this release makes of the quantity, whatever is set."""
    says = (remark.says for remark in quantity.remarks if applies_to(remark.applies, view.release))
    return tuple(Reason(ReasonKind.REMARK, text) for text in says)


def _inputs(quantity: Quantity, view: MemberFacts) -> Iterator[str]:
    yield from dict.fromkeys(inputs_of(name_in(quantity, view), view))


def _set_in_file(quantity: Quantity, view: MemberFacts) -> Iterator[str]:
    related = _related(quantity, view)
    yield from (name for name in view.catalog.names() if name in related and view.setting(name) is not None)


def _input(name: str, quantity: Quantity, view: MemberFacts) -> Reason | None:
    found = view.fact(name)
    if not isinstance(found, Fact):
        return None
    if name.partition(".")[0] in _MEASURED:
        shown = show(found.value, found.unit or unit_in(quantity, view))
        return Reason(ReasonKind.OBSERVED, f"{name} = {shown}", found.source, name)
    text = f"{name} = {_shown(name, found.value, found.unit)}"
    if is_default(found):
        return Reason(ReasonKind.DEFAULT, text, found.source, name)
    setting, running = view.setting(name), view.running.get(name)
    variable = view.catalog.get(name)
    if running is None or setting is not None:
        return Reason(ReasonKind.SET, text, _source_of(found, setting), name)
    at_default = variable is not None and variable.default is not NO_DEFAULT and variable.default == found.value
    if at_default:
        return Reason(ReasonKind.DEFAULT, text, f"{found.source}, the default", name)
    return Reason(ReasonKind.SET, text, found.source, name)


def _source_of(found: Fact, setting: Setting | None) -> str:
    """The line of the option file; the running value with what the file says, where the two differ."""
    if setting is None:
        return found.source
    line = f"{setting.argument.file}:{setting.argument.line}"
    same = setting.value == found.value or found.source == line or isinstance(setting.value, str | None)
    return line if same else f"{found.source}; {line} says {setting.argument.value}"


def _taken_otherwise(quantity: Quantity, view: MemberFacts) -> Iterator[Reason]:
    """What the server makes of the settings behind the value."""
    for name in _inputs(quantity, view):
        setting = view.setting(name)
        for note in setting.notes if setting is not None else ():
            if note.kind in _TAKEN_OTHERWISE and setting is not None:
                yield Reason(ReasonKind.CHANGED, note.message, _line(setting), name)


def _without_effect(quantity: Quantity, view: MemberFacts) -> Iterator[Reason]:
    """Options in the file that decide the quantity in other releases, and do nothing in this one."""
    related = _related(quantity, view)
    for setting in view.settings.all if view.settings else ():
        written = understand(setting.argument.name, view.release).plain
        if not setting.name and canonical(written, view.release.family) in related:
            for note in setting.notes[:1]:
                yield Reason(ReasonKind.IGNORED, note.message, _line(setting), written)


def _related(quantity: Quantity, view: MemberFacts) -> set[str]:
    """Every variable that the quantity depends on in some release."""
    read = {text for name in quantity.names if name.startswith("fact.") for text in read_by(name.removeprefix("fact."))}
    return {canonical(name, view.release.family) for name in (*quantity.names, *read)}


def _is_off(reason: Reason, view: MemberFacts) -> bool:
    found = view.fact(reason.name)
    return isinstance(found, Fact) and found.value in _SWITCHED_OFF


def _shown(name: str, value: object, unit: str) -> str:
    return MASK if is_secret(name) and value not in ("", None) else show(value, unit)


def _line(setting: Setting) -> str:
    return f"{setting.argument.file}:{setting.argument.line}"
