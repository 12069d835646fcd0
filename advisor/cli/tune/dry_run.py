"""What does `advisor tune --dry-run` show? Everything a study could touch, and the time it would take."""

from __future__ import annotations

import json

from advisor.model.applying import Application
from advisor.model.tuning import Knob
from advisor.report.words.layout import Page
from advisor.topologies import application
from advisor.tune.request.request import AUTO
from advisor.tune.request.time_budget import FINALISTS, trials_expected
from advisor.tune.session import Forecast
from advisor.tune.space.constraints import violations
from advisor.tune.space.encoding import difference
from advisor.tune.validation.preflight import has_time_to_look


def plan_as_text(found: Forecast, page: Page) -> str:
    """For people."""
    target, plan = found.target, found.plan
    members = ", ".join(f"{member.name} ({member.role})" for member in target.cluster.members)
    lines = page.wrap(f"{target.cluster.name}, {target.release.label}: {members}. Nothing is touched now.", 0)
    lines += ["", f"{len(plan.space.knobs)} settings it may change, and how each takes effect:"]
    lines += [f"  {_knob(knob, found)}" for knob in plan.space.knobs]
    relied = ", ".join(knob.name for knob in plan.space.frozen)
    lines += ["", *page.wrap(f"Compared before and after every trial and never changed: {relied}.", 0)]
    for number, seed in enumerate(plan.seeds, 1):
        changes = ", ".join(f"{name}={after}" for name, (_, after) in difference(plan.running, seed).items())
        lines += page.wrap(f"Advised configuration {number}: {changes}.", 0)
    for objection in violations(plan.space, plan.running):
        lines += page.wrap(f"! The running configuration breaks a rule: {objection}", 0)
    for words in ["", *_course(found), "", *_touched(found)]:
        lines += page.wrap(words, 0) if words else [""]
    return "\n".join(lines) + "\n"


def _course(found: Forecast) -> list[str]:
    """What is done when, and how long it takes."""
    plan, request, said = found.plan, found.request, []
    if request.between:
        said.append(f"Only at {request.between}, local time.")
    if request.threads == AUTO:
        said.append("Clients: doubled first, under load, until no more is committed.")
    if plan.references > 1:
        fresh = ", each after a restart" if found.target.originals.files else ""
        said.append(f"First {plan.references} runs as it is{fresh}: how much do they differ?")
    if has_time_to_look(request, ()):
        said.append("Then `why` looks on under load; what it advises is tried first.")
    said.append(_time(found, *found.trial_seconds))
    if request.soak_seconds:
        said.append(f"What was proved runs for {request.soak_seconds / 60:.0f} min more.")
    return said


def _touched(found: Forecast) -> list[str]:
    """What is restarted and written, and how often at most."""
    target, request = found.target, found.request
    left = f" {', '.join(target.untouched)} keeps its values." if target.untouched else ""
    if not target.originals.files:
        return [f"No server is restarted, and no option file written: nobody said how.{left}"]
    trials = trials_expected(request, ())
    runs = FINALISTS * request.blocks + bool(request.soak_seconds)
    often = f"at most {trials} times for the search, {runs} for the proof, and once to put back"
    files = ", ".join(f"{member}: {file.path}" for member, file in target.originals.files.items())
    return [f"Restarts of every server: {often}.{left}", f"Option files that are written meanwhile: {files}."]


def _knob(knob: Knob, found: Forecast) -> str:
    if knob.choices:
        values = ", ".join(knob.choices)
    else:
        values = " or ".join([f"{knob.low:.0f} to {knob.high:.0f}", *knob.special])
    return f"{knob.name}: {found.plan.running[knob.name]} now; {values}; {_effect(knob, found)}"


def _effect(knob: Knob, found: Forecast) -> str:
    how: Application = application(knob.name, found.target.release, found.target.cluster.topology)
    return str(how).replace("_", " ")


def _time(found: Forecast, plain: float, restarting: float) -> str:
    request = found.request
    each = f"A trial takes about {plain:.0f} s, {restarting:.0f} s with a restart"
    if request.for_seconds:
        search = found.plan.seconds
        fit = f"{search / restarting:.0f} to {search / plain:.0f}"
        return f"{each}: {fit} trials in {search / 60:.0f} min of search; the rest of the time proves the answer."
    proof = FINALISTS * request.blocks * restarting
    length = f"{request.trials} trials in at most {request.trials * restarting / 60:.0f} min"
    return f"{each}: {length}, then up to {proof / 60:.0f} min of proof."


def plan_as_json(found: Forecast) -> str:
    """For programs."""
    knobs = [
        {"name": knob.name, "running": found.plan.running[knob.name], "takes_effect": _effect(knob, found)}
        for knob in found.plan.space.knobs
    ]
    data = {
        "schema": "advisor/tune-plan/1",
        "cluster": found.target.cluster.name,
        "server": found.target.release.name,
        "settings": knobs,
        "never_changed": [knob.name for knob in found.plan.space.frozen],
        "advised": [dict(seed) for seed in found.plan.seeds],
        "reference_runs": found.plan.references,
        "asks_why": has_time_to_look(found.request, ()),
        "clients": found.request.threads or None,
        "option_files": {member: file.path for member, file in found.target.originals.files.items()},
        "soak_seconds": found.request.soak_seconds,
        "trial_seconds": {"without_restart": found.trial_seconds[0], "with_restart": found.trial_seconds[1]},
    }
    return json.dumps(data, indent=2) + "\n"
