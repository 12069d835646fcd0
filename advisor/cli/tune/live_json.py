"""What does `advisor tune --live --format json` write?"""

from __future__ import annotations

import json
import math
from typing import Any

from advisor.model.measurement import Interval
from advisor.tune.live.limits import Limits, State, Watched
from advisor.tune.live.outcome import LiveOutcome, Tried
from advisor.tune.live.statistics.verdict import Answer, Effect


def outcome_as_json(found: LiveOutcome) -> str:
    """For programs. Ratios are changed/former; what is unknown is null."""
    figures = found.watch.figures
    data = {
        "schema": "advisor/tune-live/1",
        "cluster": found.cluster,
        "topology": found.topology,
        "server": found.server,
        "ending": str(found.ending),
        "kept": found.kept,
        "recommended": [_settings(tried) for tried in found.helpful],
        "tried": [_tried(tried) for tried in found.tried],
        "limits": _limits(found.limits),
        "watch": {
            "seconds": figures.seconds,
            "transactions_per_second": figures.rate,
            "commit_latency_ms": figures.commit_ms,
            "commit_latency_p95_ms": figures.commit_p95_ms,
            "statements": found.statements,
            "lag_ms": figures.lag_ms,
            "moment_seconds": found.watch.moment_seconds,
            "latency_by_rate_power": found.watch.slope,
            "judged_by": [str(measure) for measure in found.watch.measures],
            "detectable": [
                {"measure": str(found.watch.measure), "seconds": seconds, "change": _finite(effect)}
                for seconds, effect in found.watch.detectable
            ],
            "unknown": found.watch.unknown,
        },
        "detectable_change": _finite(found.detectable),
        "seconds": found.seconds,
        "notes": list(found.notes),
        "not_restored": list(found.left),
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _tried(tried: Tried) -> dict[str, Any]:
    plan = tried.plan if tried.verdict.answer is not Answer.NOT_TRIED else None
    return {
        **_settings(tried),
        "because": tried.candidate.because,
        "answer": str(tried.verdict.answer),
        "why": tried.verdict.because,
        "pairs": plan.pairs if plan else None,
        "turn_seconds": plan.turn_seconds if plan else None,
        "left_out_seconds": plan.left_out_seconds if plan else None,
        "disturbed_pairs": tried.disturbed,
        "restored_after_seconds": tried.restored_seconds,
        "effects": [_effect(effect) for effect in tried.verdict.effects],
    }


def _settings(tried: Tried) -> dict[str, Any]:
    candidate = tried.candidate
    return {
        "settings": {member: dict(own) for member, own in candidate.changed.items()},
        "former": {member: dict(own) for member, own in candidate.former.items()},
    }


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "measure": str(effect.measure),
        "former": _finite(effect.former),
        "changed": _finite(effect.changed),
        "ratio": _interval(effect.ratio),
        "pairs": effect.pairs,
        "p_better": effect.p_better,
        "p_worse": effect.p_worse,
        "better": effect.better,
        "worse": effect.worse,
    }


def _limits(limits: Limits) -> dict[str, Any]:
    found = {}
    for limit in limits.each():
        state = "watched"
        if limit.watched in limits.given_up:
            state = str(State.GIVEN_UP)
        elif limit.watched is Watched.LAG and not limits.applies:
            state = str(State.NOT_APPLICABLE)
        found[str(limit.watched)] = {"state": state, "bound": limit.bound, "acts_at": limit.acts_at}
    return found


def _interval(interval: Interval) -> dict[str, float | None]:
    return {"low": _finite(interval.low), "mid": _finite(interval.mid), "high": _finite(interval.high)}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
