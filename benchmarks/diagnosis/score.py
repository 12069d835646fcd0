"""How good are the answers? Causes named first and second, false alarms, predictions against measured rates.

An answer is a cause with a confidence of at least 0.5 that names a limit; the first of them counts for top-1.
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
    """A scenario with its kept result."""

    scenario: Scenario
    kept: dict[str, Any]

    @property
    def claimed(self) -> list[str]:
        """The causes that were claimed, in order."""
        return [
            cause["cause"]
            for cause in self.kept["document"]["causes"]
            if cause["confidence"] >= SURE and cause["cause"] not in _NO_LIMIT
        ]

    def right(self, first: int) -> bool:
        """Whether an injected cause is among the `first` ones that were claimed."""
        return any(cause in self.scenario.causes for cause in self.claimed[:first])

    @property
    def measured(self) -> float | None:
        """Transactions per second after the cause was removed; None where that was not measured."""
        after = self.kept["after"]
        return after[self.scenario.counted] if after and self.scenario.effect else None

    @property
    def predicted(self) -> float | None:
        """The `mid` that the first answer predicts; None without a prediction."""
        causes = self.kept["document"]["causes"]
        predicted = causes[0]["predicted_per_second"] if causes else None
        return predicted["mid"] if predicted else None

    @property
    def between(self) -> bool:
        """Whether the measured rate lies between the predicted `low` and `high`."""
        causes = self.kept["document"]["causes"]
        predicted = causes[0]["predicted_per_second"] if causes else None
        return bool(predicted and self.measured and predicted["low"] <= self.measured <= predicted["high"])

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
    injected = [result for result in results if not result.scenario.healthy]
    healthy = [result for result in results if result.scenario.healthy]
    yield from (_line(result) for result in results if verbose or not _as_expected(result))
    yield "injected → first answer"
    for (cause, answer), count in sorted(_confusion(injected).items()):
        yield f"  {count:3}  {cause} → {answer}"
    yield _share("top-1", [result.right(1) for result in injected])
    yield _share("top-2", [result.right(2) for result in injected])
    yield _share("healthy or idle without a cause", [not result.claimed for result in healthy])
    effects = [result for result in injected if result.measured is not None]
    yield from _predicted("a setting", [result for result in effects if not result.scenario.no_setting])
    yield from _predicted("something else", [result for result in effects if result.scenario.no_setting])
    if results:
        slowest = max(result.kept["diagnosing_seconds"] for result in results)
        yield f"answers came at most {slowest:.1f} s after the interval"


def _predicted(cure: str, effects: Sequence[Result]) -> Iterable[str]:
    """How many effects of one kind of cure were predicted, and how well."""
    errors = [result.error for result in effects if result.error is not None]
    yield _share(f"predicted within {WITHIN:.0%} of the measured effect, where {cure} is the cure", [
        result.error is not None and abs(result.error) <= WITHIN for result in effects
    ])  # fmt: skip
    if errors:
        middle = median(map(abs, errors))
        inside = sum(result.between for result in effects)
        told = f"{len(errors)} were predicted, {inside} between the least and the most"
        yield f"  of {len(effects)} effects measured {told}; median error {middle:.0%}"


def _as_expected(result: Result) -> bool:
    return not result.claimed if result.scenario.healthy else result.right(1)


def _line(result: Result) -> str:
    causes = result.kept["document"]["causes"]
    answers = ", ".join(f"{cause['cause']} {cause['confidence']:.2f}" for cause in causes[:4]) or "nothing"
    expected = ", ".join(result.scenario.causes) or "no cause"
    mark = "right" if _as_expected(result) else "WRONG"
    return f"{mark}  {result.scenario.name}: {answers}; injected {expected}{_effect(result)}"


def _effect(result: Result) -> str:
    if result.measured is None:
        return ""
    before = result.kept["before"][result.scenario.counted]
    predicted = f"{result.predicted:.0f}" if result.predicted is not None else "nothing"
    return f"; {before:.0f} → {result.measured:.0f} tx/s, predicted {predicted}"


def _confusion(injected: Sequence[Result]) -> Counter[tuple[str, str]]:
    return Counter(
        (result.scenario.causes[0], "(right)" if result.right(1) else next(iter(result.claimed), "nothing"))
        for result in injected
    )


def _share(what: str, hits: Sequence[bool]) -> str:
    return f"{what}: {sum(hits)} of {len(hits)}" + (f" ({sum(hits) / len(hits):.0%})" if hits else "")
