"""Is this clone like the one that a study began on? What was found there is only true here if it is."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from advisor.errors import UsageError
from advisor.model.record import replace
from advisor.model.tuning import Knob, Settings
from advisor.tune.request.request import Request
from advisor.tune.trial.environment import TuningTarget
from advisor.tune.trial.read_settings import same_value

# How much less of it a clone may have, as a share, and still take every configuration of the study: processors not at
# all; memory is never reported alike to the last page; free disk space bounds logs of which only some are ever full.
_LESS: Final = {"cpus": 0.0, "connections": 0.0, "memory_bytes": 0.05, "disk_free_bytes": 0.25}
_MORE: Final = {"cpus": 0.0, "connections": 0.0, "memory_bytes": 0.05}
_SHOWN: Final = 4
Described = Mapping[str, Any]


def description_of(target: TuningTarget, running: Settings) -> dict[str, Any]:
    """What must be the same on every clone, in plain types."""
    return {
        "topology": str(target.cluster.topology),
        "server": target.release.name,
        "members": sorted(str(member.role) for member in target.cluster.members),
        "knobs": {knob.name: _in_words(knob) for knob in target.space.knobs},
        "rules": sorted(rule.must for rule in target.space.rules),
        "running": dict(running),
        "relied": _relied(target),
        "host": dict(target.space.host),
    }


def _in_words(knob: Knob) -> str:
    values = ", ".join(knob.choices) or f"{knob.low!r} to {knob.high!r} step {knob.step!r} {knob.scale}"
    special = f", {' '.join(knob.special)}" if knob.special else ""
    active = f", where {knob.active} else {knob.inactive}" if knob.active else ""
    return f"{values}{special}{active}, on {knob.members}"


def _relied(target: TuningTarget) -> dict[str, list[str]]:
    """Every value that members have of what is never changed."""
    found: dict[str, set[str]] = {}
    for values in target.originals.relied.values():
        for name, value in values.items():
            found.setdefault(name, set()).add(value)
    return {name: sorted(values) for name, values in sorted(found.items())}


def with_host_of_study(request: Request, there: Described) -> Request:
    """The request with the machine that the study was begun for, to the last byte: bounds are worked out from it."""
    texts = tuple(f"{name}={Decimal(value):f}" for name, value in there["host"].items())
    return replace(request, host=texts)


def refuse_different_host(target: TuningTarget, there: Described) -> None:
    """UsageError when a clone's machine has less than the study was begun for, or other processors."""
    here, wanted = target.space.host, there["host"]
    unlike = []
    for name, value in wanted.items():
        has = here.get(name)
        more = _MORE.get(name)
        if has is None or has < value * (1 - _LESS[name]) or (more is not None and has > value * (1 + more)):
            unlike.append(f"{name} is {'unknown' if has is None else f'{has:.0f}'} here and {value:.0f} there")
    _refuse(unlike, there)


def refuse_different_cluster(target: TuningTarget, running: Settings, there: Described) -> None:
    """UsageError that says what is different on this clone."""
    here = description_of(target, running)
    unlike = [f"{key} {_said(here[key])} and not {_said(there[key])}" for key in ("topology", "server", "members")
              if here[key] != there[key]]  # fmt: skip
    _refuse(unlike, there)
    unlike += _between(here["knobs"], there["knobs"], "may be")
    if here["rules"] != there["rules"]:
        unlike.append("the rules of the search space differ")
    unlike += _between(here["running"], there["running"], "is")
    unlike += [
        f"{name} is {_said(here['relied'].get(name))} here and {_said(values)} there"
        for name, values in there["relied"].items()
        if not _same(here["relied"].get(name, []), values)
    ]
    _refuse(unlike, there)


def _between(here: Mapping[str, str], there: Mapping[str, str], verb: str) -> list[str]:
    return [
        f"{name} {verb} {here.get(name, 'nothing')} here and {there.get(name, 'nothing')} there"
        for name in sorted(here.keys() | there.keys())
        if here.get(name) != there.get(name)
    ]


def _same(here: list[str], there: list[str]) -> bool:
    return len(here) == len(there) and all(same_value(one, other) for one, other in zip(here, there, strict=True))


def _said(value: object) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)


def _refuse(unlike: list[str], there: Described) -> None:
    if unlike:
        more = f", and {len(unlike) - _SHOWN} more" if len(unlike) > _SHOWN else ""
        raise UsageError(
            f"this cluster is no clone of the one the study began on ({there['server']}): "
            f"{'; '.join(unlike[:_SHOWN])}{more}", hint="set it alike, or tune it in a study of its own",
        )  # fmt: skip
