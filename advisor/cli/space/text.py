"""How is a search space shown?"""

from __future__ import annotations

import json
import textwrap

from advisor.model.applying import Application
from advisor.model.tuning import Knob, Members, SearchSpace
from advisor.units import as_option, show

_TAKES = {
    Application.DYNAMIC: "at once",
    Application.NEW_SESSIONS: "new sessions",
    Application.PROVIDER_OPTION: "at once (provider)",
    Application.RECEIVER_RESTART: "receiver restarts",
    Application.APPLIER_RESTART: "applier restarts",
    Application.MEMBER_REJOIN: "member rejoins",
    Application.GROUP_RESTART: "group restarts",
    Application.SERVER_RESTART: "server restarts",
}

_MEMBERS = {Members.ALL: "all members", Members.WRITERS: "writers", Members.APPLIERS: "appliers"}


def space_as_text(space: SearchSpace) -> str:
    """Knobs, protected settings, constraints; 80 columns."""
    host = ", ".join(f"{name} {as_option(value)}" for name, value in space.host.items())
    lines = [f"{space.topology} on {space.release.label}", f"  {host}", "", show(len(space.knobs), "knobs")]
    for knob in space.knobs:
        lines += [f"  {knob.name}", f"    {_range(knob)}", f"    {_effect_and_risk(knob)}"]
        lines += textwrap.wrap(knob.why, 76, initial_indent="    ", subsequent_indent="    ")
    lines += ["", "protected: checked on every member, changed only with --allow relaxed-…"]
    for promise in dict.fromkeys(knob.promise for knob in space.frozen):
        names = ", ".join(knob.name for knob in space.frozen if knob.promise is promise)
        lines += textwrap.wrap(f"{promise}: {names}", 76, initial_indent="  ", subsequent_indent="    ")
    if space.rules:
        lines += ["", "constraints: a configuration that breaks one is never tried"]
    for rule in space.rules:
        lines += textwrap.wrap(rule.must, 78, initial_indent="  ", subsequent_indent="    ")
        lines += textwrap.wrap(rule.why, 76, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def space_as_json(space: SearchSpace) -> str:
    """The same for programs."""
    row = {
        "schema": "1",
        "topology": str(space.topology),
        "server": space.release.name,
        "host": dict(space.host),
        "knobs": [_row(knob) for knob in space.knobs],
        "frozen": [_row(knob) for knob in space.frozen],
        "rules": [{"must": rule.must, "why": rule.why} for rule in space.rules],
    }
    return json.dumps(row, indent=2) + "\n"


def _range(knob: Knob) -> str:
    if knob.choices:
        text = f"stays at {knob.choices[0]}" if len(knob.choices) == 1 else " | ".join(knob.choices)
    else:
        text = f"{as_option(knob.low)} to {as_option(knob.high)}, {knob.scale}"
        text += "".join(f", or {value}" for value in knob.special)
    if knob.active:
        text += f"; only if {knob.active}, else {knob.inactive}"
    return text


def _effect_and_risk(knob: Knob) -> str:
    parts = [_TAKES[knob.how], f"risk {'+'.join(knob.risk)}", f"on {_MEMBERS[knob.members]}"]
    parts += [f"starts at {_readable(knob.advice)}"] if knob.advice else []
    parts += [f"default {_readable(knob.default)}"] if knob.default else []
    return ", ".join(parts)


def _readable(text: str) -> str:
    return as_option(int(text)) if text.isdecimal() else text


def _row(knob: Knob) -> dict[str, object]:
    row: dict[str, object] = {"name": knob.name}
    row |= {"choices": list(knob.choices)} if knob.choices else {"low": knob.low, "high": knob.high}
    if not knob.choices:
        row |= {"scale": str(knob.scale), "step": knob.step, "special": list(knob.special)}
    row |= {"takes_effect": str(knob.how), "risk": [str(risk) for risk in knob.risk], "members": str(knob.members)}
    row |= {"active": knob.active, "inactive": knob.inactive, "advice": knob.advice, "default": knob.default}
    return row | {"promise": str(knob.promise or ""), "why": knob.why}
