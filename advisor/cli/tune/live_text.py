"""What does a terminal show of a live tuning run? The answer first, then what it rests on."""

from __future__ import annotations

import math
from typing import Final

from advisor.report.words.amounts import duration, rate
from advisor.report.words.layout import Page
from advisor.tune.live.candidates import members_of
from advisor.tune.live.limits import State, Watched, bound_in_words
from advisor.tune.live.outcome import Ending, LiveOutcome, Tried
from advisor.tune.live.statistics.verdict import Answer, Effect, Measure
from advisor.units import show

_MOST_SHOWN: Final = 5  # changes that were not tried
_NAMES: Final = {
    Measure.COMMIT_LATENCY: "commit latency at the same rate",
    Measure.CPU_PER_TRANSACTION: "CPU time per transaction",
    Measure.SYNCS_PER_TRANSACTION: "syncs per transaction",
    Measure.LAG: "lag",
    Measure.BACKLOG: "backlog",
    Measure.HEADROOM: "headroom below the lowest ceiling",
}
_ENDINGS: Final = {
    Ending.FINISHED: "",
    Ending.ONLY_WATCHED: "Nothing was changed: this run only watched.",
    Ending.INTERRUPTED: "Stopped early.",
    Ending.TRAFFIC: "Stopped early: the traffic did not stay within the limits even with the former values.",
    Ending.NO_TIME: "Nothing was changed: --for is too short for enough turns of even one change.",
    Ending.NO_CANDIDATE: "Nothing was changed: no change is worth trying.",
}
_ANSWERS: Final = {
    Answer.HELPS: "helps",
    Answer.HARMS: "makes things worse",
    Answer.TRADES: "makes one figure better and another worse; not recommended",
    Answer.NOTHING_SHOWN: "did not prove to help",
    Answer.LIMIT_TOUCHED: "came too close to a limit; the former values were restored",
    Answer.REFUSED: "was refused by the server",
    Answer.NOT_TRIED: "was not tried",
}


def outcome_as_text(found: LiveOutcome, page: Page) -> str:
    """For people."""
    lines = page.wrap(page.paint(headline(found), "strong"), 0)
    lines += page.wrap(f"{found.cluster}, {found.topology.replace('_', ' ')}, {found.server}; {traffic(found)}", 0)
    if found.helpful:
        lines += ["", "Change:"]
        for tried in found.helpful:
            lines += page.wrap(f"{settings_of(tried)}; takes effect at once, risk R1{costs_of(tried)}", 2)
    measured = [tried for tried in found.tried if tried.verdict.answer is not Answer.NOT_TRIED]
    if measured:
        lines += ["", "Tried, in turns with the former values:"]
    for tried in measured:
        lines += page.wrap(f"{settings_of(tried)}: {answer_of(tried)}", 2)
        for effect in tried.verdict.effects:
            lines += page.wrap(effect_sentence(effect), 4)
    waiting = [settings_of(tried) for tried in found.tried if tried.verdict.answer is Answer.NOT_TRIED]
    if waiting:
        more = f"; and {len(waiting) - _MOST_SHOWN} more" if len(waiting) > _MOST_SHOWN else ""
        label = "Would be tried, as far as time permits" if found.ending is Ending.ONLY_WATCHED else "Not tried"
        lines += ["", *page.wrap(f"{label}: {'; '.join(waiting[:_MOST_SHOWN])}{more}.", 0)]
    lines += ["", *page.wrap(what_could_be_shown(found), 0)]
    lines += page.wrap(limits_sentence(found), 0)
    for caveat in caveats(found):
        lines += page.wrap(f"! {caveat}", 0)
    return "\n".join(lines) + "\n"


def headline(found: LiveOutcome) -> str:
    """The answer in one sentence."""
    if found.helpful:
        state = "It is in force." if found.kept else "The former values are in force again."
        named = settings_of(found.helpful[0])
        others = f", and {show(len(found.helpful) - 1, 'more changes')}" if len(found.helpful) > 1 else ""
        return f"{named} helps{others}. {state}"
    nothing = "" if found.ending is Ending.ONLY_WATCHED else "No change proved to help."
    return " ".join(filter(None, (nothing, _ENDINGS[found.ending])))


def settings_of(tried: Tried) -> str:
    """binlog_group_commit_sync_delay = 0 (was 5000) on m1."""
    parts = []
    for name, value in tried.candidate.settings.items():
        members = members_of(tried.candidate.changed, name)
        before = "/".join(dict.fromkeys(tried.candidate.former[member][name] for member in members))
        parts.append(f"{name} = {value} (was {before}) on {', '.join(members)}")
    return "; ".join(parts)


def costs_of(tried: Tried) -> str:
    """What a change that helps makes worse; "" for nothing."""
    worse = [_NAMES[effect.measure] for effect in tried.verdict.effects if effect.worse]
    return f"; costs more {' and '.join(worse)}" if worse else ""


def answer_of(tried: Tried) -> str:
    """What was shown, on which evidence."""
    words = _ANSWERS[tried.verdict.answer]
    if tried.restored_seconds is not None:
        words += f" after {tried.restored_seconds:.1f} s"
    because = f": {tried.verdict.because}" if tried.verdict.because else ""
    turns = ""
    if tried.plan and tried.verdict.effects:
        turns = f" ({tried.plan.pairs} pairs of turns of {tried.plan.turn_seconds} s"
        turns += f", {tried.disturbed} of them repeated)" if tried.disturbed else ")"
    return f"{words}{because}{turns}; {tried.candidate.because}."


def effect_sentence(effect: Effect) -> str:
    """commit latency at the same rate: 12 ms → 4.1 ms, −66 % (95 %: −70 % to −61 %), better."""
    change = "" if effect.ratio.mid is None else f", {_percent(effect.ratio.mid)}"
    if effect.ratio.low is not None and effect.ratio.high is not None:
        change += f" (95 %: {_percent(effect.ratio.low)} to {_percent(effect.ratio.high)})"
    shown = ", better" if effect.better else ", worse" if effect.worse else ", not shown to differ"
    return (
        f"{_NAMES[effect.measure]}: {_figure(effect, effect.former)} → {_figure(effect, effect.changed)}{change}{shown}"
    )


def traffic(found: LiveOutcome) -> str:
    """What the traffic was while it was watched."""
    figures = found.watch.figures
    parts = [f"{rate(figures.rate)} tx/s while watched for {_length(figures.seconds)}"]
    if figures.commit_ms is not None:
        p95 = f", p95 {duration(figures.commit_p95_ms)}" if figures.commit_p95_ms is not None else ""
        parts.append(f"commit latency {duration(figures.commit_ms)}{p95} ({found.statements})")
    if figures.lag_ms is not None:
        parts.append(f"lag {duration(figures.lag_ms)}")
    return "; ".join(parts) + "."


def what_could_be_shown(found: LiveOutcome) -> str:
    """The smallest effects, by the noise that was seen."""
    parts = []
    for seconds, effect in found.watch.detectable:
        shown = "none" if effect is None or math.isinf(effect) else f"{effect:.1%} or more"
        parts.append(f"{shown} in {_length(seconds)}")
    moment = f"In this traffic, readings less than about {found.watch.moment_seconds:.0f} s apart are similar."
    run = f" In this run: {found.detectable:.1%} or more for each change." if found.detectable else ""
    name = _NAMES[found.watch.measure]
    shown = f"Given this noise, the turns of one change can detect these differences in {name}: {', '.join(parts)}."
    return f"{moment} {shown}{run}"


def limits_sentence(found: LiveOutcome) -> str:
    """The limits, and those that were not watched."""
    parts = []
    for limit in found.limits.each():
        if limit.watched in found.limits.given_up:
            parts.append(f"{limit.watched} not watched")
        elif limit.watched is Watched.LAG and not found.limits.applies:
            parts.append(f"lag {str(State.NOT_APPLICABLE).replace('_', ' ')}")
        else:
            parts.append(f"{limit.watched} {bound_in_words(limit)}")
    return f"Limits: {'; '.join(parts)}."


def caveats(found: LiveOutcome) -> list[str]:
    """What is unknown, and what limits the worth of the answer."""
    unknown = [f"{name} is unknown: {why}" for name, why in found.watch.unknown.items()]
    together = ["the changes were not measured together"] if len(found.helpful) > 1 else []
    ending = [_ENDINGS[found.ending]] if found.helpful and _ENDINGS[found.ending] else []
    return [*unknown, *together, *ending, *found.notes, *found.left]


def _figure(effect: Effect, value: float) -> str:
    if math.isnan(value):
        return "?"
    if effect.measure in (Measure.COMMIT_LATENCY, Measure.CPU_PER_TRANSACTION, Measure.LAG):
        return f"{value:.2f} ms" if value < 10 else duration(value)
    return f"{value:.2f}"


def _percent(ratio: float) -> str:
    return f"{100 * (ratio - 1):+.0f} %".replace("-", "−")


def _length(seconds: float) -> str:
    if seconds >= 5400:
        return f"{seconds / 3600:.3g} h"
    return f"{seconds / 60:.0f} min" if seconds >= 120 else f"{seconds:.0f} s"
