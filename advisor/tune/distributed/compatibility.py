"""Is this clone equal to the one a study began on? Only then do its trials hold here."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from advisor.errors import UsageError
from advisor.model.record import replace
from advisor.model.tuning import Knob, Settings
from advisor.tune.request.request import Request
from advisor.tune.trial.read_settings import same_value
from advisor.tune.trial.run_trial import TuningTarget

# The share by which a clone may have less and still run every configuration of the study. CPUs: not at all. Memory is
# never reported to the same page. Free disk space bounds logs, of which only some are ever full.
_MAY_HAVE_LESS: Final = {"cpus": 0.0, "connections": 0.0, "memory_bytes": 0.05, "disk_free_bytes": 0.25}
_MAY_HAVE_MORE: Final = {"cpus": 0.0, "connections": 0.0, "memory_bytes": 0.05}
_SHOWN: Final = 4
Described = Mapping[str, Any]


def description_of(target: TuningTarget, running: Settings) -> dict[str, Any]:
    """What must be equal on every clone, in plain types."""
    return {
        "topology": str(target.cluster.topology),
        "server": target.release.name,
        "members": sorted(str(member.role) for member in target.cluster.members),
        "knobs": {knob.name: _values_of(knob) for knob in target.space.knobs},
        "rules": sorted(rule.must for rule in target.space.rules),
        "running": dict(running),
        "relied": _protected(target),
        "host": dict(target.space.host),
        "memory_shares": sorted(target.space.memory_shares.values()),
    }


def _values_of(knob: Knob) -> str:
    values = ", ".join(knob.choices) or f"{knob.low!r} to {knob.high!r} step {knob.step!r} {knob.scale}"
    special = f", {' '.join(knob.special)}" if knob.special else ""
    active = f", where {knob.active} else {knob.inactive}" if knob.active else ""
    return f"{values}{special}{active}, on {knob.members}"


def _protected(target: TuningTarget) -> dict[str, list[str]]:
    """Every value that members have of each protected setting."""
    protected: dict[str, set[str]] = {}
    for values in target.originals.relied.values():
        for name, value in values.items():
            protected.setdefault(name, set()).add(value)
    return {name: sorted(values) for name, values in sorted(protected.items())}


def with_host_of_study(request: Request, studied: Described) -> Request:
    """The request with the exact host that the study began with: the bounds of knobs are computed from it."""
    texts = tuple(f"{name}={Decimal(value):f}" for name, value in studied["host"].items())
    return replace(request, host=(*texts, *(text for text in request.host if ":" in text)))


def refuse_different_host(target: TuningTarget, studied: Described) -> None:
    """UsageError when a clone's host has less than the study's, or another number of CPUs."""
    here, wanted = target.space.host, studied["host"]
    differences = []
    for name, value in wanted.items():
        has = here.get(name)
        more = _MAY_HAVE_MORE.get(name)
        if has is None or has < value * (1 - _MAY_HAVE_LESS[name]) or (more is not None and has > value * (1 + more)):
            differences.append(f"{name}: {'unknown' if has is None else f'{has:.0f}'} here, {value:.0f} in the study")
    _refuse(differences, studied)


def refuse_different_cluster(target: TuningTarget, running: Settings, studied: Described) -> None:
    """UsageError that lists what differs on this clone."""
    here = description_of(target, running)
    differences = [
        f"{key}: {_listed(here[key])} here, {_listed(studied[key])} in the study"
        for key in ("topology", "server", "members")
        if here[key] != studied[key]
    ]
    if here["memory_shares"] != studied.get("memory_shares", []):
        differences.append("the memory sizes of its members have other proportions (--host NAME:memory=…)")
    _refuse(differences, studied)
    differences += _between(here["knobs"], studied["knobs"])
    if here["rules"] != studied["rules"]:
        differences.append("the rules of the search space differ")
    differences += _between(here["running"], studied["running"])
    differences += [
        f"{name}: {_listed(here['relied'].get(name))} here, {_listed(values)} in the study"
        for name, values in studied["relied"].items()
        if not _same(here["relied"].get(name, []), values)
    ]
    _refuse(differences, studied)


def _between(here: Mapping[str, str], studied: Mapping[str, str]) -> list[str]:
    return [
        f"{name}: {here.get(name, 'nothing')} here, {studied.get(name, 'nothing')} in the study"
        for name in sorted(here.keys() | studied.keys())
        if here.get(name) != studied.get(name)
    ]


def _same(here: list[str], studied: list[str]) -> bool:
    return len(here) == len(studied) and all(same_value(one, other) for one, other in zip(here, studied, strict=True))


def _listed(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def _refuse(differences: list[str], studied: Described) -> None:
    if differences:
        more = f", and {len(differences) - _SHOWN} more" if len(differences) > _SHOWN else ""
        raise UsageError(
            f"this cluster differs from the one on which the study began ({studied['server']}): "
            f"{'; '.join(differences[:_SHOWN])}{more}",
            hint="make the settings of this cluster equal, or tune it in a separate study",
        )  # fmt: skip
