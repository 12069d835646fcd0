"""Which knobs does a topology have in a release on a machine, and how far may tuning change them?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from advisor.catalog import Catalog, canonical, load, near, spelling
from advisor.conditions import Missing, bind, names, satisfies
from advisor.data import folder
from advisor.errors import RuleError, UsageError
from advisor.expressions import parse
from advisor.model.applying import Application
from advisor.model.catalog import Variable, VariableType
from advisor.model.record import replace
from advisor.model.rules import Risk
from advisor.model.server import Release, Topology
from advisor.model.tuning import CrossRule, Guarantee, Knob, SearchSpace
from advisor.topologies import application
from advisor.tune.space.encoding import as_text
from advisor.tune.space.space_file import KnobTemplate, RuleTemplate, SpaceTemplate, read_space, space_files

PROVIDER: Final = "galera."
_AT_ONCE: Final = (Application.DYNAMIC, Application.NEW_SESSIONS, Application.PROVIDER_OPTION)


def load_space(topology: str, release: Release, host: Mapping[str, float], folders: Sequence[str] = ()) -> SearchSpace:
    """The knobs of a topology, spelt and bounded for one release and machine.

    `host` gives what bounds are expressions of (`space_file.HOST_FACTS`). UsageError when the topology or what it
    needs is not there, RuleError (file, key) when a knob or a bound is not the server's.
    """
    files = space_files(folders)
    if topology not in files:
        raise UsageError(f"there is no search space {topology!r}", hint=f"choose one of {', '.join(files)}")
    parts = (os.path.join(folder("search_spaces"), "parts"),)
    return resolve(read_space(files[topology], release.family, parts), release, host)


def resolve(template: SpaceTemplate, release: Release, host: Mapping[str, float]) -> SearchSpace:
    """A template's knobs for one release and machine; errors as `load_space`."""
    if not _applies(template.families, release) or not template.families.get(str(release.family)):
        raise UsageError(f"the search space {template.topology} is not for {release.label}")
    catalog = load(release)
    if template.topology is Topology.GALERA and not catalog.default_galera():
        raise UsageError(f"{release.label} has no Galera", hint="use MariaDB or Percona XtraDB Cluster, e.g. pxc-8.4")
    # What a range of releases has only in part is left out: it could not be tried on all of them.
    knobs = [
        _knob(row, template.topology, catalog, host)
        for row in template.knobs.values()
        if _applies(row.applies, release) and (row.name.startswith(PROVIDER) or not catalog.maybe(row.name))
    ]
    spelt = {canonical(knob.name, release.family): knob.name for knob in knobs}
    spelt |= {knob.name: knob.name for knob in knobs}
    rules = [rule for template_rule in template.rules for rule in _rule(template_rule, release, spelt)]
    knobs = [replace(knob, tree=_respelt(parse(knob.active), spelt)) if knob.active else knob for knob in knobs]
    return SearchSpace(
        topology=template.topology,
        release=release,
        host=dict(host),
        knobs=tuple(knob for knob in knobs if knob.promise is None),
        frozen=tuple(knob for knob in knobs if knob.promise is not None),
        rules=tuple(rules),
        files=template.files,
    )


def restrict(
    space: SearchSpace, pins: Mapping[str, str], excluded: Sequence[str], relaxed: Sequence[Guarantee]
) -> SearchSpace:
    """The space with knobs pinned to a value, knobs left as they are, and guarantees relaxed.

    UsageError for a name that is not a knob of the space. A pinned value may lie outside the range: only the server
    checks it.
    """
    released = [knob for knob in space.frozen if knob.promise in relaxed]
    knobs = {knob.name: knob for knob in (*space.knobs, *released)}
    for name in (*pins, *excluded):
        if name not in knobs:
            close = near(name, space.release)
            hint = (
                "it is protected: --allow relaxed-" + str(_guarantee_of(space, name))
                if _guarantee_of(space, name)
                else ""
            )
            hint = hint or f"did you mean {', '.join(n for n in close if n in knobs) or ', '.join(knobs)}?"
            raise UsageError(f"{name!r} is not a knob of this search space", hint=hint)
    for name, value in pins.items():
        knobs[name] = replace(knobs[name], choices=(value,), special=(), advice=value)
    return replace(
        space,
        knobs=tuple(knob for name, knob in knobs.items() if name not in excluded),
        frozen=tuple(knob for knob in space.frozen if knob not in released),
    )


def _guarantee_of(space: SearchSpace, name: str) -> Guarantee | None:
    return next((knob.promise for knob in space.frozen if knob.name == name), None)


def _applies(versions: Mapping[str, str], release: Release) -> bool:
    constraint = versions.get(str(release.family))
    return not versions or (constraint is not None and satisfies(release.version, constraint))


def _knob(template: KnobTemplate, topology: Topology, catalog: Catalog, host: Mapping[str, float]) -> Knob:
    release = catalog.release
    variable = None if template.name.startswith(PROVIDER) else _variable(template, release, catalog)
    how = application(template.name, release, topology)
    knob = Knob(
        name=variable.name if variable else template.name,
        why=template.why,
        how=how,
        risk=_risk(template, how),
        members=template.members,
        scale=template.scale,
        special=template.special,
        choices=template.choices,
        active=template.active,
        inactive=template.inactive,
        default=_default(template, variable, catalog),
        promise=template.promise,
    )
    if not template.choices:
        knob = _with_range(knob, template, variable, host)
    else:
        _check_words(knob, template, variable)
    return replace(knob, advice=_advice(knob, template, host))


def _variable(template: KnobTemplate, release: Release, catalog: Catalog) -> Variable:
    name = spelling(template.name, release)
    variable = catalog.get(name) if name else None
    if variable is None:
        close = near(template.name, release)
        hint = (
            f"did you mean {', '.join(close)}?"
            if close
            else "limit it to the releases that have it, e.g. for: {mysql: '>=8.0.30'}"
        )
        raise RuleError(f"{template.name}: {release.label} has no such variable", file=template.file, hint=hint)
    return variable


def _risk(template: KnobTemplate, how: Application) -> tuple[Risk, ...]:
    """The risks of the file, and R2 where this release needs a restart."""
    restarts = how not in _AT_ONCE
    return (*template.risk, Risk.R2) if restarts and Risk.R2 not in template.risk else template.risk


def _default(template: KnobTemplate, variable: Variable | None, catalog: Catalog) -> str:
    if variable is None:
        options = catalog.default_galera()
        option = template.name.removeprefix(PROVIDER)
        if option not in options:
            raise RuleError(f"{template.name}: the Galera provider has no such option", file=template.file)
        return options[option] or ""
    value = variable.default
    if isinstance(value, bool):
        return "ON" if value else "OFF"
    return str(value) if isinstance(value, int | float | str) else ""


def _with_range(knob: Knob, template: KnobTemplate, variable: Variable | None, host: Mapping[str, float]) -> Knob:
    low, high = (_number(tree, template, host) for tree in (template.low, template.high))
    step = _number(template.step, template, host)
    if step <= 0:
        raise RuleError(f"{knob.name}: the step {step:g} is not above 0", file=template.file)
    least, most = (variable.minimum, variable.maximum) if variable else (None, None)
    for bound, tree, word in ((low, template.low, "low"), (high, template.high, "high")):
        outside = (least is not None and bound < least) or (most is not None and bound > most)
        if outside and not any(names(tree)):
            limits = f"{least} to {most}"
            raise RuleError(
                f"{knob.name}: {word} {bound:g} is outside the server's range, {limits}", file=template.file
            )
    low = low if least is None else max(low, least)
    high = high if most is None else min(high, most)
    low, high = _up(low, step), _up(high + step * 1e-9, step) - step
    high = max(high, low)
    if low >= high:
        raise RuleError(f"{knob.name}: no value lies between {low:g} and {high:g} on this machine", file=template.file)
    if knob.scale == "log" and low <= 0:
        raise RuleError(f"{knob.name}: a log scale needs a lower bound above 0", file=template.file)
    for value in knob.special:
        if not _is_number(value) or low <= float(value) <= high:
            raise RuleError(
                f"{knob.name}: special value {value!r} must be a number outside the range", file=template.file
            )
    by_memory = set(names(template.high)) == {"host.memory_bytes"}
    return replace(knob, low=low, high=high, step=step, by_memory=by_memory)


def _up(value: float, step: float) -> float:
    """The next multiple of a step; its own size is no reason to leave the range."""
    return -(-round(value / step, 9) // 1) * step


def _check_words(knob: Knob, template: KnobTemplate, variable: Variable | None) -> None:
    for word in knob.choices if variable else ():
        if not _takes(variable, word):
            raise RuleError(f"{knob.name}: the server does not accept {word!r}", file=template.file)


def _takes(variable: Variable | None, word: str) -> bool:
    assert variable is not None
    if variable.type is VariableType.BOOL:
        return word in ("ON", "OFF")
    if variable.words:
        return word.lower() in (known.lower() for known in variable.words)
    if variable.type in (VariableType.INT, VariableType.UINT, VariableType.DOUBLE):
        return _is_number(word) and (variable.minimum or 0) <= float(word) <= (variable.maximum or float("inf"))
    return True


def _advice(knob: Knob, template: KnobTemplate, host: Mapping[str, float]) -> str:
    if not template.advice or template.advice in (*knob.choices, *knob.special):
        return template.advice
    if knob.choices:
        raise RuleError(f"{knob.name}: the advice {template.advice!r} is not one of the choices", file=template.file)
    wanted = _number(parse(template.advice), template, host)
    kept = min(max(wanted, knob.low), knob.high)
    return as_text(round(kept / knob.step) * knob.step, knob.step)


def _number(tree: list[Any], template: KnobTemplate, host: Mapping[str, float]) -> float:
    value = bind(tree)(lambda name: host.get(name.removeprefix("host."), Missing((name,))))
    if isinstance(value, Missing):
        missing = ", ".join(value.needs)
        raise UsageError(f"{template.name}: its bounds depend on {missing}", hint="--host cpus=16,memory=64G,disk=500G")
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RuleError(f"{template.name}: {value!r} is not a number", file=template.file)
    return float(value)


def _rule(template: RuleTemplate, release: Release, spelt: Mapping[str, str]) -> Iterator[CrossRule]:
    """Nothing when it does not apply, or is about a knob this space does not have."""
    asked = [name for name in names(template.tree) if not name.startswith("host.")]
    if _applies(template.applies, release) and all(name in spelt for name in asked):
        yield CrossRule(template.must, template.why, _respelt(template.tree, spelt))


def _respelt(tree: list[Any], spelt: Mapping[str, str]) -> list[Any]:
    if tree and tree[0] == "name":
        return ["name", spelt.get(tree[1], tree[1])]
    return [_respelt(part, spelt) if isinstance(part, list) else part for part in tree]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
