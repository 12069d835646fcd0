"""How good were the answers? Causes named first and second, false alarms, predictions against what was measured.

An answer is a cause of confidence 0.5 or more that names a limit; the first of them counts for top-1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any, Final

from advisor.model.record import record
from benchmarks.diagnosis.scenarios import Scenario

SURE: Final = 0.5
WITHIN: Final = 0.25
_NO_LIMIT: Final = ("healthy_or_expected", "measurement_not_comparable")


@record
class Result:
    """A scenario with what was kept of it."""

    scenario: Scenario
    kept: dict[str, Any]

    @property
    def claimed(self) -> list[str]:
        """The causes claimed, in their order."""
        return [
            one["cause"]
            for one in self.kept["document"]["causes"]
            if one["confidence"] >= SURE and one["cause"] not in _NO_LIMIT
        ]

    def right(self, first: int) -> bool:
        """Whether an injected cause is among the first so many that are claimed."""
        return any(one in self.scenario.causes for one in self.claimed[:first])

    @property
    def measured(self) -> float | None:
        """Transactions per second after the cause was taken away; None where that was not measured."""
        after = self.kept["after"]
        return after[self.scenario.counted] if after and self.scenario.effect else None

    @property
    def predicted(self) -> float | None:
        """What the first answer predicts, mid; None where it predicts nothing."""
        causes = self.kept["document"]["causes"]
        told = causes[0]["predicted_per_second"] if causes else None
        return told["mid"] if told else None

    @property
    def between(self) -> bool:
        """Whether the measured rate lies between what is predicted at least and at most."""
        causes = self.kept["document"]["causes"]
        told = causes[0]["predicted_per_second"] if causes else None
        return bool(told and self.measured and told["low"] <= self.measured <= told["high"])

    @property
    def error(self) -> float | None:
        """predicted / measured − 1."""
        if self.predicted is None or not self.measured:
            return None
        return self.predicted / self.measured - 1


def table(results: Sequence[Result], *, verbose: bool = False) -> str:
    """What was injected against what was claimed, and the figures with their denominators."""
    return "\n".join(_lines(results, verbose))


def _lines(results: Sequence[Result], verbose: bool) -> Iterable[str]:
    injected = [one for one in results if not one.scenario.healthy]
    healthy = [one for one in results if one.scenario.healthy]
    yield from (_line(one) for one in results if verbose or not _as_wished(one))
    yield "injected → first answer"
    for (cause, answer), count in sorted(_confusion(injected).items()):
        yield f"  {count:3}  {cause} → {answer}"
    yield _share("top-1", [one.right(1) for one in injected])
    yield _share("top-2", [one.right(2) for one in injected])
    yield _share("healthy or idle without a cause", [not one.claimed for one in healthy])
    effects = [one for one in injected if one.measured is not None]
    yield from _predicted("a setting", [one for one in effects if not one.scenario.no_setting])
    yield from _predicted("something else", [one for one in effects if one.scenario.no_setting])
    if results:
        slowest = max(one.kept["diagnosing_seconds"] for one in results)
        yield f"answers came at most {slowest:.1f} s after the interval"


def _predicted(cure: str, effects: Sequence[Result]) -> Iterable[str]:
    """How many effects of one kind of cure were predicted, and how well."""
    errors = [one.error for one in effects if one.error is not None]
    yield _share(f"predicted within {WITHIN:.0%} of the measured effect, where {cure} is the cure", [
        one.error is not None and abs(one.error) <= WITHIN for one in effects
    ])  # fmt: skip
    if errors:
        middle = median(map(abs, errors))
        inside = sum(one.between for one in effects)
        told = f"{len(errors)} were predicted, {inside} between the least and the most"
        yield f"  of {len(effects)} effects measured {told}; median error {middle:.0%}"


def _as_wished(one: Result) -> bool:
    return not one.claimed if one.scenario.healthy else one.right(1)


def _line(one: Result) -> str:
    causes = one.kept["document"]["causes"]
    told = ", ".join(f"{cause['cause']} {cause['confidence']:.2f}" for cause in causes[:4]) or "nothing"
    wished = ", ".join(one.scenario.causes) or "no cause"
    mark = "right" if _as_wished(one) else "WRONG"
    return f"{mark}  {one.scenario.name}: {told}; injected {wished}{_effect(one)}"


def _effect(one: Result) -> str:
    if one.measured is None:
        return ""
    before = one.kept["before"][one.scenario.counted]
    predicted = f"{one.predicted:.0f}" if one.predicted is not None else "nothing"
    return f"; {before:.0f} → {one.measured:.0f} tx/s, predicted {predicted}"


def _confusion(injected: Sequence[Result]) -> Counter[tuple[str, str]]:
    return Counter(
        (one.scenario.causes[0], "(right)" if one.right(1) else next(iter(one.claimed), "nothing")) for one in injected
    )


def _share(what: str, hits: Sequence[bool]) -> str:
    return f"{what}: {sum(hits)} of {len(hits)}" + (f" ({sum(hits) / len(hits):.0%})" if hits else "")
