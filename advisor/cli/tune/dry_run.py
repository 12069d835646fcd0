"""What does `advisor tune --dry-run` show? Everything a study could touch, and the time it would take."""

from __future__ import annotations

import json

from advisor.model.applying import Application
from advisor.model.tuning import Knob
from advisor.report.words.layout import Page
from advisor.topologies import application
from advisor.tune.request.request import AUTO, Request
from advisor.tune.request.time_budget import FINALISTS, trials_expected
from advisor.tune.session import Forecast
from advisor.tune.space.constraints import violations
from advisor.tune.space.encoding import difference
from advisor.tune.validation.preflight import has_time_to_look
from advisor.units import show


def plan_as_text(forecast: Forecast, page: Page) -> str:
    """For people."""
    target, plan = forecast.target, forecast.plan
    members = ", ".join(f"{member.name} ({member.role})" for member in target.cluster.members)
    lines = page.wrap(
        f"{target.cluster.name}, {target.release.label}: {members}. This is a dry run: nothing is changed.", 0
    )
    lines += [
        "",
        f"{show(len(plan.space.knobs), 'settings')} may change. Each line ends with how the change takes effect:",
    ]
    lines += [f"  {_knob(knob, forecast)}" for knob in plan.space.knobs]
    protected = ", ".join(knob.name for knob in plan.space.frozen)
    lines += [
        "",
        *page.wrap(f"Protected settings, checked before and after every trial and never changed: {protected}.", 0),
    ]
    for number, initial in enumerate(plan.initial_configurations, 1):
        changes = ", ".join(f"{name}={after}" for name, (_, after) in difference(plan.running, initial).items())
        lines += page.wrap(f"Initial configuration {number}: {changes}.", 0)
    for violation in violations(plan.space, plan.running):
        lines += page.wrap(f"! The current configuration violates a constraint: {violation}", 0)
    for paragraph in ["", *_phases(forecast), "", *_restarts_and_files(forecast)]:
        lines += page.wrap(paragraph, 0) if paragraph else [""]
    return "\n".join(lines) + "\n"


def _phases(forecast: Forecast) -> list[str]:
    """The phases in order, and how long they take."""
    plan, request, sentences = forecast.plan, forecast.request, []
    if request.between:
        sentences.append(f"Runs only between {' and '.join(request.between.split('-'))}, local time.")
    if request.threads == AUTO:
        sentences.append(
            "The number of clients is found first: it is doubled under load until throughput stops rising."
        )
    if plan.references > 1:
        fresh = ", each after a restart," if forecast.target.originals.files else ""
        sentences.append(f"First, {plan.references} baseline runs{fresh} show how much repeated runs differ.")
    if has_time_to_look(request, ()):
        sentences.append("Then `why` diagnoses the cluster under load; the settings it recommends are tried first.")
    sentences.append(_time(forecast, *forecast.trial_seconds))
    if request.soak_seconds:
        sentences.append(f"The winner is soak-tested for {request.soak_seconds / 60:.0f} min.")
    return [*sentences, *_commands(request)]


def _commands(request: Request) -> list[str]:
    """When the user's own commands run; their text may hold a password."""
    sentences = []
    if request.restore_command:
        sentences.append("Before every run, and once more at the end, the --restore command restores the data.")
    if request.prepare_command:
        sentences.append("Before every load, the --prepare command prepares the data.")
    if sentences:
        sentences.append(
            f"Each command may take {request.command_seconds / 60:g} min, which is not included in the times above."
        )
    return sentences


def _restarts_and_files(forecast: Forecast) -> list[str]:
    """What is restarted, how often at most, and which files are written."""
    target, request = forecast.target, forecast.request
    left = f" {', '.join(target.untouched)} is left unchanged." if target.untouched else ""
    if not target.originals.files:
        return [f"No server is restarted and no option file is written, because cluster.yaml does not say how.{left}"]
    trials = trials_expected(request, ())
    runs = FINALISTS * request.blocks + bool(request.soak_seconds)
    restarts = f"at most {trials} during the search, {runs} during validation, and one to restore the settings"
    files = ", ".join(f"{member}: {file.path}" for member, file in target.originals.files.items())
    return [f"Restarts of each server: {restarts}.{left}", f"Option files written during the run: {files}."]


def _knob(knob: Knob, forecast: Forecast) -> str:
    if knob.choices:
        values = ", ".join(knob.choices)
    else:
        values = " or ".join([f"{knob.low:.0f} to {knob.high:.0f}", *knob.special])
    return f"{knob.name}: {forecast.plan.running[knob.name]} now; {values}; {_effect(knob, forecast)}"


def _effect(knob: Knob, forecast: Forecast) -> str:
    how: Application = application(knob.name, forecast.target.release, forecast.target.cluster.topology)
    return str(how).replace("_", " ")


def _time(forecast: Forecast, plain: float, restarting: float) -> str:
    request = forecast.request
    each = f"A trial takes about {plain:.0f} s, or {restarting:.0f} s with a restart"
    if request.for_seconds:
        search = forecast.plan.seconds
        fit = f"{search / restarting:.0f} to {search / plain:.0f}"
        return f"{each}: {fit} trials in {search / 60:.0f} min of search; the rest is for validation."
    validation = FINALISTS * request.blocks * restarting
    length = f"{request.trials} trials in at most {request.trials * restarting / 60:.0f} min"
    return f"{each}: {length}, then up to {validation / 60:.0f} min of validation."


def plan_as_json(forecast: Forecast) -> str:
    """For programs."""
    knobs = [
        {"name": knob.name, "running": forecast.plan.running[knob.name], "takes_effect": _effect(knob, forecast)}
        for knob in forecast.plan.space.knobs
    ]
    data = {
        "schema": "advisor/tune-plan/1",
        "cluster": forecast.target.cluster.name,
        "server": forecast.target.release.name,
        "settings": knobs,
        "never_changed": [knob.name for knob in forecast.plan.space.frozen],
        "advised": [dict(settings) for settings in forecast.plan.initial_configurations],
        "reference_runs": forecast.plan.references,
        "asks_why": has_time_to_look(forecast.request, ()),
        "clients": forecast.request.threads or None,
        "option_files": {member: file.path for member, file in forecast.target.originals.files.items()},
        "soak_seconds": forecast.request.soak_seconds,
        "trial_seconds": {"without_restart": forecast.trial_seconds[0], "with_restart": forecast.trial_seconds[1]},
    }
    return json.dumps(data, indent=2) + "\n"
